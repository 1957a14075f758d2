import type { Services } from "../../src/contract/call.ts";
import { completeProjectTasks } from "../../src/domain/tasks/project-tasks.ts";
import { type TaskRecord, tasksByIds } from "../../src/domain/tasks/read.ts";
import { SECOND } from "../../src/platform/clock.ts";
import { Refusal } from "../../src/platform/errors/errors.ts";
import type { Log } from "../../src/surfaces/http-server/log.ts";
import { isDone } from "./access.ts";
import { type Follower, Slot } from "./subscriber.ts";

/** Most streams that are open at once. */
const MOST = { perAccount: 20, perProcess: 1_000 };

const LOOK_EVERY = SECOND;
/** Looks between two questions whether a credential is still good. */
const LOOKS_PER_CHECK = 10;

/** Does something again and again, in real time. @returns stop */
export type Every = (ms: number, work: () => Promise<void>) => () => void;

export const everyInterval: Every = (ms, work) => {
  const timer = setInterval(() => void work(), ms);
  timer.unref();
  return () => clearInterval(timer);
};

interface WatchParts extends Pick<Services, "db" | "clock"> {
  readonly log: Log;
  readonly every: Every;
}

/**
 * Looks at all tasks that somebody follows: once a second, with one query, and not at all while there are none. What a
 * follower needs stands in the database, so that it can go on at any process.
 */
export class Watch {
  readonly #parts: WatchParts;
  readonly #slots = new Set<Slot>();
  #stop: (() => void) | null = null;
  #isLooking = false;
  #looks = 0;

  constructor(parts: WatchParts) {
    this.#parts = parts;
  }

  /** @param known what the follower has been shown already @throws Refusal rate_limited, unavailable */
  open(known: TaskRecord, follower: Follower): Slot {
    this.#refuseOver(follower.accountId);
    const slot = new Slot(known, follower, (closed) => this.#close(closed));
    if (follower.signal.aborted) return slot;
    this.#slots.add(slot);
    this.#stop ??= this.#parts.every(LOOK_EVERY, () => this.#look());
    return slot;
  }

  get following(): number {
    return this.#slots.size;
  }

  #close(slot: Slot): void {
    this.#slots.delete(slot);
    if (this.#slots.size > 0) return;
    this.#stop?.();
    this.#stop = null;
  }

  #refuseOver(accountId: string): void {
    const headers = { "Retry-After": "60" };
    if (this.#slots.size >= MOST.perProcess) {
      throw new Refusal("unavailable", "Too many streams are open. Ask with GetTask, or try again.", {}, headers);
    }
    const own = [...this.#slots].filter(({ follower }) => follower.accountId === accountId).length;
    if (own < MOST.perAccount) return;
    const message = `The account has ${MOST.perAccount} streams open. Close one, or ask with GetTask.`;
    throw new Refusal("rate_limited", message, {}, headers);
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      this.#looks += 1;
      await this.#tell();
      if (this.#looks % LOOKS_PER_CHECK === 0) await this.#endUnknown();
    } catch (err) {
      this.#parts.log.error({ err }, "watched tasks could not be read; they are looked at again in a second");
    } finally {
      this.#isLooking = false;
    }
  }

  async #tell(): Promise<void> {
    const slots = [...this.#slots];
    const records = await this.#read([...new Set(slots.map(({ taskId }) => taskId))]);
    for (const slot of slots) {
      const record = records.get(slot.taskId);
      if (record) slot.tell(record);
      else slot.end();
    }
  }

  async #read(ids: readonly string[]): Promise<Map<string, TaskRecord>> {
    const { db, clock } = this.#parts;
    let records = await tasksByIds(db, ids);
    const accounts = new Set(records.filter(isDone).map(({ task }) => task.accountId));
    for (const accountId of accounts) await completeProjectTasks(db, accountId, clock.now());
    if (accounts.size > 0) records = await tasksByIds(db, ids);
    return new Map(records.map((record) => [record.task.id, record]));
  }

  async #endUnknown(): Promise<void> {
    for (const slot of [...this.#slots]) {
      if (!(await slot.follower.isKnown())) slot.end();
    }
  }
}
