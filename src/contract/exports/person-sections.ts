import { rowsOfPerson } from "../../domain/exports/rows.ts";
import { personById } from "../../domain/people/people.ts";
import { iso } from "../../platform/clock.ts";
import { mapped, section } from "./section.ts";

/** The sections about the person who asked for the export, and how they sign in. */
export const PERSON_SECTIONS = {
  person: section("You, who asked for this export. What follows of passkeys, codes and browsers is yours too.", {
    columns: ["id", "email", "created_at", "email_verified_at", "has_password", "second_step_required"],
    async *batches({ db, personId }) {
      const { id, email, createdAt, verifiedAt, passwordHash, isFactorRequired } = await personById(db, personId);
      const times = { created_at: iso(createdAt), email_verified_at: iso(verifiedAt) };
      yield [{ id, email, ...times, has_password: passwordHash !== null, second_step_required: isFactorRequired }];
    },
  }),
  sessions: section("Browsers that are signed in.", {
    columns: ["id", "browser", "ip", "created_at", "last_seen_at", "authenticated_at", "factor_at"],
    batches: ({ db, personId }) =>
      mapped(rowsOfPerson(db, "sessions", "id", personId), ({ id, browser, ip, ...row }) => {
        const seen = { created_at: iso(row.createdAt), last_seen_at: iso(row.lastSeenAt) };
        return { id, browser, ip, ...seen, authenticated_at: iso(row.authenticatedAt), factor_at: iso(row.factorAt) };
      }),
  }),
  passkeys: section("Passkeys, by name.", {
    columns: ["id", "name", "is_synchronised", "created_at", "last_used_at"],
    batches: ({ db, personId }) =>
      mapped(rowsOfPerson(db, "passkeys", "id", personId), ({ id, name, isBackedUp, createdAt, lastUsedAt }) => {
        return { id, name, is_synchronised: isBackedUp, created_at: iso(createdAt), last_used_at: iso(lastUsedAt) };
      }),
  }),
  authenticator_apps: section("When an authenticator app was added.", {
    columns: ["created_at", "last_used_at"],
    batches: ({ db, personId }) =>
      mapped(rowsOfPerson(db, "authenticatorApps", "personId", personId), ({ createdAt, lastUsedAt }) => {
        return { created_at: iso(createdAt), last_used_at: iso(lastUsedAt) };
      }),
  }),
  recovery_codes: section("When recovery codes were made and used.", {
    columns: ["created_at", "used_at"],
    batches: ({ db, personId }) =>
      mapped(rowsOfPerson(db, "recoveryCodes", "hash", personId), ({ createdAt, usedAt }) => {
        return { created_at: iso(createdAt), used_at: iso(usedAt) };
      }),
  }),
  issuers: section("Who you are at the issuers that sign you in.", {
    columns: ["issuer", "subject", "created_at", "last_used_at"],
    batches: ({ db, personId }) =>
      mapped(rowsOfPerson(db, "identities", "issuer", personId), ({ issuer, subject, createdAt, lastUsedAt }) => {
        return { issuer, subject, created_at: iso(createdAt), last_used_at: iso(lastUsedAt) };
      }),
  }),
  factor_removals: section("A removal of lost passkeys and codes that is under way.", {
    columns: ["requested_at", "due_at"],
    batches: ({ db, personId }) =>
      mapped(rowsOfPerson(db, "factorRemovals", "personId", personId), ({ requestedAt, dueAt }) => {
        return { requested_at: iso(requestedAt), due_at: iso(dueAt) };
      }),
  }),
  address_changes: section("Changes of the e-mail address that can still be undone.", {
    columns: ["earlier_email", "requested_at", "changed_at", "undoable_until"],
    batches: ({ db, personId }) =>
      mapped(rowsOfPerson(db, "addressUndos", "id", personId), ({ email, requestedAt, changedAt, expiresAt }) => {
        const times = { requested_at: iso(requestedAt), changed_at: iso(changedAt), undoable_until: iso(expiresAt) };
        return { earlier_email: email, ...times };
      }),
  }),
} as const;
