import { pauseItsWatches } from "../../domain/auth/ended-credential.ts";
import { claimDueWatches } from "../../domain/watches/claim.ts";
import { RunLost } from "../../domain/watches/commit-run.ts";
import { principalOfMaker } from "../../domain/watches/maker.ts";
import { isRecheckDue, recheckPages } from "../../domain/watches/recheck.ts";
import type { WatchRow } from "../../domain/watches/rows.ts";
import { SECOND } from "../../platform/clock.ts";
import { isUnavailable } from "../../platform/errors/database-unavailable.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { commitRun, prepareRun, type WatcherDeps } from "./run-watch.ts";
import { sendNotifications } from "./send-notifications.ts";

/** Sitemaps that a process reads at a time. */
const AT_ONCE = 8;

/** How often a process looks for watches that are due, in ms. */
const POLL_MS = 5 * SECOND;

interface Log {
  error(details: object, message: string): void;
}

/** Runs watches when they are due. Any number of processes may do so; each run is written by one. */
export class Watcher {
  readonly #deps: WatcherDeps;
  readonly #log: Log;
  readonly #stopping = new AbortController();
  #draining: Promise<number> | null = null;

  constructor(deps: WatcherDeps, log: Log) {
    this.#deps = deps;
    this.#log = log;
  }

  /** Runs watches until none is due, and tells engines of what they have found. @returns how many it ran */
  drain(): Promise<number> {
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = null;
    });
    return this.#draining;
  }

  /** Ends the readings under way; another process may begin them once their leases are over. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#draining?.catch(() => undefined);
  }

  async #drain(): Promise<number> {
    const { db, clock } = this.#deps;
    let runs = 0;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const due = await claimDueWatches(db, { now: clock.now(), service: clock.service() }, AT_ONCE);
      if (due.length === 0) break;
      await Promise.all(due.map((watch) => this.#run(watch)));
      runs += due.length;
    }
    await sendNotifications(this.#deps, signal);
    return runs;
  }

  async #run(watch: WatchRow): Promise<void> {
    const { signal } = this.#stopping;
    try {
      await runDueWatch(this.#deps, watch, signal);
    } catch (err) {
      // Its lease ends, and it is run again.
      if (signal.aborted || err instanceof RunLost || isUnavailable(err)) return;
      if (err instanceof Refusal && err.code === "unavailable") return;
      this.#log.error({ err, watch: watch.id }, "a watch could not be run; trying again in a few minutes");
    }
  }
}

/** Runs one watch as its maker. @throws RunLost, Refusal unavailable */
export async function runDueWatch(deps: WatcherDeps, watch: WatchRow, signal?: AbortSignal): Promise<void> {
  const { db, clock, config } = deps;
  const times = () => ({ now: clock.now(), service: clock.service() });
  const options = { serializeBy: watch.accountId, isolation: "repeatable read" } as const;
  const { accountId, maker } = watch;
  // That it ended is noticed when it does; only its last day passes without anybody noticing.
  const pause = () => db.tx((tx) => pauseItsWatches(tx, { accountId, maker, now: clock.now() }), options);
  const principal = await principalOfMaker(db, watch, clock.now());
  if (!principal) return pause();
  const prepared = await prepareRun(deps, watch, { signal });
  try {
    const { preflight } = config;
    const run = { principal, preflight };
    const { watch: after } = await db.tx((tx) => commitRun(tx, prepared, { ...run, times: times() }), options);
    if (!isRecheckDue(after, clock.service())) return;
    await db.tx((tx) => recheckPages(tx, after, { principal, times: times() }), options);
  } catch (thrown) {
    if (!(thrown instanceof Refusal) || thrown.code !== "unauthorized") throw thrown;
    await pause();
  }
}

/** Runs watches as they become due. @returns stop */
export function startWatcher(deps: WatcherDeps, log: Log): () => Promise<void> {
  const watcher = new Watcher(deps, log);
  const timer = setInterval(() => {
    watcher.drain().catch((err) => {
      // While the database does not answer, other jobs log it.
      if (!isUnavailable(err)) log.error({ err }, "watches could not be run; retrying in a few seconds");
    });
  }, POLL_MS).unref();
  return () => {
    clearInterval(timer);
    return watcher.stop();
  };
}
