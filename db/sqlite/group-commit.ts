import { setImmediate as nextTick, setTimeout as sleep } from "node:timers/promises";
import type Database from "better-sqlite3";
import type { Lock } from "../../src/platform/concurrency.ts";
import type { Tx } from "../engine.ts";
import { asUnavailable, asUnavailableCommit, sqliteCodeOf } from "./error-codes.ts";

/** How long to wait for a writer of another process, in ms. */
const BUSY_MS = 15_000;

/** Most transactions that are committed together. */
const GROUP = 64;

/** Changed rows from which on a group takes no further transaction: the longer a commit, the longer it holds the event loop. */
const ROWS = 3_000;

/** How long a group may hold the event loop at a time, in ms. */
const SLICE_MS = 1;

interface Waiting {
  /** Runs the work. The function that it returns resolves the caller's promise, once the group is committed. */
  run(tx: Tx): Promise<() => void>;
  reject(reason: unknown): void;
}

/**
 * Runs transactions one after another. Transactions that wait at the same time, or come meanwhile, are committed together with
 * one write to the disk. Each runs in a savepoint of its own, so that one that fails does not affect the others. None succeeds
 * or fails before the commit: what made it fail may be a change of another one in the group, which nobody else can read yet.
 */
export class GroupCommit {
  readonly #writer: Database.Database;
  readonly #lock: Lock;
  readonly #hot: Omit<Tx, "afterCommit">;
  readonly #begin: Database.Statement;
  readonly #save: Database.Statement;
  readonly #release: Database.Statement;
  readonly #end: Database.Statement;
  readonly #busyMs: number;
  #waiting: Waiting[] = [];
  /** Whether a group is under way, or waits for the lock. */
  #isRequested = false;
  readonly #changes: Database.Statement;

  constructor(writer: Database.Database, lock: Lock, hot: Omit<Tx, "afterCommit">, busyMs = BUSY_MS) {
    this.#writer = writer;
    this.#begin = writer.prepare("BEGIN IMMEDIATE");
    this.#save = writer.prepare("SAVEPOINT work");
    this.#release = writer.prepare("RELEASE work");
    this.#end = writer.prepare("COMMIT");
    this.#changes = writer.prepare("SELECT total_changes()").pluck();
    this.#lock = lock;
    this.#hot = hot;
    this.#busyMs = busyMs;
  }

  run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const run = async (tx: Tx) => {
        const value = await work(tx);
        return () => resolve(value);
      };
      this.#waiting.push({ run, reject });
      if (!this.#isRequested) this.#requestCommit();
    });
  }

  #requestCommit(): void {
    this.#isRequested = true;
    void this.#lock.run(async () => {
      await this.#commitSoon();
      if (this.#waiting.length > 0) this.#requestCommit();
      else this.#isRequested = false;
    });
  }

  /**
   * Waits for one turn of the event loop, so that requests that came together become one write, and that other
   * connections find the writer free between two groups.
   */
  async #commitSoon(): Promise<void> {
    await nextTick();
    const waiting = this.#waiting.length;
    const group: Waiting[] = [];
    const settles: (() => void)[] = [];
    try {
      await begin(this.#begin, this.#busyMs);
      await this.#work(group, settles);
      this.#commit();
    } catch (thrown) {
      const reason = asUnavailable(thrown) ?? thrown;
      // If BEGIN failed, it fails for every transaction that has waited for it.
      if (group.length === 0) group.push(...this.#waiting.splice(0, waiting));
      for (const one of group) one.reject(reason);
      if (this.#writer.inTransaction) this.#writer.exec("ROLLBACK");
      return;
    }
    for (const settle of settles) settle();
  }

  /**
   * @param group gets the transactions that were begun
   * @param settles gets for each of them the function that tells its caller how it ended
   */
  async #work(group: Waiting[], settles: (() => void)[]): Promise<void> {
    const before = this.#changedRows();
    let yieldedAt = performance.now();
    while (this.#waiting.length > 0 && group.length < GROUP && this.#changedRows() - before < ROWS) {
      const one = this.#waiting.shift()!;
      group.push(one);
      settles.push(await this.#attempt(one));
      // The event loop may turn between two pieces of work: readers have a connection of their own.
      if (performance.now() - yieldedAt < SLICE_MS) continue;
      await nextTick();
      yieldedAt = performance.now();
    }
  }

  #commit(): void {
    try {
      this.#end.run();
    } catch (thrown) {
      throw asUnavailableCommit(thrown) ?? thrown;
    }
  }

  /** Runs one transaction. Returns the function that tells its caller how it ended. */
  async #attempt(one: Waiting): Promise<() => void> {
    const hooks: (() => void)[] = [];
    const handle = Proxy.revocable<Tx>({ ...this.#hot, afterCommit: (hook) => void hooks.push(hook) }, {});
    this.#save.run();
    try {
      const resolve = await one.run(handle.proxy);
      this.#release.run();
      return () => {
        for (const hook of hooks) hook();
        resolve();
      };
    } catch (thrown) {
      if (!this.#writer.inTransaction) throw thrown;
      this.#writer.exec("ROLLBACK TO work; RELEASE work");
      return () => one.reject(asUnavailable(thrown) ?? thrown);
    } finally {
      handle.revoke();
    }
  }

  /** All rows that this connection has changed since it was opened. */
  #changedRows(): number {
    return this.#changes.get() as number;
  }
}

/** BEGIN IMMEDIATE, which waits for another connection without blocking the event loop: that connection may need it too. */
async function begin(statement: Database.Statement, busyMs: number): Promise<void> {
  const deadline = performance.now() + busyMs;
  for (;;) {
    try {
      statement.run();
      return;
    } catch (thrown) {
      const isHeld = sqliteCodeOf(thrown)?.startsWith("SQLITE_BUSY");
      if (!isHeld || performance.now() > deadline) throw thrown;
      await sleep(1 + Math.random() * 4);
    }
  }
}
