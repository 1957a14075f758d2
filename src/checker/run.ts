import cron from "node-cron";
import { MINUTE, SECOND } from "../clock.ts";
import { forgetOld } from "../idempotency/remember.ts";
import { Checker, type CheckerOptions, LEASE } from "./checker.ts";

/** How often the claims of running steps are renewed. */
const RENEWAL = 20 * SECOND;
/** How long a stop waits for the steps in hand, in real ms. */
const GRACE = 15 * SECOND;

/**
 * The clock of this process: the checker at the next due time, when woken, and every minute as the net below;
 * every hour what is too old is forgotten.
 */
export function startChecker(options: CheckerOptions & { scale: () => number; graceMs?: number }) {
  const checker = new Checker(options);
  const { clock, log, scale, graceMs = GRACE } = options;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let running: Promise<unknown> = Promise.resolve();

  const wake = (): void => {
    if (stopped) return;
    clearTimeout(timer);
    running = turn().catch((err) => {
      if (!stopped) log.error({ err }, "the checker failed; it tries again within a minute");
    });
  };
  const turn = async (): Promise<void> => {
    const drained = checker.drain();
    // What comes due while the steps in hand wait for their upstreams does not wait with them.
    await setTimer(clock.service());
    await drained;
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
  const purge = cron.schedule("17 * * * *", () => {
    forgetOld(options.db, clock.now()).catch((err) => log.error({ err }, "old idempotency keys were not forgotten"));
  });
  // What a process that died here just before had claimed is free again by then.
  const afterCrash = setTimeout(wake, LEASE + SECOND);
  const renewal = setInterval(() => {
    checker.renew().catch((err) => log.error({ err }, "leases could not be renewed"));
  }, RENEWAL);
  wake();
  return {
    wake,
    /**
     * Ends after the steps in hand, if they take no longer than that: a step may wait for hundreds of answers. What
     * is not done is another run's, which finds the calls that were made in the journal.
     */
    async stop(): Promise<void> {
      stopped = true;
      checker.halt();
      clearTimeout(timer);
      clearTimeout(afterCrash);
      clearInterval(renewal);
      await net.destroy();
      await purge.destroy();
      let timeUp: NodeJS.Timeout | undefined;
      const grace = new Promise((resolve) => {
        timeUp = setTimeout(resolve, graceMs);
      });
      await Promise.race([running, grace]);
      clearTimeout(timeUp);
      checker.abandon();
    },
  };
}
