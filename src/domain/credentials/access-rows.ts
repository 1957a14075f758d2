import { and, type Column, eq } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { DAY } from "../../platform/clock.ts";
import type { Principal, Role } from "../../platform/principal.ts";
import { scopesOfRole } from "../../platform/roles.ts";
import type { Audience } from "./resources.ts";
import { scopesIn } from "./scopes.ts";

/** What is known of somebody's access. By these facts alone it is decided whether they may still act (may-act.ts). */
export interface Access extends Principal {
  /** Where it is valid. */
  readonly audience: Audience;
  readonly isRevoked: boolean;
  /** The earliest of its ends, in real time: of the key, the token, the session, or the app's last day; null: it has none. */
  readonly endsAt: number | null;
  /** Whether the deletion of the account was requested. */
  readonly isLeaving: boolean;
  /** Why the operator has disabled the account; null: it is not disabled. */
  readonly disabledFor: string | null;
}

/** A session expires 30 days after it began, or 7 days after its last request; in ms. */
export const SESSION_LIFETIME = { absolute: 30 * DAY, idle: 7 * DAY } as const;

type Tables = Pick<Reader, "q" | "t">;

/** What is known of each account. */
const ofAccounts = ({ accounts, accountDeletions }: Tables["t"]) => ({
  leavingAt: accountDeletions.requestedAt,
  disabledFor: accounts.disabledReason,
});

/** Nobody has access by a credential of somebody who is not a member any more. */
const isMember = (
  { t: { members } }: Pick<Reader, "t">,
  { accountId, personId }: { readonly accountId: Column; readonly personId: Column },
) => and(eq(members.accountId, accountId), eq(members.personId, personId));

export const keys = (db: Tables) => {
  const { apiKeys, members, accounts, accountDeletions } = db.t;
  const { id, accountId, personId, hash, name, scopes, revokedAt, expiresAt } = apiKeys;
  return db.q
    .select({
      id,
      accountId,
      personId,
      role: members.role,
      hash,
      name,
      scopes,
      revokedAt,
      expiresAt,
      ...ofAccounts(db.t),
    })
    .from(apiKeys)
    .innerJoin(members, isMember(db, apiKeys))
    .innerJoin(accounts, eq(accounts.id, accountId))
    .leftJoin(accountDeletions, eq(accountDeletions.accountId, accountId));
};

export const ofKey = (row: Awaited<ReturnType<typeof keys>>[number]): Access => {
  const { id, name, scopes, expiresAt } = row;
  return access(row, { id, type: "api_key", name, scopes: scopesIn(scopes), holder: id }, { ends: [expiresAt] });
};

const grantsWith = ({ t: { grants, budgets } }: Pick<Reader, "t">) =>
  and(eq(budgets.accountId, grants.accountId), eq(budgets.holder, grants.holder));

export const grants = (db: Tables) => {
  const { grants: of, members, accounts, budgets, accountDeletions } = db.t;
  const { id, accountId, personId, holder, kind, name, scopes, revokedAt, endsAt } = of;
  const [{ role }, lastDay] = [members, budgets.expiresAt];
  return db.q
    .select({
      id,
      accountId,
      personId,
      role,
      holder,
      kind,
      name,
      scopes,
      revokedAt,
      endsAt,
      lastDay,
      ...ofAccounts(db.t),
    })
    .from(of)
    .innerJoin(members, isMember(db, of))
    .innerJoin(accounts, eq(accounts.id, accountId))
    .leftJoin(budgets, grantsWith(db))
    .leftJoin(accountDeletions, eq(accountDeletions.accountId, accountId));
};

export const ofGrant = (row: Awaited<ReturnType<typeof grants>>[number]) => {
  const { id, kind, name, scopes, holder, endsAt, lastDay } = row;
  return access(row, { id, type: typeOf(kind), name, scopes: scopesIn(scopes), holder }, { ends: [endsAt, lastDay] });
};

export const tokens = (db: Tables) => {
  const { accessTokens, grants: of, members, accounts, budgets, accountDeletions } = db.t;
  const { id, accountId, personId, holder, kind, name, scopes: granted, revokedAt } = of;
  const { hash, scopes, audience, expiresAt } = accessTokens;
  const [{ role }, lastDay] = [members, budgets.expiresAt];
  return db.q
    .select({
      ...{ id, accountId, personId, role, holder, kind, name, granted, revokedAt },
      ...{ hash, scopes, audience, expiresAt, lastDay, ...ofAccounts(db.t) },
    })
    .from(accessTokens)
    .innerJoin(of, eq(id, accessTokens.grantId))
    .innerJoin(members, isMember(db, of))
    .innerJoin(accounts, eq(accounts.id, accountId))
    .leftJoin(budgets, grantsWith(db))
    .leftJoin(accountDeletions, eq(accountDeletions.accountId, accountId));
};

