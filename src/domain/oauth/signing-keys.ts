import { desc, gt, isNull, or } from "drizzle-orm";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from "jose";
import type { Engine, Reader, Tx } from "../../../db/engine.ts";
import { DAY } from "../../platform/clock.ts";

/** How long a retired key stays published, in ms: longer than the 30 days of the last assertion it signed. */
export const RETIRED_KEY_KEPT = 31 * DAY;

/** Age at which a key is replaced, in ms. */
const MAX_AGE = 90 * DAY;

interface SigningKey {
  readonly kid: string;
  /** The private key, for ES256. */
  readonly jwk: JWK;
}

/**
 * The current signing key, created at its first use. If two processes create one at the same time, both keys are
 * published, and all processes sign with the same one.
 */
export async function currentKey(db: Engine, now: number): Promise<SigningKey> {
  const found = await signingKey(db);
  if (found) return found;
  // Created before the transaction, to keep the transaction short.
  const created = await newKey();
  return db.tx(async (tx) => {
    const first = await signingKey(tx);
    if (first) return first;
    await insert(tx, created, now);
    return created;
  });
}

/** The public keys as a JWK set (RFC 7517 section 5): the current key, and the keys retired less than 31 days ago. */
export async function jwksOf(db: Reader, now: number): Promise<{ keys: JWK[] }> {
  const { signingKeys } = db.t;
  const rows = await db.q
    .select()
    .from(signingKeys)
    .where(or(isNull(signingKeys.retiredAt), gt(signingKeys.retiredAt, now - RETIRED_KEY_KEPT)))
    .orderBy(desc(signingKeys.createdAt), desc(signingKeys.kid));
  return { keys: rows.map(({ kid, jwk }) => published(kid, JSON.parse(jwk))) };
}

/** Creates a new current key. @returns its id, and the ids of the keys that it retires */
export async function rotateKeys(db: Engine, now: number): Promise<{ kid: string; retired: string[] }> {
  const created = await newKey();
  return db.tx((tx) => replace(tx, created, now));
}

/** Replaces the current key if it is older than 90 days. A service that has no key yet gets none. */
export async function rotateOldKeys(db: Engine, now: number): Promise<void> {
  if (!(await isOld(db, now))) return;
  const created = await newKey();
  await db.tx(async (tx) => {
    // Another process may have replaced it meanwhile.
    if (await isOld(tx, now)) await replace(tx, created, now);
  });
}

async function replace(tx: Tx, created: SigningKey, now: number) {
  const { signingKeys } = tx.t;
  const retired = await tx.q
    .update(signingKeys)
    .set({ retiredAt: now })
    .where(isNull(signingKeys.retiredAt))
    .returning({ kid: signingKeys.kid });
  await insert(tx, created, now);
  return { kid: created.kid, retired: retired.map(({ kid }) => kid) };
}

async function isOld(db: Reader, now: number): Promise<boolean> {
  const [row] = await newest(db);
  return row !== undefined && row.createdAt <= now - MAX_AGE;
}

async function signingKey(db: Reader): Promise<SigningKey | null> {
  const [row] = await newest(db);
  return row ? { kid: row.kid, jwk: JSON.parse(row.jwk) } : null;
}

function newest(db: Reader) {
  const { signingKeys } = db.t;
  return db.q
    .select()
    .from(signingKeys)
    .where(isNull(signingKeys.retiredAt))
    .orderBy(desc(signingKeys.createdAt), desc(signingKeys.kid))
    .limit(1);
}

async function insert(tx: Tx, { kid, jwk }: SigningKey, now: number): Promise<void> {
  await tx.q.insert(tx.t.signingKeys).values({ kid, jwk: JSON.stringify(jwk), createdAt: now, retiredAt: null });
}

/** Creates a key pair, whose id is its JWK thumbprint (RFC 7638). */
async function newKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk = await exportJWK(privateKey);
  return { kid: await calculateJwkThumbprint(jwk), jwk };
}

/** The public key. It picks the public members (RFC 7518 section 6.2.1), so that no private one can leak. */
function published(kid: string, { kty, crv, x, y }: JWK): JWK {
  return { kty, crv, x, y, kid, alg: "ES256", use: "sig" } as JWK;
}
