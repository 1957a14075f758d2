import cron from "node-cron";
import { MINUTE, SECOND } from "../../platform/clock.ts";
import { Checker, type CheckerOptions, LEASE } from "./checker.ts";

/** How often a lease is renewed within its lifetime. */
const RENEWALS = 3;
/** Pause after a failure. The usual cause is an unavailable database. */
const RETRY_MS = 3 * SECOND;
/** How long a stop waits for the running steps, in real ms. */
const GRACE_MS = 15 * SECOND;

/**
 * Starts the checker of this process. It runs when the next step is due and when it is woken. It also runs every
 * minute, so that a lost wake-up never delays a step for longer.
 */
export function startChecker(options: CheckerOptions & { scale: () => number; graceMs?: number }) {
  const checker = new Checker(options);
  const { clock, log, scale, graceMs = GRACE_MS, leaseMs = LEASE } = options;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let running: Promise<unknown> = Promise.resolve();

  const wake = (): void => {
    if (stopped) return;
    clearTimeout(timer);
    running = drainAndSchedule().catch((err) => {
      if (stopped) return;
      log.error({ err }, "the checker failed; it tries again in a few seconds");
      clearTimeout(timer);
      timer = setTimeout(wake, RETRY_MS);
    });
  };
  const drainAndSchedule = async (): Promise<void> => {
    // The timer is set during the drain too, so that a step that comes due does not wait for the running ones.
    await Promise.all([checker.drain(), setTimer(clock.service())]);
    await setTimer();
  };
  const setTimer = async (after?: number): Promise<void> => {
    if (stopped) return;
    const due = await checker.nextDue(after);
    if (stopped || due === null) return;
    clearTimeout(timer);
    timer = setTimeout(wake, Math.min(MINUTE, Math.max(1, (due - clock.service()) / scale())));
  };

  // A minute that was missed is made up for by the next one; node-cron would write of it beside the log.
  const everyMinute = cron.schedule("* * * * *", wake, { suppressMissedWarning: true });
  // Claims the steps of a crashed process, whose leases have expired by then.
  const afterCrash = setInterval(wake, leaseMs + SECOND);
  const renewal = setInterval(() => {
    checker.renew().catch((err) => log.error({ err }, "leases could not be renewed"));
  }, leaseMs / RENEWALS);
  wake();
  return {
    wake,
    /**
     * Waits up to `graceMs` for the running steps, because a step may wait for hundreds of answers. Steps that are
     * still running are then released, or another worker claims them when their lease expires. The journal tells that
     * worker which calls were made.
     */
    async stop(): Promise<void> {
      stopped = true;
      checker.halt();
      clearTimeout(timer);
      clearInterval(afterCrash);
      clearInterval(renewal);
      await everyMinute.destroy();
      let timeUp: NodeJS.Timeout | undefined;
      const grace = new Promise((resolve) => {
        timeUp = setTimeout(resolve, graceMs);
      });
      await Promise.race([running, grace]);
      clearTimeout(timeUp);
      // The database may be unavailable. A step that is not released can be claimed when its lease expires.
      await checker.abandon().catch((err) => log.error({ err }, "the running steps were not released"));
    },
  };
}
