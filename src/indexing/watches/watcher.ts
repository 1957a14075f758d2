import type { Tx } from "../../../db/engine.ts";
import { endItsWork } from "../../domain/credentials/ended-credential.ts";
import type { End } from "../../domain/credentials/may-act.ts";
import { claimDueWatches } from "../../domain/watches/claim.ts";
import { RunLost } from "../../domain/watches/commit-run.ts";
import { runnerOf } from "../../domain/watches/maker.ts";
import { pauseAll } from "../../domain/watches/pause.ts";
import { beginDueReading } from "../../domain/watches/readings.ts";
import { recheckPages, watchesToRecheck } from "../../domain/watches/recheck.ts";
import type { WatchRow } from "../../domain/watches/rows.ts";
import { loadPages } from "../../domain/watches/store-pages.ts";
import { takeNamed, watchesWithNamed } from "../../domain/watches/take-named.ts";
import { SECOND, timesOf } from "../../platform/clock.ts";
import { isUnavailable } from "../../platform/errors/database-unavailable.ts";
import { type ErrorCode, Refusal } from "../../platform/errors/errors.ts";
import type { Principal } from "../../platform/principal.ts";
import { commitRun, prepareRun, type WatcherDeps } from "./run-watch.ts";
import { sendNotifications } from "./send-notifications.ts";

/** Sitemaps that a process reads at once. */
const AT_ONCE = 8;

/** Watches whose pages a process looks up again, or whose named pages it takes, before it looks for runs again. */
const RECHECKS = 100;

/** How often a process looks for watches that are due, in ms. */
const POLL_MS = 5 * SECOND;

interface Log {
  error(details: object, message: string): void;
}

/** Runs watches when they are due. Any number of processes may do so. Each run is written by one of them. */
export class Watcher {
  readonly #deps: WatcherDeps;
  readonly #log: Log;
  readonly #stopping = new AbortController();
  #draining: Promise<number> | null = null;

  constructor(deps: WatcherDeps, log: Log) {
    this.#deps = deps;
    this.#log = log;
  }

  /**
   * Takes pages that hooks have named, runs watches until none is due, looks pages up again, and notifies engines of changes.
   * @returns how many watches it ran
   */
  drain(): Promise<number> {
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = null;
    });
    return this.#draining;
  }

  /** Ends the readings under way. Another process may begin them when their leases are over. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#draining?.catch(() => undefined);
  }

  async #drain(): Promise<number> {
    const { db, clock } = this.#deps;
    let runs = 0;
    const { signal } = this.#stopping;
    for (const watch of await watchesWithNamed(db, clock.service(), RECHECKS))
      await this.#attempt(watch, () => takeNamedPages(this.#deps, watch));
    while (!signal.aborted) {
      const due = await claimDueWatches(db, timesOf(clock), AT_ONCE);
      if (due.length === 0) break;
      await Promise.all(due.map((watch) => this.#attempt(watch, () => runDueWatch(this.#deps, watch, signal))));
      runs += due.length;
    }
    const again = signal.aborted ? [] : await watchesToRecheck(db, timesOf(clock), RECHECKS);
    for (const watch of again) await this.#attempt(watch, () => recheckWatch(this.#deps, watch));
    await sendNotifications(this.#deps, signal);
    return runs;
  }

  async #attempt(watch: WatchRow, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (err) {
      // The lease of the watch ends, and the watch is run again.
      if (this.#stopping.signal.aborted || err instanceof RunLost || isUnavailable(err)) return;
      if (err instanceof Refusal && err.code === "unavailable") return;
      this.#log.error({ err, watch: watch.id }, "a watch could not be run; trying again in a few minutes");
    }
  }
}

/** Runs one watch as its maker. @throws RunLost, Refusal unavailable */
async function runDueWatch(deps: WatcherDeps, watch: WatchRow, signal: AbortSignal): Promise<void> {
  const { db, clock, config } = deps;
  await asMaker(deps, watch, async (principal) => {
    if (!(await beginDueReading(db, watch, clock.service()))) return;
    const prepared = await prepareRun(deps, watch, { signal });
    const run = { principal, preflight: config.preflight };
    await db.tx((tx) => commitRun(tx, prepared, { ...run, times: timesOf(clock) }), transactionOf(watch));
  });
}

/**
 * Looks indexed pages of one watch up again as its maker, or reports the pages that a check has found missing.
 * @throws RunLost
 */
async function recheckWatch(deps: WatcherDeps, watch: WatchRow): Promise<void> {
  const { db, clock } = deps;
  await asMaker(deps, watch, (principal) =>
    db.tx((tx) => recheckPages(tx, watch, { principal, times: timesOf(clock) }), transactionOf(watch)),
  );
}

/** Takes the pages that the hook of one watch has named, as its maker. */
async function takeNamedPages(deps: WatcherDeps, watch: WatchRow): Promise<void> {
  const { db, clock, config } = deps;
  await asMaker(deps, watch, async (principal) => {
    const known = await loadPages(db, watch);
    const taking = { principal, known, preflight: config.preflight, times: timesOf(clock) };
    await db.tx((tx) => takeNamed(tx, watch, taking), transactionOf(watch));
  });
}

/** Refusals that may say that the maker may not act any more. */
const ENDED: ReadonlySet<ErrorCode> = new Set(["unauthorized", "insufficient_scope", "spending_limit"]);

/** Works with the access of the watch's maker. If the maker may not act any more, the watch pauses. */
async function asMaker(
  { db, clock }: WatcherDeps,
  watch: WatchRow,
  work: (principal: Principal) => Promise<void>,
): Promise<void> {
  const pause = (end: End) => db.tx((tx) => pauseAfter(tx, watch, end, clock.now()), transactionOf(watch));
  const found = await runnerOf(db, watch, clock.now());
  if (typeof found === "string") return pause(found);
  try {
    await work(found);
  } catch (thrown) {
    if (!(thrown instanceof Refusal) || !ENDED.has(thrown.code)) throw thrown;
    const left = await runnerOf(db, watch, clock.now());
    if (typeof left !== "string") throw thrown;
    await pause(left);
  }
}

/** What ends the access of a maker pauses its watches at once, except that time passes, which has to be noticed here. */
function pauseAfter(tx: Tx, { accountId, maker }: WatchRow, end: End, now: number): Promise<void> {
  return end === "disabled"
    ? pauseAll(tx, accountId, "account_disabled", now)
    : endItsWork(tx, { accountId, maker, now });
}

const transactionOf = ({ accountId }: WatchRow) => ({ serializeBy: accountId, isolation: "repeatable read" }) as const;

/** Runs watches as they become due. @returns stop */
export function startWatcher(deps: WatcherDeps, log: Log): () => Promise<void> {
  const watcher = new Watcher(deps, log);
  const timer = setInterval(() => {
    watcher.drain().catch((err) => {
      // Other jobs log a database that does not answer.
      if (!isUnavailable(err)) log.error({ err }, "watches could not be run; retrying in a few seconds");
    });
  }, POLL_MS).unref();
  return () => {
    clearInterval(timer);
    return watcher.stop();
  };
}
