import { and, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { DAY } from "../../platform/clock.ts";
import { PERSON, type Principal, SCOPES } from "../../platform/principal.ts";
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

const keys = ({ q, t }: Tables) => {
  const { apiKeys, accounts, accountDeletions } = t;
  const { id, accountId, hash, name, scopes, revokedAt, expiresAt } = apiKeys;
  return q
    .select({ id, accountId, hash, name, scopes, revokedAt, expiresAt, ...ofAccounts(t) })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .leftJoin(accountDeletions, eq(accountDeletions.accountId, accountId));
};

const ofKey = ({ id, name, scopes, expiresAt, ...row }: Awaited<ReturnType<typeof keys>>[number]): Access =>
  access(row, { id, type: "api_key", name, scopes: scopesIn(scopes), holder: id }, { ends: [expiresAt] });

const grantsWith = ({ t: { grants, budgets } }: Pick<Reader, "t">) =>
  and(eq(budgets.accountId, grants.accountId), eq(budgets.holder, grants.holder));

const grants = (db: Tables) => {
  const { grants: of, accounts, budgets, accountDeletions } = db.t;
  const { id, accountId, holder, kind, name, scopes, revokedAt, endsAt } = of;
  const lastDay = budgets.expiresAt;
  return db.q
    .select({ id, accountId, holder, kind, name, scopes, revokedAt, endsAt, lastDay, ...ofAccounts(db.t) })
    .from(of)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .leftJoin(budgets, grantsWith(db))
    .leftJoin(accountDeletions, eq(accountDeletions.accountId, accountId));
};

const ofGrant = ({
  id,
  kind,
  name,
  scopes,
  holder,
  endsAt,
  lastDay,
  ...row
}: Awaited<ReturnType<typeof grants>>[number]) =>
  access(row, { id, type: typeOf(kind), name, scopes: scopesIn(scopes), holder }, { ends: [endsAt, lastDay] });

const tokens = (db: Tables) => {
  const { accessTokens, grants: of, accounts, budgets, accountDeletions } = db.t;
  const { id, accountId, holder, kind, name, scopes: granted, revokedAt } = of;
  const { hash, scopes, audience, expiresAt } = accessTokens;
  return db.q
    .select({
      ...{ id, accountId, holder, kind, name, granted, revokedAt },
      ...{ hash, scopes, audience, expiresAt, lastDay: budgets.expiresAt, ...ofAccounts(db.t) },
    })
    .from(accessTokens)
    .innerJoin(of, eq(id, accessTokens.grantId))
    .innerJoin(accounts, eq(accounts.id, accountId))
    .leftJoin(budgets, grantsWith(db))
    .leftJoin(accountDeletions, eq(accountDeletions.accountId, accountId));
};

const ofToken = ({
  id,
  kind,
  name,
  granted,
  holder,
  hash: token,
  scopes,
  audience,
  expiresAt,
  lastDay,
  ...row
}: Awaited<ReturnType<typeof tokens>>[number]) => {
  const own = scopesIn(granted).filter((scope) => scopesIn(scopes).includes(scope));
  const credential = { id, type: typeOf(kind), name, scopes: own, holder, token };
  return access(row, credential, { ends: [expiresAt, lastDay], audience: audience as Audience });
};

const sessions = ({ q, t }: Tables) => {
  const { sessions: of, accounts, accountDeletions } = t;
  const { id, accountId, browser, createdAt, lastSeenAt } = of;
  return q
    .select({ id, accountId, browser, createdAt, lastSeenAt, ...ofAccounts(t) })
    .from(of)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .leftJoin(accountDeletions, eq(accountDeletions.accountId, accountId));
};

const ofSession = ({ id, browser, createdAt, lastSeenAt, ...row }: Awaited<ReturnType<typeof sessions>>[number]) => {
  const ends = [createdAt + SESSION_LIFETIME.absolute, lastSeenAt + SESSION_LIFETIME.idle];
  return access({ ...row, revokedAt: null }, personal(id, browser), { ends });
};

const people = ({ q, t }: Tables) => {
  const { accounts, accountDeletions } = t;
  return q
    .select({ accountId: accounts.id, ...ofAccounts(t) })
    .from(accounts)
    .leftJoin(accountDeletions, eq(accountDeletions.accountId, accounts.id));
};

const ofPerson = (row: Awaited<ReturnType<typeof people>>[number]) =>
  access({ ...row, revokedAt: null }, personal(PERSON, ""), { ends: [] });

const pushAddresses = ({ q, t }: Tables) => {
  const { sites, accounts, accountDeletions } = t;
  const { id, accountId, host, sealedPushSecret } = sites;
  return q
    .select({ id, accountId, host, sealedPushSecret, ...ofAccounts(t) })
    .from(sites)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .leftJoin(accountDeletions, eq(accountDeletions.accountId, accountId));
};

const ofPush = ({ sealedPushSecret, ...row }: Awaited<ReturnType<typeof pushAddresses>>[number]) =>
  access({ ...row, revokedAt: sealedPushSecret === null ? 0 : null }, pushCredential(row), { ends: [] });

/** What a site sends its access logs as. */
export function pushCredential({ id, host }: { id: string; host: string }): Principal["credential"] {
  return { id, type: "push", name: `push address of ${host}`, scopes: ["index"], holder: "" };
}

/** Whoever is signed in may do everything: the account is theirs. */
export function personal(id: string, name: string): Principal["credential"] {
  return { id, type: "session", name, scopes: SCOPES, holder: "" };
}

interface Row {
  readonly accountId: string;
  readonly revokedAt: number | null;
  readonly leavingAt: number | null;
  readonly disabledFor: string | null;
}

function access(
  { accountId, revokedAt, leavingAt, disabledFor }: Row,
  credential: Principal["credential"],
  { ends, audience = "" }: { ends: readonly (number | null)[]; audience?: Audience },
): Access {
  const known = ends.filter((at) => at !== null);
  const endsAt = known.length === 0 ? null : Math.min(...known);
  const ofAccount = { isLeaving: leavingAt !== null, disabledFor };
  return { accountId, credential, audience, isRevoked: revokedAt !== null, endsAt, ...ofAccount };
}

const typeOf = (kind: string) => kind as Principal["credential"]["type"];

const is = sql.placeholder("is");
const ofAccount = sql.placeholder("accountId");

/** The access of an API key by the hash of its secret; null where there is none. */
export async function accessOfKey(db: Reader, hash: string): Promise<Access | null> {
  const query = db.prepared("access_of_key", (one) => keys(one).where(eq(one.t.apiKeys.hash, is)));
  return (await query.execute({ is: hash })).map(ofKey)[0] ?? null;
}

/** The access of an access token by its hash; null where there is none. */
export async function accessOfToken(db: Reader, hash: string): Promise<Access | null> {
  const query = db.prepared("access_of_token", (one) => tokens(one).where(eq(one.t.accessTokens.hash, is)));
  return (await query.execute({ is: hash })).map(ofToken)[0] ?? null;
}

/** The access of credentials by the hashes of their secrets, by two queries. */
export async function accessByHashes(db: Reader, hashes: readonly string[]): Promise<ReadonlyMap<string, Access>> {
  const [foundKeys, foundTokens] = await Promise.all([
    keys(db).where(inArray(db.t.apiKeys.hash, [...hashes])),
    tokens(db).where(inArray(db.t.accessTokens.hash, [...hashes])),
  ]);
  const found = [...foundKeys.map((row) => [row.hash, ofKey(row)] as const)];
  return new Map([...found, ...foundTokens.map((row) => [row.hash, ofToken(row)] as const)]);
}

/** The access of whoever made something, for work that goes on without a request. @param maker the id of a credential, or PERSON */
export async function accessOfMaker(db: Reader, accountId: string, maker: string): Promise<Access | null> {
  if (maker === PERSON) return accessOfPerson(db, accountId);
  return (await keyWithId(db, accountId, maker)) ?? (await grantWithId(db, accountId, maker));
}

/**
 * The access of a caller as it is now, in the transaction that acts. Nothing can end it before the transaction is over: the row is
 * locked, so that this transaction and one that ends the access wait for each other.
 */
export async function heldAccess(tx: Tx, { accountId, credential }: Principal, now: number): Promise<Access | null> {
  const { id, type, token } = credential;
  if (type === "session") return id === PERSON ? accessOfPerson(tx, accountId) : heldSession(tx, accountId, id, now);
  if (type === "api_key") return keyWithId(tx, accountId, id, tx);
  if (type === "push") return heldPush(tx, accountId, id);
  return token === undefined ? grantWithId(tx, accountId, id, tx) : tokenWithHash(tx, token);
}

async function keyWithId(db: Reader, accountId: string, id: string, tx?: Tx): Promise<Access | null> {
  const query = db.prepared(tx ? "held_key" : "key_with_id", (one) => {
    const { apiKeys } = one.t;
    const wanted = keys(one).where(and(eq(apiKeys.id, is), eq(apiKeys.accountId, ofAccount)));
    return tx ? tx.held(wanted, apiKeys) : wanted;
  });
  return (await query.execute({ is: id, accountId })).map(ofKey)[0] ?? null;
}

async function grantWithId(db: Reader, accountId: string, id: string, tx?: Tx): Promise<Access | null> {
  const query = db.prepared(tx ? "held_grant" : "grant_with_id", (one) => {
    const { grants: of } = one.t;
    const wanted = grants(one).where(and(eq(of.id, is), eq(of.accountId, ofAccount)));
    return tx ? tx.held(wanted, of) : wanted;
  });
  return (await query.execute({ is: id, accountId })).map(ofGrant)[0] ?? null;
}

async function tokenWithHash(tx: Tx, hash: string): Promise<Access | null> {
  const query = tx.prepared("held_token", (one) =>
    tx.held(tokens(one).where(eq(one.t.accessTokens.hash, is)), one.t.grants),
  );
  return (await query.execute({ is: hash })).map(ofToken)[0] ?? null;
}

async function heldPush(tx: Tx, accountId: string, id: string): Promise<Access | null> {
  const { sites } = tx.t;
  const isIt = and(eq(sites.id, id), eq(sites.accountId, accountId));
  const [found] = await tx.held(pushAddresses(tx).where(isIt), sites);
  return found ? ofPush(found) : null;
}

/** The session is written, so that what ends it waits, also where another transaction of it requests the deletion of the account. */
async function heldSession(tx: Tx, accountId: string, id: string, now: number): Promise<Access | null> {
  const { sessions: of } = tx.t;
  const isIt: SQL | undefined = and(eq(of.id, id), eq(of.accountId, accountId));
  const [found] = await sessions(tx).where(isIt);
  await tx.q.update(of).set({ lastSeenAt: now }).where(isIt).returning({ id: of.id });
  return found ? ofSession(found) : null;
}

async function accessOfPerson(db: Reader, accountId: string): Promise<Access | null> {
  const query = db.prepared("access_of_person", (one) => {
    const { accounts } = one.t;
    return people(one).where(and(eq(accounts.id, is), isNull(accounts.deletedAt)));
  });
  return (await query.execute({ is: accountId })).map(ofPerson)[0] ?? null;
}
