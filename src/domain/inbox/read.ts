import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { CHECK_DAYS } from "../../platform/check-days.ts";
import { DAY } from "../../platform/clock.ts";
import {
  type InboxKind,
  type InboxOwner,
  type InboxTimes,
  isFailingConnection,
  isFailingWebhook,
  isHeldRun,
  isInInbox,
  isWaitingApproval,
  openResults,
} from "./waiting.ts";

type ProjectRow = Schema["projects"]["$inferSelect"];

/** The first things of each kind, as many as a page shows: the earliest deadline first, then the newest. */
export async function readInbox(
  db: Reader,
  owner: InboxOwner,
  { limits, ...times }: InboxTimes & { readonly limits: Readonly<Record<InboxKind, number>> },
) {
  const { approvals, watches, connections, webhooks } = db.t;
  const { newest, at, isThere } = openResults(db, owner, times);
  const most = (kind: InboxKind) => (isInInbox(owner, kind) ? limits[kind] : 0);
  return {
    approvals: await db.q
      .select()
      .from(approvals)
      .where(isWaitingApproval(db, owner, times))
      .orderBy(asc(approvals.expiresAt), asc(approvals.id))
      .limit(most("approvals")),
    runs: await db.q
      .select({ id: watches.id })
      .from(watches)
      .where(isHeldRun(db, owner))
      .orderBy(asc(watches.no))
      .limit(most("runs")),
    connections: await db.q
      .select({
        ...{ id: connections.id, kind: connections.kind, name: connections.name },
        ...{ since: connections.failingSince, failure: connections.failure },
      })
      .from(connections)
      .where(isFailingConnection(db, owner))
      .orderBy(asc(connections.failingSince), asc(connections.id))
      .limit(most("connections")),
    webhooks: await db.q
      .select()
      .from(webhooks)
      .where(isFailingWebhook(db, owner, times))
      .orderBy(asc(webhooks.createdAt), asc(webhooks.id))
      .limit(most("webhooks")),
    results: await db.q
      .select({
        id: newest.id,
        name: newest.name,
        total: newest.total,
        found: newest.indexed,
        returned: newest.creditsReturned,
        isFinal: sql`CASE WHEN ${newest.completedAt} IS NULL THEN 0 ELSE 1 END`.mapWith(Boolean),
        at,
      })
      .from(newest)
      .where(isThere)
      .orderBy(desc(at), desc(newest.no))
      .limit(most("results")),
  };
}

/** Whether a project may have results that nobody has opened, as far as its row says. */
export function mayHaveResults(project: ProjectRow, service: number): boolean {
  const { kind, createdAt, dripDays, completedAt, openedAt } = project;
  const at = completedAt ?? createdAt + (dripDays + CHECK_DAYS.first) * DAY;
  return kind === "index" && at <= service && (openedAt === null || openedAt < at);
}

/** Takes the results of one project out of the inbox, or all of them. */
export async function seeResults(tx: Tx, owner: InboxOwner, times: InboxTimes, projectId?: string): Promise<void> {
  const { projects } = tx.t;
  const { newest, isThere } = openResults(tx, owner, times);
  const isMeant = projectId === undefined ? undefined : eq(newest.id, projectId);
  const open = tx.q.select({ no: newest.no }).from(newest).where(and(isThere, isMeant));
  await tx.q
    .update(projects)
    .set({ openedAt: times.service })
    .where(inArray(projects.no, open))
    .returning({ no: projects.no });
}
