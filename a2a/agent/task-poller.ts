import type { Services } from "../../src/contract/call.ts";
import { refuseTooManyStreams } from "../../src/contract/stream-limits.ts";
import { completeProjectTasks } from "../../src/domain/tasks/project-tasks.ts";
import { type TaskRecord, tasksByIds } from "../../src/domain/tasks/read.ts";
import { PolledSet } from "../../src/platform/polled-set.ts";
import type { RunEvery } from "../../src/platform/run-every.ts";
import type { Log } from "../../src/surfaces/http-server/log.ts";
import { isProjectDone } from "./access.ts";
import { Subscriber, type SubscriberOptions } from "./subscriber.ts";

interface TaskPollerDeps extends Pick<Services, "db" | "clock"> {
  readonly log: Log;
  readonly every: RunEvery;
}

/**
 * Reads the tasks of all subscribers of this process once a second, with one query, and not at all while there are none.
 * It keeps nothing that is not in the database, so that a client may subscribe again at any process.
 */
export class TaskPoller {
  readonly #deps: TaskPollerDeps;
  readonly #subscribers: PolledSet<Subscriber>;

  constructor(deps: TaskPollerDeps) {
    this.#deps = deps;
    this.#subscribers = new PolledSet({
      every: deps.every,
      poll: (subscribers) => this.#updateAll(subscribers),
      failed: (err) => deps.log.error({ err }, "followed tasks could not be read; they are read again in a second"),
    });
  }

  /** @param known the state that the subscriber has been sent already @throws Refusal rate_limited, unavailable */
  subscribe(known: TaskRecord, options: SubscriberOptions): Subscriber {
    const open = this.#subscribers.members.map((subscriber) => subscriber.options.accountId);
    refuseTooManyStreams(open, options.accountId, "Poll with GetTask");
    const subscriber = new Subscriber(known, options, (ended) => this.#subscribers.delete(ended));
    if (options.signal.aborted) return subscriber;
    this.#subscribers.add(subscriber);
    return subscriber;
  }

  get subscriberCount(): number {
    return this.#subscribers.members.length;
  }

  async #updateAll(subscribers: readonly Subscriber[]): Promise<void> {
    const records = await this.#read([...new Set(subscribers.map(({ taskId }) => taskId))]);
    for (const subscriber of subscribers) {
      const record = records.get(subscriber.taskId);
      if (record) subscriber.update(record);
      else subscriber.end();
    }
  }

  async #read(ids: readonly string[]): Promise<Map<string, TaskRecord>> {
    const { db, clock } = this.#deps;
    let records = await tasksByIds(db, ids);
    const accounts = new Set(records.filter(isProjectDone).map(({ task }) => task.accountId));
    for (const accountId of accounts) await completeProjectTasks(db, accountId, clock.now());
    if (accounts.size > 0) records = await tasksByIds(db, ids);
    return new Map(records.map((record) => [record.task.id, record]));
  }
}
