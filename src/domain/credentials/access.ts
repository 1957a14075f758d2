import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { isPerson, type Principal } from "../../platform/principal.ts";
import {
  type Access,
  grants,
  keys,
  ofGrant,
  ofKey,
  ofPerson,
  ofPush,
  ofSession,
  ofToken,
  people,
  pushAddresses,
  sessions,
  tokens,
} from "./access-rows.ts";

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

/** The access of whoever made something, for work that goes on without a request. @param maker the id of a credential or a person */
export async function accessOfMaker(db: Reader, accountId: string, maker: string): Promise<Access | null> {
  if (isPerson(maker)) return accessOfPerson(db, accountId, maker);
  return (await keyWithId(db, accountId, maker)) ?? (await grantWithId(db, accountId, maker));
}

/**
 * The access of a caller as it is now, in the transaction that acts. Nothing can end it before the transaction is over: the rows are
 * locked, so that this transaction and one that ends the access wait for each other.
 */
export async function heldAccess(tx: Tx, { accountId, credential }: Principal, now: number): Promise<Access | null> {
  const { id, type, token } = credential;
  if (type === "session")
    return isPerson(id) ? accessOfPerson(tx, accountId, id, tx) : heldSession(tx, accountId, id, now);
  if (type === "api_key") return keyWithId(tx, accountId, id, tx);
  if (type === "push") return heldPush(tx, accountId, id);
  return token === undefined ? grantWithId(tx, accountId, id, tx) : tokenWithHash(tx, token);
}

async function keyWithId(db: Reader, accountId: string, id: string, tx?: Tx): Promise<Access | null> {
  const query = db.prepared(tx ? "held_key" : "key_with_id", (one) => {
    const { apiKeys } = one.t;
    const wanted = keys(one).where(and(eq(apiKeys.id, is), eq(apiKeys.accountId, ofAccount)));
    return tx ? tx.held(wanted, apiKeys, one.t.members) : wanted;
  });
  return (await query.execute({ is: id, accountId })).map(ofKey)[0] ?? null;
}

async function grantWithId(db: Reader, accountId: string, id: string, tx?: Tx): Promise<Access | null> {
  const query = db.prepared(tx ? "held_grant" : "grant_with_id", (one) => {
    const { grants: of } = one.t;
    const wanted = grants(one).where(and(eq(of.id, is), eq(of.accountId, ofAccount)));
    return tx ? tx.held(wanted, of, one.t.members) : wanted;
  });
  return (await query.execute({ is: id, accountId })).map(ofGrant)[0] ?? null;
}

async function tokenWithHash(tx: Tx, hash: string): Promise<Access | null> {
  const query = tx.prepared("held_token", (one) =>
    tx.held(tokens(one).where(eq(one.t.accessTokens.hash, is)), one.t.grants, one.t.members),
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
  const [found] = await tx.held(sessions(tx).where(isIt), tx.t.members);
  await tx.q.update(of).set({ lastSeenAt: now }).where(isIt).returning({ id: of.id });
  return found ? ofSession(found) : null;
}

async function accessOfPerson(db: Reader, accountId: string, personId: string, tx?: Tx): Promise<Access | null> {
  const query = db.prepared(tx ? "held_member" : "access_of_person", (one) => {
    const { members } = one.t;
    const wanted = people(one).where(and(eq(members.accountId, ofAccount), eq(members.personId, is)));
    return tx ? tx.held(wanted, members) : wanted;
  });
  return (await query.execute({ is: personId, accountId })).map(ofPerson)[0] ?? null;
}
