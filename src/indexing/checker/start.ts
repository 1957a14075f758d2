import cron from "node-cron";
import { MINUTE, SECOND } from "../../platform/clock.ts";
import { Checker, type CheckerOptions, LEASE } from "./checker.ts";

/** The claims of running steps are renewed so often in the time that they hold. */
const RENEWALS = 3;
/** How long after a failure, mostly because the database is away, it tries again. */
const RETRY_MS = 3 * SECOND;
/** How long a stop waits for the steps in hand, in real ms. */
const GRACE = 15 * SECOND;

/**
 * Starts the checker of this process. It runs when the next step is due and when it is woken; cron runs it every minute
 * as well, so that nothing waits for ever for a wake-up that was lost.
 */
export function startChecker(options: CheckerOptions & { scale: () => number; graceMs?: number }) {
  const checker = new Checker(options);
  const { clock, log, scale, graceMs = GRACE, leaseMs = LEASE } = options;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let running: Promise<unknown> = Promise.resolve();

  const wake = (): void => {
    if (stopped) return;
    clearTimeout(timer);
    running = turn().catch((err) => {
      if (stopped) return;
      log.error({ err }, "the checker failed; it tries again in a few seconds");
      clearTimeout(timer);
      timer = setTimeout(wake, RETRY_MS);
    });
  };
  const turn = async (): Promise<void> => {
    // What comes due while the steps in hand wait for their upstreams does not wait with them.
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

  const net = cron.schedule("* * * * *", wake);
  // What a process that died had claimed, here just before or elsewhere at any time, is free again by then.
  const afterCrash = setInterval(wake, leaseMs + SECOND);
  const renewal = setInterval(() => {
    checker.renew().catch((err) => log.error({ err }, "leases could not be renewed"));
  }, leaseMs / RENEWALS);
  wake();
  return {
    wake,
    /**
     * Ends after the steps in hand, if they take no longer than that: a step may wait for hundreds of answers. What
     * is not done is given back, or is another run's after the lease, which finds the calls that were made in the journal.
     */
    async stop(): Promise<void> {
      stopped = true;
      checker.halt();
      clearTimeout(timer);
      clearInterval(afterCrash);
      clearInterval(renewal);
      await net.destroy();
      let timeUp: NodeJS.Timeout | undefined;
      const grace = new Promise((resolve) => {
        timeUp = setTimeout(resolve, graceMs);
      });
      await Promise.race([running, grace]);
      clearTimeout(timeUp);
      // Nobody may answer any more; what is not given back is free when its lease has run out.
      await checker.abandon().catch((err) => log.error({ err }, "the steps in hand were not given back"));
    },
  };
}
