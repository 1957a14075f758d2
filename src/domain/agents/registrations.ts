import { and, eq, gt, inArray } from "drizzle-orm";
import type { Engine, Reader } from "../../../db/engine.ts";
import { newId } from "../../platform/ids.ts";
import type { Scope } from "../../platform/principal.ts";
import { scopeText } from "../credentials/scopes.ts";
import { hashOf, isSecret, newSecret } from "../credentials/secrets.ts";
import { addressKey } from "../limits/address-key.ts";
import { consumeLimitIn } from "../limits/window.ts";
import { revokeGrant } from "../oauth/grants.ts";
import { LIFETIMES } from "../oauth/tokens.ts";
import { newUserCode, userCodeHash } from "./user-code.ts";

export type RegistrationRow = Reader["t"]["registrations"]["$inferSelect"];

/** Seconds between polls at first (RFC 8628 section 3.2). */
const INTERVAL = 5;

export interface NewRegistration {
  /** Normalised. It need not have an account. */
  readonly email: string;
  readonly agentName: string;
  readonly scopes: readonly Scope[];
  readonly ip: string;
  readonly now: number;
}

/** The link and code that an agent shows its user. Times in ms, `interval` in seconds. */
export interface ClaimAttempt {
  readonly registrationId: string;
  /** Identifies the attempt; not a secret. */
  readonly attemptId: string;
  /** The secret in the link. */
  readonly attempt: string;
  /** Never part of the link, so that a user who types it must have got it from the agent. */
  readonly userCode: string;
  readonly codeExpiresAt: number;
  readonly interval: number;
}

/** Registers an agent that knows its user's e-mail address. @throws Refusal rate_limited */
export async function registerAgent(
  db: Engine,
  { scopes, now, ...draft }: NewRegistration,
): Promise<ClaimAttempt & { claimToken: string; expiresAt: number }> {
  const id = newId("reg");
  const claim = newSecret("claim");
  const expiresAt = now + LIFETIMES.registration;
  const { columns, shown } = newAttempt(id, expiresAt, now);
  const state = { status: "pending", wrongCodes: 0, interval: INTERVAL, polledAt: null, grantId: null };
  await db.tx(async (tx) => {
    await consumeLimitIn(tx, addressKey(draft.ip), "agent_registrations", now);
    await tx.q.insert(tx.t.registrations).values({
      ...draft,
      ...state,
      ...columns,
      id,
      scopes: scopeText(scopes),
      claimHash: claim.hash,
      deliveredAt: null,
      createdAt: now,
      expiresAt,
    });
  });
  return { ...shown, interval: INTERVAL, claimToken: claim.secret, expiresAt };
}

/** The registration with a claim token; null when there is none. */
export async function registrationOf(db: Reader, claimToken: string): Promise<RegistrationRow | null> {
  if (!isSecret("claim", claimToken)) return null;
  const { registrations } = db.t;
  const [row] = await db.q
    .select()
    .from(registrations)
    .where(eq(registrations.claimHash, hashOf(claimToken)));
  return row ?? null;
}

/**
 * Issues a new code and link, and voids the previous ones. Wrong codes stay counted.
 * @returns `expired` or `answered` when the registration is no longer pending
 */
export async function reissueAttempt(
  db: Engine,
  { id, expiresAt }: RegistrationRow,
  now: number,
): Promise<ClaimAttempt | "expired" | "answered"> {
  const { columns, shown } = newAttempt(id, expiresAt, now);
  return db.tx(async (tx) => {
    const { registrations } = tx.t;
    const isOpen = and(eq(registrations.id, id), eq(registrations.status, "pending"));
    const [row] = await tx.q
      .update(registrations)
      .set(columns)
      .where(and(isOpen, gt(registrations.expiresAt, now)))
      .returning();
    if (row) return { ...shown, interval: row.interval };
    const [open] = await tx.q.select({ id: registrations.id }).from(registrations).where(isOpen);
    return open ? "expired" : "answered";
  });
}

/** Withdraws a registration, and ends the grant of an agent that was claimed. @returns false when there is no registration */
export async function withdrawRegistration(
  db: Engine,
  claimToken: string,
  request: { ip: string; now: number },
): Promise<boolean> {
  const registration = await registrationOf(db, claimToken);
  if (!registration) return false;
  await db.tx(async (tx) => {
    const { registrations } = tx.t;
    const [ended] = await tx.q
      .update(registrations)
      .set({ status: "withdrawn" })
      .where(and(eq(registrations.id, registration.id), inArray(registrations.status, ["pending", "claimed"])))
      .returning();
    if (ended?.grantId) await revokeGrant(tx, { grantId: ended.grantId, by: "token_revoked", ...request });
  });
  return true;
}

/** A new link and code. The code expires with the registration at the latest. */
function newAttempt(registrationId: string, expiresAt: number, now: number) {
  const { secret, hash } = newSecret("attempt");
  const userCode = newUserCode();
  const codeExpiresAt = Math.min(now + LIFETIMES.userCode, expiresAt);
  return {
    columns: { attemptHash: hash, codeHash: userCodeHash(registrationId, userCode), codeExpiresAt },
    shown: { registrationId, attemptId: `cla_${hash.slice(0, 20)}`, attempt: secret, userCode, codeExpiresAt },
  };
}
