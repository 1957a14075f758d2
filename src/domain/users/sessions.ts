import { and, desc, eq, exists, gt, inArray, lte, ne, notInArray, or, type Placeholder, sql } from "drizzle-orm";
import type { Engine, Reader, Tx } from "../../../db/engine.ts";
import { MINUTE } from "../../platform/clock.ts";
import { newId } from "../../platform/ids.ts";
import type { Role } from "../../platform/principal.ts";
import type { Need } from "../../platform/roles.ts";
import { heldAccess } from "../credentials/access.ts";
import { SESSION_LIFETIME } from "../credentials/access-rows.ts";
import { endOf, principalOfSession, requireRole } from "../credentials/may-act.ts";
import { hashOf, isSecret, newSecret } from "../credentials/secrets.ts";
import { voidCodes } from "../oauth/codes.ts";
import { accountsOfPerson } from "../people/members.ts";

/** A browser in which a person is signed in, and has chosen one of their accounts. */
export interface Session {
  readonly id: string;
  readonly personId: string;
  readonly email: string;
  readonly accountId: string;
  /** The name of the account. */
  readonly name: string;
  readonly role: Role;
  /** How many accounts the person may choose. */
  readonly accounts: number;
  /** When a mailed link verified the address. */
  readonly verifiedAt: number | null;
  /** When the password was last entered, or the issuer was last shown who it is; 0: it does not say. */
  readonly authenticatedAt: number;
  /** When a passkey or a code was last shown in it; null: it began with the password alone. */
  readonly factorAt: number | null;
  /** Whether the person has a passkey or an authenticator app. */
  readonly hasFactor: boolean;
  /** When the account will be deleted, as an owner requested; null when it is not. */
  readonly deletionDueAt: number | null;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly browser: string;
  readonly ip: string;
}

/** How recently users must have proved who they are to grant lasting access, in ms: a browser may be left open. */
const RECENT = 60 * MINUTE;

/**
 * Whether the user has proved recently who they are: by a passkey or a code where the account has one, else by the
 * password. Asked before whatever spends, connects, or changes how one signs in; where it is not so, `confirmIdentity` of
 * the website asks for it.
 * @param within ms
 */
export function isRecent({ authenticatedAt, factorAt, hasFactor }: Session, now: number, within = RECENT): boolean {
  const provedAt = hasFactor ? factorAt : authenticatedAt;
  return provedAt !== null && now - provedAt <= within;
}

/** Whether the session began, or was confirmed, by the password recently. */
export function isPasswordRecent({ authenticatedAt }: Session, now: number): boolean {
  return now - authenticatedAt <= RECENT;
}

interface NewSession {
  readonly personId: string;
  readonly browser: string;
  readonly ip: string;
  /** When the user proved who they are by the password or to the issuer; default: now. */
  readonly authenticatedAt?: number;
  /** When the user has shown a factor for it. */
  readonly factorAt?: number | null;
  readonly now: number;
}

/**
 * Signs a browser in with a new secret, which prevents session fixation, to the account that the person chose last.
 * @returns the secret for its cookie
 */
export async function openSession(
  tx: Tx,
  { now, authenticatedAt = now, factorAt = null, ...session }: NewSession,
): Promise<string> {
  const { secret, hash } = newSecret("session");
  const times = { authenticatedAt, factorAt, createdAt: now, lastSeenAt: now };
  const [accountId] = await accountsOfPerson(tx, session.personId);
  await tx.q.insert(tx.t.sessions).values({ ...session, ...times, accountId: accountId!, id: newId("ses"), hash });
  await endOldest(tx, session.personId);
  return secret;
}

/** Gives a session a new secret, after its user has proved who they are. @throws SessionEnded @returns the secret for its cookie */
export async function renewSession(tx: Tx, { id }: Session, now: number): Promise<string> {
  const { sessions } = tx.t;
  const { secret, hash } = newSecret("session");
  const set = { hash, authenticatedAt: now, lastSeenAt: now };
  const renewed = await tx.q.update(sessions).set(set).where(eq(sessions.id, id)).returning();
  if (renewed.length === 0) throw new SessionEnded();
  return secret;
}

/** Most sessions of a person; a new one ends the one that was idle longest. */
const MOST = 50;

async function endOldest(tx: Tx, personId: string): Promise<void> {
  const { sessions } = tx.t;
  const kept = tx.q
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.personId, personId))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.createdAt), desc(sessions.id))
    .limit(MOST);
  await tx.q.delete(sessions).where(and(eq(sessions.personId, personId), notInArray(sessions.id, kept)));
}

/** The session of a cookie. Read at every request, so that ending a session takes effect at once. */
export async function sessionOf(db: Reader, secret: string, now: number): Promise<Session | null> {
  if (!isSecret("session", secret)) return null;
  const query = db.prepared("session", (one) => {
    const isIts = eq(one.t.sessions.hash, sql.placeholder("hash"));
    const isAlive = aliveSince(one, sql.placeholder("created"), sql.placeholder("seen"));
    return select(one).where(and(isIts, isAlive));
  });
  const [session] = await query.execute({ hash: hashOf(secret), ...oldestAlive(now) });
  return session ?? null;
}

/**
 * Records that the user of a session has shown a factor, and gives it a new secret, so that a stolen copy of the old cookie
 * gains nothing. @returns the secret for its cookie @throws SessionEnded
 */
export async function recordFactorShown(tx: Tx, { id }: Session, now: number): Promise<string> {
  const { secret, hash } = newSecret("session");
  const { sessions } = tx.t;
  const renewed = await tx.q.update(sessions).set({ hash, factorAt: now }).where(eq(sessions.id, id)).returning();
  if (renewed.length === 0) throw new SessionEnded();
  return secret;
}

