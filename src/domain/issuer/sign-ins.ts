import { createHmac } from "node:crypto";
import { and, eq, gt, inArray, lte } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import { MINUTE } from "../../platform/clock.ts";
import { hashOf, isSecret, newSecret } from "../credentials/secrets.ts";
import type { Handshake } from "./issuer.ts";

/** How long somebody may stay at the issuer, in ms. */
export const ISSUER_SIGN_IN_LIFETIME = 15 * MINUTE;

/** Why a browser goes to the issuer: to sign in, to prove again who somebody is, or to connect an account. */
export type IssuerPurpose = "sign_in" | "confirm" | "connect";

/** A browser that has come back from the issuer. */
export interface IssuerReturn extends Handshake {
  readonly purpose: IssuerPurpose;
  readonly returnTo: string;
  /** When it went there. */
  readonly createdAt: number;
}

interface Departure {
  readonly purpose: IssuerPurpose;
  /** The secret in the browser's session cookie: nonce and verifier are made from it, and stored nowhere. */
  readonly browserSecret: string;
  readonly returnTo: string;
  readonly now: number;
}

/** Notes that a browser goes to the issuer. */
export async function noteDeparture(tx: Tx, { browserSecret, now, ...departure }: Departure): Promise<Handshake> {
  const { secret: state, hash: stateHash } = newSecret("state");
  const times = { createdAt: now, expiresAt: now + ISSUER_SIGN_IN_LIFETIME };
  const row = { ...departure, ...times, stateHash, visitorHash: hashOf(browserSecret) };
  await tx.q.insert(tx.t.issuerSignIns).values(row);
  return handshakeOf(state, browserSecret);
}

/** Takes the note of a browser that comes back, so that each is answered once. @returns null when this browser left none lately */
export async function takeReturn(
  tx: Tx,
  { state, browserSecret, now }: { state: string; browserSecret: string; now: number },
): Promise<IssuerReturn | null> {
  if (!isSecret("state", state)) return null;
  const { issuerSignIns } = tx.t;
  const isIts = eq(issuerSignIns.visitorHash, hashOf(browserSecret));
  const [row] = await tx.q
    .delete(issuerSignIns)
    .where(and(eq(issuerSignIns.stateHash, hashOf(state)), isIts, gt(issuerSignIns.expiresAt, now)))
    .returning();
  if (!row) return null;
  const { purpose, returnTo, createdAt } = row;
  return { purpose: purpose as IssuerPurpose, returnTo, createdAt, ...handshakeOf(state, browserSecret) };
}

/** Deletes notes of browsers that have not come back in time. @returns how many, at most `most` */
export async function purgeDepartures(tx: Tx, now: number, most: number): Promise<number> {
  const { issuerSignIns } = tx.t;
  const { stateHash, expiresAt } = issuerSignIns;
  const expired = tx.q.select({ stateHash }).from(issuerSignIns).where(lte(expiresAt, now)).limit(most);
  return (await tx.q.delete(issuerSignIns).where(inArray(stateHash, expired)).returning({ stateHash })).length;
}

function handshakeOf(state: string, browserSecret: string): Handshake {
  const made = (what: string) => createHmac("sha256", browserSecret).update(`${what} ${state}`).digest("base64url");
  return { state, nonce: made("nonce"), verifier: made("verifier") };
}
