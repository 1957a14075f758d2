import type { Services } from "../../../contract/call.ts";
import { newestEvents } from "../../../domain/subscriptions/positions.ts";
import { PolledSet } from "../../../platform/polled-set.ts";
import type { RunEvery } from "../../../platform/run-every.ts";
import type { McpLog } from "../caller.ts";

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
  readonly #listeners: PolledSet<FeedListener>;

  constructor({ db, log, every }: FeedDeps) {
    this.#listeners = new PolledSet({
      every,
      async poll(listeners) {
        const newest = await newestEvents(db, [...new Set(listeners.map(({ accountId }) => accountId))]);
        for (const listener of listeners) await listener.advance(newest.get(listener.accountId) ?? 0);
      },
      failed: (err) => log.error({ err }, "events for streams could not be read; trying again"),
    });
  }

  /** The account of each stream. */
  accounts(): string[] {
    return this.#listeners.members.map(({ accountId }) => accountId);
  }

  /** @returns a function that ends it */
  add(listener: FeedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