/** Records that a session was used, at most once a minute. */
export async function touchSession(db: Engine, { id, lastSeenAt }: Session, ip: string, now: number): Promise<void> {
  if (now - lastSeenAt < MINUTE) return;
  const { sessions } = db.t;
  await db.tx((tx) => tx.q.update(sessions).set({ lastSeenAt: now, ip }).where(eq(sessions.id, id)));
}

/** The session ended while one of its requests was running. */
export class SessionEnded extends Error {
  override readonly name = "SessionEnded";
}

/**
 * Asks again, in the transaction of a user's action, whether the session may still act: it has not ended meanwhile, the deletion
 * of the account was not requested in it, and the role that the person has now allows it.
 * @throws SessionEnded; Refusal insufficient_scope
 */
export async function lockSession(tx: Tx, session: Session, now: number, need: Need = "own"): Promise<void> {
  const access = await heldAccess(tx, principalOfSession(session), now);
  const act = { scopes: [], whileLeaving: session.deletionDueAt !== null, now };
  if (endOf(access, act) !== null) throw new SessionEnded();
  requireRole(access!.role!, need);
}

/** A person's sessions that have not ended, last used first. */
export async function sessionsOf(db: Reader, personId: string, now: number): Promise<Session[]> {
  const { sessions } = db.t;
  return select(db)
    .where(and(eq(sessions.personId, personId), isAlive(db, now)))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id));
}

/**
 * Ends one session of a person, and voids authorization codes not exchanged yet: the session may have approved them.
 * @returns the session's browser; null when there is no such session
 */
export async function endSession(
  tx: Tx,
  { personId, id }: Pick<Session, "personId" | "id">,
  now: number,
): Promise<{ browser: string } | null> {
  const { sessions } = tx.t;
  const [row] = await tx.q
    .delete(sessions)
    .where(and(eq(sessions.personId, personId), eq(sessions.id, id)))
    .returning();
  if (row) await voidCodes(tx, { personId }, now);
  return row ?? null;
}

/**
 * Ends a person's sessions, all or all but one, and the sign-ins that wait for a factor, and voids the authorization codes not
 * exchanged yet.
 */
export async function endSessions(tx: Tx, personId: string, now: number, except?: string): Promise<void> {
  const { sessions } = tx.t;
  const others = except === undefined ? undefined : ne(sessions.id, except);
  await tx.q.delete(sessions).where(and(eq(sessions.personId, personId), others));
  await tx.q.delete(tx.t.pendingSignIns).where(eq(tx.t.pendingSignIns.personId, personId));
  await voidCodes(tx, { personId }, now);
}

/** Ends the sessions in which people have chosen an account, all but one, and voids its authorization codes not exchanged yet. */
export async function endSessionsIn(tx: Tx, accountId: string, now: number, except: string): Promise<void> {
  const { sessions } = tx.t;
  await tx.q.delete(sessions).where(and(eq(sessions.accountId, accountId), ne(sessions.id, except)));
  await voidCodes(tx, { accountId }, now);
}

/** Deletes expired sessions. @returns how many, at most `most` */
export async function purgeSessions(tx: Tx, now: number, most: number): Promise<number> {
  const { sessions } = tx.t;
  const { id } = sessions;
  const isExpired = or(
    lte(sessions.createdAt, now - SESSION_LIFETIME.absolute),
    lte(sessions.lastSeenAt, now - SESSION_LIFETIME.idle),
  );
  const expired = tx.q.select({ id }).from(sessions).where(isExpired).limit(most);
  return (await tx.q.delete(sessions).where(inArray(id, expired)).returning({ id })).length;
}

/** The earliest times at which a session that is still valid may have begun, and may have been used last. */
function oldestAlive(now: number) {
  return { created: now - SESSION_LIFETIME.absolute, seen: now - SESSION_LIFETIME.idle };
}

function isAlive(db: Reader, now: number) {
  const { created, seen } = oldestAlive(now);
  return aliveSince(db, created, seen);
}

function aliveSince({ t: { sessions } }: Pick<Reader, "t">, created: number | Placeholder, seen: number | Placeholder) {
  return and(gt(sessions.createdAt, created), gt(sessions.lastSeenAt, seen));
}

function select(db: Pick<Reader, "q" | "t">) {
  const { sessions, accounts, people, members, passkeys, authenticatorApps, accountDeletions } = db.t;
  const ofPerson = (table: typeof passkeys | typeof authenticatorApps) =>
    exists(
      db.q
        .select({ one: sql`1` })
        .from(table as typeof passkeys)
        .where(eq(table.personId, people.id)),
    );
  const accountsOf = db.q
    .select({ accounts: sql`count(*)` })
    .from(members)
    .where(eq(members.personId, sessions.personId));
  const hasFactor = or(ofPerson(passkeys), ofPerson(authenticatorApps));
  return db.q
    .select({
      id: sessions.id,
      personId: sessions.personId,
      email: people.email,
      accountId: sessions.accountId,
      name: accounts.name,
      role: sql<Role>`${members.role}`,
      accounts: sql`${accountsOf}`.mapWith(Number),
      verifiedAt: people.verifiedAt,
      authenticatedAt: sessions.authenticatedAt,
      factorAt: sessions.factorAt,
      hasFactor: sql`CASE WHEN ${hasFactor} THEN 1 ELSE 0 END`.mapWith(Boolean),
      deletionDueAt: accountDeletions.dueAt,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
      browser: sessions.browser,
      ip: sessions.ip,
    })
    .from(sessions)
    .innerJoin(people, eq(people.id, sessions.personId))
    .innerJoin(members, and(eq(members.accountId, sessions.accountId), eq(members.personId, sessions.personId)))
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .leftJoin(accountDeletions, eq(accountDeletions.accountId, sessions.accountId));
}
