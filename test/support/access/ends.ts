import { eq } from "drizzle-orm";
import { setDisabled } from "../../../src/domain/accounts/disable.ts";
import { revokeKey } from "../../../src/domain/credentials/keys.ts";
import { hashOf } from "../../../src/domain/credentials/secrets.ts";
import { requestDeletion } from "../../../src/domain/deletion/request-deletion.ts";
import { revokeGrant } from "../../../src/domain/oauth/grants.ts";
import { createAddressUndo } from "../../../src/domain/people/address-undos.ts";
import { setLimits } from "../../../src/domain/spending/budgets.ts";
import { NO_LIMITS } from "../../../src/domain/spending/limits.ts";
import { createLink } from "../../../src/domain/users/mailed-links.ts";
import { removeMember } from "../../../src/domain/users/manage-members.ts";
import { resetPassword } from "../../../src/domain/users/reset.ts";
import { endSessions, type Session, sessionOf } from "../../../src/domain/users/sessions.ts";
import { undoAddressChange } from "../../../src/domain/users/undo-address.ts";
import { HOUR, MINUTE, timesOf } from "../../../src/platform/clock.ts";
import { secretBoxOf } from "../../../src/platform/config/secrets-key.ts";
import { newMember, openSessionOf, ownerOf } from "../database/people.ts";
import type { TestService } from "../service/service.ts";
import type { Actor, ActorKind } from "./actors.ts";

/** A way in which access ends. */
export interface End {
  /** Whose access it ends. */
  readonly of: readonly ActorKind[];
  /** Whether it ends the session that is in hand, and nothing that the person has set up. */
  readonly endsSessionAlone?: true;
  /** Whether it ends what spends or goes on by itself to do so, and nothing else. */
  readonly endsSpendingAlone?: true;
  /** Done before anything goes on, such as to set a last day; @returns what ends the access */
  prepare(service: TestService, actor: Actor): Promise<() => Promise<unknown>>;
}

const VISITOR = { ip: "192.0.2.1", browser: "Firefox on Linux", hash: hashOf("browser"), known: "" };

const usersOf = ({ db, mailer, config }: TestService) => {
  return {
    db,
    mailer,
    siteUrl: config.siteUrl,
    signUp: config.signUp,
    localSignIn: config.localSignIn,
    secretBox: secretBoxOf(config),
  };
};

/** @param end what ends the access, once something goes on */
const at =
  (end: (service: TestService, actor: Actor) => Promise<unknown>) => async (service: TestService, actor: Actor) => () =>
    end(service, actor);

const revoke = at(({ db, clock }, { principal }) =>
  db.tx(async (tx) => {
    const { id, type } = principal.credential;
    const now = clock.now();
    if (type === "api_key") await revokeKey(tx, id, now);
    else await revokeGrant(tx, { grantId: id, by: "owner", now });
  }),
);

const removeScopes = at(({ db }, { principal: { credential } }) =>
  db.tx(async (tx) => {
    const { apiKeys, grants } = tx.t;
    await tx.q.update(apiKeys).set({ scopes: "purchase" }).where(eq(apiKeys.id, credential.id));
    await tx.q.update(grants).set({ scopes: "purchase" }).where(eq(grants.id, credential.id));
  }),
);

/** Lets time pass until the key, or the last token of the app, has expired. */
async function expire({ db, clock }: TestService, { principal: { credential } }: Actor) {
  const { apiKeys, grants } = db.t;
  const at = clock.now() + HOUR;
  await db.tx(async ({ q }) => {
    await q.update(apiKeys).set({ expiresAt: at }).where(eq(apiKeys.id, credential.id));
    await q.update(grants).set({ endsAt: at }).where(eq(grants.id, credential.id));
  });
  return async () => clock.pass(HOUR);
}

/** Lets the last day of an app pass, while its token is still valid. */
async function passLastDay({ db, clock }: TestService, { accountId, principal }: Actor) {
  const { holder } = principal.credential;
  const limits = { ...NO_LIMITS, expiresAt: clock.now() + 10 * MINUTE };
  await db.tx((tx) => setLimits(tx, { accountId, holder }, limits));
  return async () => clock.pass(10 * MINUTE);
}

const signOut = at(({ db, clock }, { accountId }) =>
  db.tx(async (tx) => endSessions(tx, await ownerOf(tx, accountId), clock.now())),
);

const requestTheDeletion = at(async (service, { accountId, email }) => {
  const { db, clock } = service;
  const now = clock.now();
  const secret = await db.tx((tx) => openSessionOf(tx, { accountId, browser: "other", ip: VISITOR.ip, now }));
  const session = (await sessionOf(db, secret, now))!;
  const times = { now, service: clock.service() };
  await requestDeletion(usersOf(service), { session, typed: email, visitor: VISITOR, times });
});

/** The address was changed before whatever goes on began. */
async function undoAddress(service: TestService, { accountId }: Actor) {
  const { db, clock } = service;
  const [requestedAt, email] = [clock.now(), `${accountId}@earlier.example`];
  const made = { personId: await ownerOf(db, accountId), email: email.toLowerCase(), requestedAt, now: requestedAt };
  const { secret: link } = await db.tx((tx) => createAddressUndo(tx, made));
  return () => undoAddressChange(usersOf(service), { link, visitor: VISITOR, now: clock.now() });
}

const reset = at(async (service, { email }) => {
  const { db, clock } = service;
  const now = clock.now();
  const asked = { purpose: "reset", email, passwordHash: null, visitor: VISITOR, returnTo: "/dashboard", now } as const;
  const link = await db.tx((tx) => createLink(tx, asked));
  await resetPassword(usersOf(service), {
    link,
    password: "nine loud herons",
    revokeAccess: true,
    visitor: VISITOR,
    now,
  });
});

/** Another owner removes whoever made it, and hands nothing over. */
async function removeItsPerson(service: TestService, { accountId }: Actor) {
  const { db, clock } = service;
  const personId = await ownerOf(db, accountId);
  const email = `${accountId}@other.example`.toLowerCase();
  return () =>
    db.tx(async (tx) => {
      const now = clock.now();
      const remover = await newMember(tx, { accountId, role: "owner", email, now });
      const session = { accountId, personId: remover, email } as Session;
      await removeMember(tx, usersOf(service), { personId, heir: null, session, ip: VISITOR.ip, now });
    });
}

const disable = at(({ db, clock }, { accountId }) =>
  db.tx((tx) => setDisabled(tx, { accountId, reason: "Complaints reached us.", times: timesOf(clock) })),
);

export const ENDS: Readonly<Record<string, End>> = {
  "it is revoked": { of: ["key", "app"], prepare: revoke },
  "it expires": { of: ["key", "app"], prepare: expire },
  "the app's last day passes": { of: ["app"], prepare: passLastDay },
  "its scopes are removed": { of: ["key", "app"], prepare: removeScopes },
  "all browsers are signed out": { of: ["person"], endsSessionAlone: true, prepare: signOut },
  "the deletion of the account is requested": { of: ["key", "app", "person"], prepare: requestTheDeletion },
  "the operator disables the account": { of: ["key", "app", "person"], endsSpendingAlone: true, prepare: disable },
  "its person is removed from the account": { of: ["key", "app", "person"], prepare: removeItsPerson },
  "a change of the address is undone": { of: ["key", "app", "person"], prepare: undoAddress },
  "the password is reset, access revoked": { of: ["key", "app", "person"], prepare: reset },
};