export const ofToken = (row: Awaited<ReturnType<typeof tokens>>[number]) => {
  const { id, kind, name, granted, holder, hash: token, scopes, audience, expiresAt, lastDay } = row;
  const own = scopesIn(granted).filter((scope) => scopesIn(scopes).includes(scope));
  const credential = { id, type: typeOf(kind), name, scopes: own, holder, token };
  return access(row, credential, { ends: [expiresAt, lastDay], audience: audience as Audience });
};

export const sessions = (db: Tables) => {
  const { sessions: of, members, accounts, accountDeletions } = db.t;
  const { id, accountId, personId, browser, createdAt, lastSeenAt } = of;
  return db.q
    .select({ id, accountId, personId, role: members.role, browser, createdAt, lastSeenAt, ...ofAccounts(db.t) })
    .from(of)
    .innerJoin(members, isMember(db, of))
    .innerJoin(accounts, eq(accounts.id, accountId))
    .leftJoin(accountDeletions, eq(accountDeletions.accountId, accountId));
};

export const ofSession = (row: Awaited<ReturnType<typeof sessions>>[number]) => {
  const { id, browser, role, createdAt, lastSeenAt } = row;
  const ends = [createdAt + SESSION_LIFETIME.absolute, lastSeenAt + SESSION_LIFETIME.idle];
  return access({ ...row, revokedAt: null }, personal({ id, name: browser, role }), { ends });
};

export const people = ({ q, t }: Tables) => {
  const { members, accounts, accountDeletions } = t;
  const { accountId, personId, role } = members;
  return q
    .select({ accountId, personId, role, ...ofAccounts(t) })
    .from(members)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .leftJoin(accountDeletions, eq(accountDeletions.accountId, accountId));
};

export const ofPerson = (row: Awaited<ReturnType<typeof people>>[number]) =>
  access({ ...row, revokedAt: null }, personal({ ...row, id: row.personId, name: "" }), { ends: [] });

export const pushAddresses = ({ q, t }: Tables) => {
  const { sites, accounts, accountDeletions } = t;
  const { id, accountId, host, pushSecretHash } = sites;
  return q
    .select({ id, accountId, host, pushSecretHash, ...ofAccounts(t) })
    .from(sites)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .leftJoin(accountDeletions, eq(accountDeletions.accountId, accountId));
};

export const ofPush = ({ pushSecretHash, ...row }: Awaited<ReturnType<typeof pushAddresses>>[number]) =>
  access({ ...row, personId: null, role: null, revokedAt: pushSecretHash === null ? 0 : null }, pushCredential(row), {
    ends: [],
  });

/** What a site sends its access logs as. */
export function pushCredential({ id, host }: { id: string; host: string }): Principal["credential"] {
  return { id, type: "push", name: `push address of ${host}`, scopes: ["index"], holder: "" };
}

/** Somebody who is signed in, or what they made at the website: whatever the role allows. */
export function personal({ id, name, role }: { id: string; name: string; role: string }): Principal["credential"] {
  return { id, type: "session", name, scopes: scopesOfRole(role as Role), holder: "" };
}

interface Row {
  readonly accountId: string;
  readonly personId: string | null;
  readonly role: string | null;
  readonly revokedAt: number | null;
  readonly leavingAt: number | null;
  readonly disabledFor: string | null;
}

function access(
  { accountId, personId, role: named, revokedAt, leavingAt, disabledFor }: Row,
  credential: Principal["credential"],
  { ends, audience = "" }: { ends: readonly (number | null)[]; audience?: Audience },
): Access {
  const role = named as Role | null;
  const most = role === null ? null : scopesOfRole(role);
  const scopes = most ? credential.scopes.filter((scope) => most.includes(scope)) : credential.scopes;
  return {
    accountId,
    personId,
    role,
    credential: { ...credential, scopes },
    audience,
    isRevoked: revokedAt !== null,
    endsAt: ends.reduce((first, at) => (first === null || (at !== null && at < first) ? at : first), null),
    isLeaving: leavingAt !== null,
    disabledFor,
  };
}

const typeOf = (kind: string) => kind as Principal["credential"]["type"];
