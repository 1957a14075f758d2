import { and, asc, eq, gt, lte } from "drizzle-orm";
import type { Engine, Tx } from "../../../db/engine.ts";
import { HOUR } from "../../platform/clock.ts";
import type { EventRow } from "../events/events.ts";
import type { EventData } from "../events/types.ts";
import { projectsCompleted } from "../mail/templates/projects-completed.ts";
import { type NoticeDeps, type Recipient, recipientsOf } from "./recipients.ts";
import { unsubscribeUrl } from "./unsubscribe.ts";

/** The time between two mails about completed projects to one account, in ms. */
const GAP = HOUR;

/** Digests of one transaction. */
const BATCH = 50;

/** Tells an account of completed projects: at once, or in the mail of this hour if it was told within the last one. */
export async function tellOfProjects(
  tx: Tx,
  deps: NoticeDeps,
  { recipient, completed, now }: { recipient: Recipient; completed: readonly EventRow[]; now: number },
): Promise<void> {
  const last = completed.at(-1);
  if (!last) return;
  const { noticeDigests } = tx.t;
  const accountId = recipient.id;
  const [open] = await tx.q.select().from(noticeDigests).where(eq(noticeDigests.accountId, accountId));
  if (open) return;
  await tx.q.insert(noticeDigests).values({ accountId, afterNo: last.no, dueAt: now + GAP });
  await queueMail(tx, deps, recipient, completed);
}

/**
 * Sends the mails that are due about projects that were completed after the last one; runs every minute.
 * @param now real time
 */
export async function sendDueDigests(db: Engine, deps: NoticeDeps, now: number): Promise<void> {
  const { noticeDigests } = db.t;
  const isDue = lte(noticeDigests.dueAt, now);
  const due = () => db.q.select().from(noticeDigests).where(isDue).orderBy(asc(noticeDigests.dueAt)).limit(BATCH);
  for (let rows = await due(); rows.length > 0; rows = await due())
    for (const { accountId } of rows) await db.tx((tx) => sendDigest(tx, deps, accountId, now));
}

async function sendDigest(tx: Tx, deps: NoticeDeps, accountId: string, now: number): Promise<void> {
  const { noticeDigests, events } = tx.t;
  const isIts = eq(noticeDigests.accountId, accountId);
  const [digest] = await tx.q
    .select()
    .from(noticeDigests)
    .where(and(isIts, lte(noticeDigests.dueAt, now)));
  if (!digest) return;
  const isNew = and(
    eq(events.accountId, accountId),
    gt(events.no, digest.afterNo),
    eq(events.type, "project.completed"),
  );
  const completed = await tx.q.select().from(events).where(isNew).orderBy(asc(events.no));
  const [recipient] = await recipientsOf(tx, [accountId]);
  const last = completed.at(-1);
  // After an hour without a completed project, the next one is told at once.
  if (!last || !recipient) await tx.q.delete(noticeDigests).where(isIts);
  else {
    await tx.q
      .update(noticeDigests)
      .set({ afterNo: last.no, dueAt: now + GAP })
      .where(isIts);
    await queueMail(tx, deps, recipient, completed);
  }
}

async function queueMail(
  tx: Tx,
  deps: NoticeDeps,
  recipient: Recipient,
  completed: readonly EventRow[],
): Promise<void> {
  if (recipient.off.has("projects")) return;
  const { siteUrl, mailer } = deps;
  const unsubscribe = unsubscribeUrl(deps, { accountId: recipient.id, kind: "projects" });
  const projects = completed.map(({ data }) => JSON.parse(data) as EventData["project.completed"]);
  await mailer.queue(tx, projectsCompleted({ to: recipient.email, siteUrl, unsubscribe }, projects));
}
