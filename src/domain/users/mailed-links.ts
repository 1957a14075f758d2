import { and, eq, gt, inArray, isNull, lt, lte, sql } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { DAY } from "../../platform/clock.ts";
import { hashOf, isSecret, newSecret, timingSafeEquals } from "../credentials/secrets.ts";
import type { Visitor } from "./users.ts";

/** How long a mailed link is valid, in ms. */
export const LINK_LIFETIME = DAY;

/** A link is void after this many wrong passwords from another browser. */
export const MAX_WRONG_PASSWORDS = 5;

/** What a link is for. `demo` and `operator` are not mailed: the service prints them on the terminal. */
export type LinkPurpose = "sign_up" | "reset" | "address" | "demo" | "operator";

type LinkRow = Reader["t"]["mailLinks"]["$inferSelect"];

/** A valid link: not used, not void, not expired. */
export interface MailedLink extends LinkRow {
  readonly purpose: LinkPurpose;
  /** Local path to continue to. */
  readonly returnTo: string;
}

/** Whether it is the browser that requested the link. */
export function isRequestedBy({ visitorHash }: MailedLink, { hash }: Pick<Visitor, "hash">): boolean {
  return timingSafeEquals(visitorHash, hash);
}

export interface NewLink {
  readonly purpose: LinkPurpose;
  /** Normalised. */
  readonly email: string;
  /** The person who is to get the address; only for the purpose `address`. */
  readonly personId?: string;
  readonly passwordHash: string | null;
  /** The browser that requested it; null when none did. */
  readonly visitor: Visitor | null;
  readonly returnTo: string;
  /** In ms; LINK_LIFETIME by default. */
  readonly lifetime?: number;
  readonly now: number;
}

/** Creates a link. @returns its secret, to be mailed and stored nowhere */
export async function createLink(
  tx: Tx,
  { visitor, lifetime = LINK_LIFETIME, now, ...link }: NewLink,
): Promise<string> {
  const { secret, hash } = newSecret("link");
  const life = { createdAt: now, expiresAt: now + lifetime, usedAt: null, wrongPasswords: 0 };
  await tx.q.insert(tx.t.mailLinks).values({ ...link, ...life, hash, visitorHash: visitor?.hash ?? "" });
  return secret;
}

/** The valid link with a secret; null when there is none. */
export async function linkOf(db: Reader, secret: string, now: number): Promise<MailedLink | null> {
  if (!isSecret("link", secret)) return null;
  const { mailLinks } = db.t;
  const hasAttemptsLeft = lt(mailLinks.wrongPasswords, MAX_WRONG_PASSWORDS);
  const [row] = await db.q
    .select()
    .from(mailLinks)
    .where(and(isValid(db, hashOf(secret), now), hasAttemptsLeft));
  return row ? { ...row, purpose: row.purpose as LinkPurpose, returnTo: row.returnTo ?? "/dashboard" } : null;
}

/** Uses a link. @returns false when it was used or has expired meanwhile */
export async function useLink(tx: Tx, { hash }: MailedLink, now: number): Promise<boolean> {
  const used = await tx.q
    .update(tx.t.mailLinks)
    .set({ usedAt: now })
    .where(isValid(tx, hash, now))
    .returning();
  return used.length === 1;
}

/** Counts a password before it is checked. @returns how many were sent so far; null when there were too many */
export async function countPasswordAttempt(tx: Tx, { hash }: MailedLink, now: number): Promise<number | null> {
  const { mailLinks } = tx.t;
  const [row] = await tx.q
    .update(mailLinks)
    .set({ wrongPasswords: sql`${mailLinks.wrongPasswords} + 1` })
    .where(and(isValid(tx, hash, now), lt(mailLinks.wrongPasswords, MAX_WRONG_PASSWORDS)))
    .returning();
  return row?.wrongPasswords ?? null;
}

/** Voids the unused links of an address: all links, or only the links of one purpose. */
export async function voidLinks(tx: Tx, email: string, now: number, purpose?: LinkPurpose): Promise<void> {
  const { mailLinks } = tx.t;
  const hasPurpose = purpose === undefined ? undefined : eq(mailLinks.purpose, purpose);
  await tx.q
    .update(mailLinks)
    .set({ usedAt: now })
    .where(and(eq(mailLinks.email, email), isNull(mailLinks.usedAt), hasPurpose));
}

/** Voids the unused links that would give a person another address. */
export async function voidAddressLinks(tx: Tx, personId: string, now: number): Promise<void> {
  const { mailLinks } = tx.t;
  await tx.q
    .update(mailLinks)
    .set({ usedAt: now })
    .where(and(eq(mailLinks.personId, personId), isNull(mailLinks.usedAt)));
}

/** Deletes expired links, used or not. @returns how many, at most `most` */
export async function purgeLinks(tx: Tx, now: number, most: number): Promise<number> {
  const { mailLinks } = tx.t;
  const { hash } = mailLinks;
  const old = tx.q.select({ hash }).from(mailLinks).where(lte(mailLinks.expiresAt, now)).limit(most);
  return (await tx.q.delete(mailLinks).where(inArray(hash, old)).returning({ hash })).length;
}

function isValid({ t: { mailLinks } }: Reader, hash: string, now: number) {
  return and(eq(mailLinks.hash, hash), isNull(mailLinks.usedAt), gt(mailLinks.expiresAt, now));
}
