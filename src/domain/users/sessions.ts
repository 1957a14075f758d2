import { and, desc, eq, gt, inArray, lte, ne, notInArray, or } from "drizzle-orm";
import type { Engine, Reader, Tx } from "../../../db/engine.ts";
import { DAY, MINUTE } from "../../platform/clock.ts";
import { newId } from "../../platform/ids.ts";
import { voidCodes } from "../auth/codes.ts";
import { hashOf, isSecret, newSecret } from "../auth/secrets.ts";

/** A session ends 30 days after it began, and after 7 days without a visit. */
const LIFE = { absolute: 30 * DAY, idle: 7 * DAY } as const;

/** A user who is signed in, with the account that is theirs. */
export interface Session {
  readonly id: string;
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
  /** When a mailed link proved the address. */
  readonly verifiedAt: number | null;
  /** When the password was last typed. */
  readonly authenticatedAt: number;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly browser: string;
  readonly ip: string;
}

/** How long ago the password may have been typed where something lasting is let in: a browser may be left open. */
const RECENT = 60 * MINUTE;

/** Whether the password was typed not long ago. */
export function isRecent({ authenticatedAt }: Session, now: number): boolean {
  return now - authenticatedAt <= RECENT;
}

/** Signs a browser in, under a secret it did not have before. @returns what its cookie holds from now on */
export async function openSession(
  tx: Tx,
  { now, ...session }: { accountId: string; browser: string; ip: string; now: number },
): Promise<string> {
  const { secret, hash } = newSecret("session");
  const times = { authenticatedAt: now, createdAt: now, lastSeenAt: now };
  await tx.q.insert(tx.t.sessions).values({ ...session, ...times, id: newId("ses"), hash });
  await endOldest(tx, session.accountId);
  return secret;
}

/** Most sessions of an account; the one that was not seen for longest makes room. */
const MOST = 50;

async function endOldest(tx: Tx, accountId: string): Promise<void> {
  const { sessions } = tx.t;
  const kept = tx.q
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.accountId, accountId))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.createdAt), desc(sessions.id))
    .limit(MOST);
  await tx.q.delete(sessions).where(and(eq(sessions.accountId, accountId), notInArray(sessions.id, kept)));
}

/** Who a cookie speaks for. Asked anew at every visit, so that an ended session is out at once. */
export async function sessionOf(db: Reader, secret: string, now: number): Promise<Session | null> {
  if (!isSecret("session", secret)) return null;
  const [session] = await select(db).where(and(eq(db.t.sessions.hash, hashOf(secret)), alive(db, now)));
  return session ?? null;
}

/** Notes a visit, once a minute. */
export async function touchSession(db: Engine, { id, lastSeenAt }: Session, ip: string, now: number): Promise<void> {
  if (now - lastSeenAt < MINUTE) return;
  const { sessions } = db.t;
  await db.tx((tx) => tx.q.update(sessions).set({ lastSeenAt: now, ip }).where(eq(sessions.id, id)));
}

/** The session ended while its user was doing something. */
export class SessionEnded extends Error {
  override readonly name = "SessionEnded";
}

/**
 * Asks anew, in the transaction of what a user does, whether they are still signed in: whoever was put out meanwhile
 * does nothing more. It writes, so that ending the session and this wait for each other. @throws SessionEnded
 */
export async function lockSession(tx: Tx, { id }: Session, now: number): Promise<void> {
  const { sessions } = tx.t;
  const held = await tx.q.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.id, id)).returning();
  if (held.length === 0) throw new SessionEnded();
}

/** An account's sessions that have not ended, latest visit first. */
export async function sessionsOf(db: Reader, accountId: string, now: number): Promise<Session[]> {
  const { sessions } = db.t;
  return select(db)
    .where(and(eq(sessions.accountId, accountId), alive(db, now)))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id));
}

/**
 * Ends one session of an account, and the codes that no app has fetched yet: the session may have allowed them.
 * @returns it, or null when there is no such session
 */
export async function endSession(
  tx: Tx,
  { accountId, id }: Pick<Session, "accountId" | "id">,
  now: number,
): Promise<{ browser: string } | null> {
  const { sessions } = tx.t;
  const [row] = await tx.q
    .delete(sessions)
    .where(and(eq(sessions.accountId, accountId), eq(sessions.id, id)))
    .returning();
  if (row) await voidCodes(tx, accountId, now);
  return row ?? null;
}

/** Ends an account's sessions, all or all but one; codes that no app has fetched yet go with them. */
export async function endSessions(tx: Tx, accountId: string, now: number, except?: string): Promise<void> {
  const { sessions } = tx.t;
  const others = except === undefined ? undefined : ne(sessions.id, except);
  await tx.q.delete(sessions).where(and(eq(sessions.accountId, accountId), others));
  await voidCodes(tx, accountId, now);
}

/** Forgets sessions that have ended by themselves. @returns how many, at most `most` */
export async function purgeSessions(tx: Tx, now: number, most: number): Promise<number> {
  const { sessions } = tx.t;
  const { id } = sessions;
  const isDead = or(lte(sessions.createdAt, now - LIFE.absolute), lte(sessions.lastSeenAt, now - LIFE.idle));
  const dead = tx.q.select({ id }).from(sessions).where(isDead).limit(most);
  return (await tx.q.delete(sessions).where(inArray(id, dead)).returning({ id })).length;
}

function alive({ t: { sessions } }: Reader, now: number) {
  return and(gt(sessions.createdAt, now - LIFE.absolute), gt(sessions.lastSeenAt, now - LIFE.idle));
}

function select(db: Reader) {
  const { sessions, accounts } = db.t;
  return db.q
    .select({
      id: sessions.id,
      accountId: sessions.accountId,
      email: accounts.email,
      name: accounts.name,
      verifiedAt: accounts.verifiedAt,
      authenticatedAt: sessions.authenticatedAt,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
      browser: sessions.browser,
      ip: sessions.ip,
    })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId));
}
