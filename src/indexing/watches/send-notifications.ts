import { runnerOf } from "../../domain/watches/maker.ts";
import { claimNotifications, finishNotifications, type RunToNotify } from "../../domain/watches/notifications.ts";
import type { Notifications } from "../../domain/watches/runs.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { SIZES } from "../../platform/sizes.ts";
import { type NotificationDeps, notifyUrls } from "../sites/notify-urls.ts";

/**
 * Tells engines of the pages that runs have found to be changed or gone. A notification is recorded after it was
 * sent. A process that is killed in between sends it again, and engines treat it as the same one.
 */
export async function sendNotifications(deps: NotificationDeps, signal: AbortSignal): Promise<void> {
  const { db, clock } = deps;
  while (!signal.aborted) {
    const run = await claimNotifications(db, clock.service());
    if (!run) return;
    // What a maker may not do any more is not done later either.
    const mayNotify = typeof (await runnerOf(db, run, clock.now())) !== "string";
    const outcome = mayNotify ? await notify(deps, run) : NOTHING;
    await db.tx((tx) => finishNotifications(tx, run, { ...outcome, service: clock.service() }));
  }
}

const NOTHING = { notified: 0, left: { updated: [], deleted: [] } };

async function notify(deps: NotificationDeps, run: RunToNotify): Promise<{ notified: number; left: Notifications }> {
  const left = { updated: [] as string[], deleted: [] as string[] };
  let notified = 0;
  for (const event of ["updated", "deleted"] as const) {
    const all = run.urls[event];
    for (let from = 0; from < all.length; from += SIZES.urlsPerNotification) {
      const urls = all.slice(from, from + SIZES.urlsPerNotification);
      const receipts = await notifyUrls(deps, { accountId: run.accountId, urls, event }).catch((thrown) => {
        if (thrown instanceof Refusal && thrown.code === "rate_limited") return null;
        throw thrown;
      });
      if (receipts === null) left[event].push(...urls);
      for (const { url, engines } of receipts ?? []) {
        const statuses = Object.values(engines).map(({ status }) => status);
        if (statuses.includes("sent")) notified += 1;
        else if (statuses.includes("failed")) left[event].push(url);
      }
    }
  }
  return { notified, left };
}
