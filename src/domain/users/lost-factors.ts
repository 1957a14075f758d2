import { formatTime } from "../../platform/format.ts";
import { deleteFactors, factorsOf, hasFactor } from "../factors/factors.ts";
import {
  cancelRemoval,
  dueRemovals,
  removalByLink,
  requestRemoval,
  takeDueRemoval,
  takeReminders,
} from "../factors/removals.ts";
import { factorsRemoved } from "../mail/templates/factors-removed.ts";
import { removalReminder } from "../mail/templates/removal-reminder.ts";
import { removalRequested } from "../mail/templates/removal-requested.ts";
import { undoableUntil } from "../people/address-undos.ts";
import { personById } from "../people/people.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";
import type { UserServices, Visitor } from "./users.ts";

/** Most people whose removal one round carries out, and most that it reminds. */
const BATCH = 100;

type MailServices = Pick<UserServices, "db" | "mailer" | "siteUrl">;

/**
 * Begins the removal of all factors of a person who has entered the password and lost everything else. It is
 * carried out after seven days, in which the person is mailed every day and can cancel it.
 * @returns false when one is under way already, or there is nothing to remove
 */
export async function requestFactorRemoval(
  { db, mailer, siteUrl }: MailServices,
  { personId, visitor: { browser, ip }, now }: { personId: string; visitor: Visitor; now: number },
): Promise<boolean> {
  return db.tx(async (tx) => {
    if (!hasFactor(await factorsOf(tx, personId))) return false;
    const requested = await requestRemoval(tx, personId, now);
    if (!requested) return false;
    await recordSecurityEvent(tx, { personId, kind: "removal_requested", subject: browser, ip, now });
    const { email } = await personById(tx, personId);
    const link = `${siteUrl}/sign-in/lost/cancel?link=${requested.secret}`;
    await mailer.queue(tx, removalRequested(email, { link, due: formatTime(requested.dueAt) }));
    return true;
  });
}

/** Cancels a removal by its mailed link. @returns false when there is none any more */
export async function cancelRemovalByLink(
  { db }: MailServices,
  { link, visitor: { browser, ip }, now }: { link: string; visitor: Visitor; now: number },
): Promise<boolean> {
  return db.tx(async (tx) => {
    const removal = await removalByLink(tx, link);
    if (!removal || !(await cancelRemoval(tx, removal.personId))) return false;
    const { personId } = removal;
    await recordSecurityEvent(tx, { personId, kind: "removal_cancelled", subject: browser, ip, now });
    return true;
  });
}

/** Carries out the removals that are due, and reminds of the others; runs every hour. */
export async function removeLostFactors(services: MailServices, now: number): Promise<void> {
  for (const { personId } of await dueRemovals(services.db, now, BATCH)) await carryOut(services, personId, now);
  const { db, mailer, siteUrl } = services;
  await db.tx(async (tx) => {
    for (const { personId, dueAt } of await takeReminders(tx, now, BATCH)) {
      const { email } = await personById(tx, personId);
      await mailer.queue(tx, removalReminder(email, { due: formatTime(dueAt), siteUrl }));
    }
  });
}

async function carryOut({ db, mailer, siteUrl }: MailServices, personId: string, now: number): Promise<void> {
  await db.tx(async (tx) => {
    // It waits until no change of address can be undone any more.
    if ((await undoableUntil(tx, personId, now)) !== null) return;
    if (!(await takeDueRemoval(tx, personId, now))) return;
    await deleteFactors(tx, personId);
    await recordSecurityEvent(tx, { personId, kind: "factors_removed", subject: "", now });
    const { email } = await personById(tx, personId);
    await mailer.queue(tx, factorsRemoved(email, { siteUrl }));
  });
}
