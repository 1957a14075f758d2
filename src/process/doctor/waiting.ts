import { and, eq, isNull, lte, min, or, sql } from "drizzle-orm";
import { iso, MINUTE } from "../../platform/clock.ts";
import { formatCount } from "../../platform/format.ts";
import { startCommand } from "../../platform/own-command.ts";
import type { Instance } from "../instance.ts";
import type { Check } from "./check.ts";

/** How late a mail or a message may be, in real time. A running service looks for them every second. */
const LATE_MS = 5 * MINUTE;

const REMEDY = `Start the service with \`${startCommand()}\`: it sends what is overdue first. If it is running, look at its log, and whether this machine can reach others.`;

const count = sql<number>`count(*)`.mapWith(Number);

/** Whether mail is sent in time. A mail that could not be sent waits for its next try. */
export async function checkWaitingMail({ db, clock }: Instance): Promise<Check> {
  const { mailQueue } = db.t;
  const [all] = await db.q.select({ count, oldest: min(mailQueue.createdAt) }).from(mailQueue);
  const [late] = await db.q
    .select({ count })
    .from(mailQueue)
    .where(lte(mailQueue.nextAt, clock.now() - LATE_MS));
  const found = waitingText("mail", all!, late!.count);
  return { name: "Waiting mail", ok: late!.count === 0, found, remedy: REMEDY };
}

/** Whether events reach the queues in time, and messages reach webhooks and the receivers of push notifications. */
export async function checkDeliveries({ db, clock }: Instance): Promise<Check> {
  const { events, webhookDeliveries: deliveries } = db.t;
  const lateBy = clock.now() - LATE_MS;
  const isFree = or(isNull(deliveries.leaseUntil), lte(deliveries.leaseUntil, lateBy));
  const [all] = await db.q
    .select({ count, oldest: min(deliveries.createdAt) })
    .from(deliveries)
    .where(eq(deliveries.status, "pending"));
  const [late] = await db.q
    .select({ count })
    .from(deliveries)
    .where(and(lte(deliveries.nextAt, lateBy), isFree));
  const [queued] = await db.q.select({ count }).from(events).where(lte(events.queuedAt, lateBy));
  const ok = late!.count === 0 && queued!.count === 0;
  const notHandedOn = queued!.count === 0 ? "" : `; ${formatCount(queued!.count, "event")} not handed on in time`;
  const found = `${waitingText("delivery", all!, late!.count)}${notHandedOn}`;
  return { name: "Deliveries", ok, found, remedy: REMEDY };
}

/** `3 mails wait, the oldest since 2026-01-05T12:00:00.000Z, 1 is overdue` */
function waitingText(noun: "mail" | "delivery", all: { count: number; oldest: number | null }, late: number): string {
  if (all.count === 0) return "none waits";
  const some =
    noun === "mail" ? formatCount(all.count, "mail") : `${all.count} ${all.count === 1 ? noun : "deliveries"}`;
  const verbs = all.count === 1 ? "waits" : "wait";
  return `${some} ${verbs}, the oldest since ${iso(Number(all.oldest))}, ${late === 0 ? "none" : late} overdue`;
}
