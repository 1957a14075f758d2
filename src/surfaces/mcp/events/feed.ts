import type { Services } from "../../../contract/call.ts";
import { newestEvents } from "../../../domain/subscriptions/positions.ts";
import { SECOND } from "../../../platform/clock.ts";
import type { RunEvery } from "../../../platform/run-every.ts";
import type { McpLog } from "../caller.ts";

/** How often the accounts of all streams are looked at, in ms. */
const POLL_MS = SECOND;

/** A stream that is told of events. */
export interface FeedListener {
  readonly accountId: string;
  /** Tells it of what has happened up to this event. */
  advance(newest: number): Promise<void>;
}

interface FeedDeps {
  readonly db: Services["db"];
  readonly log: McpLog;
  readonly every: RunEvery;
}

/**
 * Looks once a second for new events of the accounts that have streams here, by one query, and by none while no stream is open.
 * Which process has written an event does not matter.
 */
export class EventFeed {
  readonly #deps: FeedDeps;
  readonly #listeners = new Set<FeedListener>();
  #stop: (() => void) | null = null;
  #isPolling = false;
  #hasFailed = false;

  constructor(deps: FeedDeps) {
    this.#deps = deps;
  }

  /** The account of each stream. */
  accounts(): string[] {
    return [...this.#listeners].map(({ accountId }) => accountId);
  }

  /** @returns a function that ends it */
  add(listener: FeedListener): () => void {
    this.#listeners.add(listener);
    this.#stop ??= this.#deps.every(POLL_MS, () => this.#poll());
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#stop?.();
      this.#stop = null;
    };
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    try {
      const newest = await newestEvents(this.#deps.db, [...new Set(this.accounts())]);
      for (const listener of [...this.#listeners]) await listener.advance(newest.get(listener.accountId) ?? 0);
      this.#hasFailed = false;
    } catch (err) {
      // Logged once for each outage.
      if (!this.#hasFailed) this.#deps.log.error({ err }, "events for streams could not be read; trying again");
      this.#hasFailed = true;
    } finally {
      this.#isPolling = false;
    }
  }
}
