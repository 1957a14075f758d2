import { and, count, eq, inArray, lt, sql } from "drizzle-orm";
import type { Engine, Reader, Tx } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { DAY } from "../../platform/clock.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { SIZES } from "../../platform/sizes.ts";
import { fingerprintOf } from "./fingerprint.ts";

/** A session of MCP: its id, which the client sends with each request, and the credential that began it. */
export interface McpSession {
  readonly id: string;
  readonly accountId: string;
  /** Id of the API key or grant. */
  readonly maker: string;
}

/** A project, or the list of its links. */
export interface ProjectResource {
  readonly projectNo: number;
  readonly isLinks: boolean;
}

type Row = Schema["resourceSubscriptions"]["$inferSelect"];

/** A subscription, and the fingerprint that its project had then and has now. */
export interface Subscription extends ProjectResource {
  readonly session: string;
  readonly maker: string;
  readonly projectId: string;
  readonly fingerprintThen: string;
  readonly fingerprint: string;
}

/**
 * Subscribes a session to a resource. Subscribing again changes nothing.
 * @throws Refusal rate_limited when the account has as many subscriptions as it may
 */
export async function subscribe(
  tx: Tx,
  { id: session, accountId, maker }: McpSession,
  { projectNo, isLinks, fingerprint }: ProjectResource & { readonly fingerprint: string },
  now: number,
): Promise<void> {
  const { resourceSubscriptions: t, accounts } = tx.t;
  // Locks the account, so that the second of two simultaneous calls counts the first.
  await tx.q
    .update(accounts)
    .set({ events: sql`${accounts.events}` })
    .where(eq(accounts.id, accountId))
    .returning();
  const [counted] = await tx.q.select({ n: count() }).from(t).where(eq(t.accountId, accountId));
  if (counted!.n >= SIZES.subscriptionsPerAccount) {
    const message = `The account has ${SIZES.subscriptionsPerAccount} subscriptions to resources, and that is the most. Unsubscribe from some, or read the resource.`;
    throw new Refusal("rate_limited", message, {}, { "Retry-After": "60" });
  }
  const row: Row = { session, accountId, maker, projectNo, isLinks, fingerprint, createdAt: now };
  await tx.q.insert(t).values(row).onConflictDoNothing();
}

/** Ends a subscription; one that is not there is no error. */
export async function unsubscribe(tx: Tx, session: McpSession, { projectNo, isLinks }: ProjectResource): Promise<void> {
  const { resourceSubscriptions: t } = tx.t;
  await tx.q.delete(t).where(and(isOfSession(tx, session), eq(t.projectNo, projectNo), eq(t.isLinks, isLinks)));
}

/** Ends a session, with all its subscriptions. */
export async function endSession(tx: Tx, session: McpSession, now: number): Promise<void> {
  const { id, accountId, maker } = session;
  await tx.q.delete(tx.t.resourceSubscriptions).where(isOfSession(tx, session));
  await tx.q.insert(tx.t.endedSessions).values({ session: id, accountId, maker, endedAt: now }).onConflictDoNothing();
}

/** Whether its client has ended the session. */
export async function hasEnded(db: Reader, { id, maker }: McpSession): Promise<boolean> {
  const { endedSessions: t } = db.t;
  const found = db.q.select({ session: t.session }).from(t);
  return (await found.where(and(eq(t.session, id), eq(t.maker, maker)))).length > 0;
}

function isOfSession({ t: { resourceSubscriptions: t } }: Reader, { id, maker }: McpSession) {
  return and(eq(t.session, id), eq(t.maker, maker));
}

/** The subscriptions of sessions, all by one query. */
export async function subscriptionsOf(db: Reader, sessions: readonly McpSession[]): Promise<Subscription[]> {
  if (sessions.length === 0) return [];
  const { resourceSubscriptions: t, projects } = db.t;
  const ids = [...new Set(sessions.map(({ id }) => id))];
  const rows = await db.q
    .select({ subscription: t, project: projects })
    .from(t)
    .innerJoin(projects, eq(projects.no, t.projectNo))
    .where(inArray(t.session, ids));
  return rows.map(({ subscription: { session, maker, projectNo, isLinks, fingerprint: fingerprintThen }, project }) => {
    return {
      session,
      maker,
      projectNo,
      isLinks,
      projectId: project.id,
      fingerprintThen,
      fingerprint: fingerprintOf(project),
    };
  });
}

/** A project lasts weeks, and with a drip feed longer; a session hardly does. */
const KEPT = 60 * DAY;

/** A client that ends its session does not use the id again, except by mistake. */
const REFUSED = 7 * DAY;

/** Deletes subscriptions of sessions that nobody has ended, and the ids of sessions that ended long ago. */
export async function purgeSubscriptions(db: Engine, now: number): Promise<void> {
  const { resourceSubscriptions, endedSessions } = db.t;
  await db.tx(async ({ q }) => {
    await q.delete(resourceSubscriptions).where(lt(resourceSubscriptions.createdAt, now - KEPT));
    await q.delete(endedSessions).where(lt(endedSessions.endedAt, now - REFUSED));
  });
}
