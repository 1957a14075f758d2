import { desc, gt, isNull, or } from "drizzle-orm";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from "jose";
import type { Engine, Reader, Tx } from "../../../db/engine.ts";
import { DAY } from "../../platform/clock.ts";

/** How long a retired key stays published, in ms: longer than what it signed last, which is good for 30 days. */
export const RETIRED_KEY_KEPT = 31 * DAY;

/** Age at which a key is replaced, in ms. */
const LIFE = 90 * DAY;

interface SigningKey {
  readonly kid: string;
  /** Private, ES256. */
  readonly jwk: JWK;
}

/**
 * The key that signs now, made at its first use. Two processes whose first uses fall together agree on one: where the
 * database lets both write, both keys are published and the same one signs for everybody.
 */
export async function currentKey(db: Engine, now: number): Promise<SigningKey> {
  const found = await signingKey(db);
  if (found) return found;
  // Made before the transaction: the writer waits for nobody.
  const made = await newKey();
  return db.tx(async (tx) => {
    const first = await signingKey(tx);
    if (first) return first;
    await insert(tx, made, now);
    return made;
  });
}

/** The public keys as a JWK set (RFC 7517 section 5): the current one, and those retired less than 31 days ago. */
export async function jwksOf(db: Reader, now: number): Promise<{ keys: JWK[] }> {
  const { signingKeys } = db.t;
  const rows = await db.q
    .select()
    .from(signingKeys)
    .where(or(isNull(signingKeys.retiredAt), gt(signingKeys.retiredAt, now - RETIRED_KEY_KEPT)))
    .orderBy(desc(signingKeys.createdAt), desc(signingKeys.kid));
  return { keys: rows.map(({ kid, jwk }) => published(kid, JSON.parse(jwk))) };
}

/** Makes a new key that signs from now on. @returns its id, and the ids of those it takes the place of */
export async function rotateKeys(db: Engine, now: number): Promise<{ kid: string; retired: string[] }> {
  const made = await newKey();
  return db.tx((tx) => replace(tx, made, now));
}

/** Rotates when the current key is older than 90 days. A service that has signed nothing yet needs no key. */
export async function rotateOldKeys(db: Engine, now: number): Promise<void> {
  if (!(await isOld(db, now))) return;
  const made = await newKey();
  await db.tx(async (tx) => {
    // Another process may have been quicker.
    if (await isOld(tx, now)) await replace(tx, made, now);
  });
}

async function replace(tx: Tx, made: SigningKey, now: number) {
  const { signingKeys } = tx.t;
  const retired = await tx.q
    .update(signingKeys)
    .set({ retiredAt: now })
    .where(isNull(signingKeys.retiredAt))
    .returning({ kid: signingKeys.kid });
  await insert(tx, made, now);
  return { kid: made.kid, retired: retired.map(({ kid }) => kid) };
}

async function isOld(db: Reader, now: number): Promise<boolean> {
  const [row] = await newest(db);
  return row !== undefined && row.createdAt <= now - LIFE;
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

/** Its id is its thumbprint (RFC 7638). */
async function newKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk = await exportJWK(privateKey);
  return { kid: await calculateJwkThumbprint(jwk), jwk };
}

/** Member by member: nothing private can come along (RFC 7518 section 6.2.1 names the public ones). */
function published(kid: string, { kty, crv, x, y }: JWK): JWK {
  return { kty, crv, x, y, kid, alg: "ES256", use: "sig" } as JWK;
}
