import { resealSecrets } from "../../db/sealed-secrets.ts";
import type { Services } from "../contract/call.ts";
import { purgeRegistrations } from "../domain/agents/purge.ts";
import { purgeIdempotency } from "../domain/calls/idempotency-keys.ts";
import { purgeKeyUsage } from "../domain/calls/key-usage.ts";
import { purgeAttempts } from "../domain/connections/attempts.ts";
import { purgeCoverage } from "../domain/coverage/purge.ts";
import { deleteAccounts } from "../domain/deletion/delete-account.ts";
import { purgeEvents } from "../domain/events/events.ts";
import { purgeExports } from "../domain/exports/file.ts";
import { purgeChallenges } from "../domain/factors/challenges.ts";
import { purgeWindows } from "../domain/limits/window.ts";
import type { Mailer } from "../domain/mail/mailer.ts";
import { purgeAuth } from "../domain/oauth/purge.ts";
import { forgetSuccessors } from "../domain/oauth/successors.ts";
import { purgeAddressUndos } from "../domain/people/address-undos.ts";
import { purgeSubscriptions } from "../domain/projects/resource-subscriptions.ts";
import { purgeSecurityEvents } from "../domain/security-log/security-log.ts";
import { purgeShares } from "../domain/shares/shares.ts";
import { purgeApprovals } from "../domain/spending/approvals.ts";
import { purgeEventSubscriptions } from "../domain/subscriptions/subscriptions.ts";
import { purgeTasks } from "../domain/tasks/purge.ts";
import { removeLostFactors } from "../domain/users/lost-factors.ts";
import { purgeSessionsAndLinks } from "../domain/users/purge.ts";
import { pauseWatchesOfEnded } from "../domain/watches/ended-makers.ts";
import { purgeDeliveries } from "../domain/webhooks/queue.ts";
import { purgeSiteFailures } from "../indexing/providers/purge.ts";
import { purgeVisits } from "../indexing/visits/visits.ts";
import { HOUR, MINUTE } from "../platform/clock.ts";
import { secretBoxOf } from "../platform/config/secrets-key.ts";
import type { Log } from "../surfaces/http-server/log.ts";
import { recordDisk } from "./doctor/disk.ts";
import { purgeSlots } from "./scheduler/claim-slot.ts";
import { startRecurring } from "./scheduler/recurring.ts";

/** The services that the jobs below need. */
type HousekeepingServices = Pick<Services, "db" | "clock" | "config"> & { readonly mailer: Mailer };

/**
 * Deletes what has expired, carries out requested deletions, and seals secrets again with the current key. Every hour
 * of real time, one of all processes does so. The first run comes a minute after the start, so that it also happens
 * where services are restarted often. The successors of refresh tokens are forgotten every minute.
 * @returns stop, which waits for the run under way
 */
export function startHousekeeping(
  { db, clock, config, mailer }: HousekeepingServices,
  log: Log,
  node?: string,
): () => Promise<void> {
  const failed = (err: unknown) => log.error({ err }, "housekeeping failed; retrying in an hour");
  const work = async () => {
    // If one fails, the others still run.
    for (const purge of [
      purgeRegistrations,
      purgeAuth,
      purgeWindows,
      purgeSecurityEvents,
      purgeKeyUsage,
      purgeEvents,
      purgeDeliveries,
      purgeEventSubscriptions,
      purgeExports,
      purgeSessionsAndLinks,
      purgeAddressUndos,
      purgeChallenges,
      purgeIdempotency,
      purgeTasks,
      purgeApprovals,
      purgeShares,
      purgeSubscriptions,
      purgeSlots,
      purgeAttempts,
      purgeSiteFailures,
      purgeVisits,
      pauseWatchesOfEnded,
    ])
      await purge(db, clock.now()).catch(failed);
    await purgeCoverage(db, clock.service()).catch(failed);
    const mailed = { db, mailer, siteUrl: config.siteUrl };
    await removeLostFactors(mailed, clock.now()).catch(failed);
    await deleteAccounts(mailed, { now: clock.now(), service: clock.service() }).catch(failed);
    await resealSecrets(db, secretBoxOf(config)).catch(failed);
    await recordDisk(db, config.databaseUrl, clock.now()).catch(failed);
  };
  const stops = [startRecurring(db, { job: "housekeeping", node, periodMs: HOUR, firstMs: MINUTE, work, failed })];
  const { refreshOverlapMs } = config;
  if (refreshOverlapMs > 0) {
    // An hour would be long for a text that opens to a token.
    const forget = () => forgetSuccessors(db, clock.now() - refreshOverlapMs);
    const forgetting = { job: "forget-successors", node, periodMs: MINUTE, firstMs: MINUTE, work: forget };
    const notForgotten = (err: unknown) =>
      log.error({ err }, "used refresh tokens still lead to the next ones; retrying");
    stops.push(startRecurring(db, { ...forgetting, failed: notForgotten }));
  }
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
