import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type Database from "better-sqlite3";
import type { Lock } from "../../src/platform/concurrency.ts";
import type { Tx } from "../engine.ts";
import { asUnavailable, asUnavailableCommit, sqliteCodeOf } from "./error-codes.ts";

/** How long a writer of another process may keep us waiting, in ms. */
const BUSY_MS = 15_000;

/** Most transactions that are committed together. */
const GROUP = 64;

/** How long a group may hold the event loop at a time, in ms. */
const SLICE_MS = 2;

interface Waiting {
  /** Runs the work. The function that it returns resolves its caller's promise, once the group is committed. */
  run(tx: Tx): Promise<() => void>;
  reject(reason: unknown): void;
}

/**
 * Runs transactions one after another, and commits those that wait at the same time together: each in a savepoint of its
 * own, so that one that fails does not affect the others, and none succeeds before the commit that makes it durable.
 * One write to the disk then serves them all.
 */
export class GroupCommit {
  readonly #writer: Database.Database;
  readonly #lock: Lock;
  readonly #hot: Tx;
  readonly #begin: Database.Statement;
  readonly #save: Database.Statement;
  readonly #release: Database.Statement;
  readonly #end: Database.Statement;
  readonly #busyMs: number;
  #waiting: Waiting[] = [];

  constructor(writer: Database.Database, lock: Lock, hot: Tx, busyMs = BUSY_MS) {
    this.#writer = writer;
    this.#begin = writer.prepare("BEGIN IMMEDIATE");
    this.#save = writer.prepare("SAVEPOINT work");
    this.#release = writer.prepare("RELEASE work");
    this.#end = writer.prepare("COMMIT");
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
      if (this.#waiting.length === 1) this.#requestCommit();
    });
  }

  #requestCommit(): void {
    void this.#lock.run(() => this.#commitSoon());
  }

  /**
   * Waits for one turn of the event loop, so that requests that came together become one write, and that other
   * connections find the writer free between two groups.
   */
  async #commitSoon(): Promise<void> {
    await nextTurn();
    const group = this.#waiting.splice(0, GROUP);
    // What is left over, and what comes from now on, belongs to the next group.
    if (this.#waiting.length > 0) this.#requestCommit();
    const told: (() => void)[] = [];
    try {
      await begin(this.#begin, this.#busyMs);
      await this.#work(group, told);
      this.#commit();
    } catch (thrown) {
      const reason = asUnavailable(thrown) ?? thrown;
      for (const one of group) one.reject(reason);
      if (this.#writer.inTransaction) this.#writer.exec("ROLLBACK");
      return;
    }
    for (const tell of told) tell();
  }

  async #work(group: readonly Waiting[], told: (() => void)[]): Promise<void> {
    let rested = performance.now();
    for (const one of group) {
      const tell = await this.#attempt(one);
      if (tell) told.push(tell);
      // The event loop may turn between two pieces of work: readers have a connection of their own.
      if (performance.now() - rested < SLICE_MS) continue;
      await nextTurn();
      rested = performance.now();
    }
  }

  #commit(): void {
    try {
      this.#end.run();
    } catch (thrown) {
      throw asUnavailableCommit(thrown) ?? thrown;
    }
  }

  async #attempt(one: Waiting): Promise<(() => void) | null> {
    const handle = Proxy.revocable(this.#hot, {});
    this.#save.run();
    try {
      const tell = await one.run(handle.proxy);
      this.#release.run();
      return tell;
    } catch (thrown) {
      if (!this.#writer.inTransaction) throw thrown;
      this.#writer.exec("ROLLBACK TO work; RELEASE work");
      one.reject(asUnavailable(thrown) ?? thrown);
      return null;
    } finally {
      handle.revoke();
    }
  }
}

/** BEGIN IMMEDIATE, waiting for another connection without holding the event loop, which may be the other one's, too. */
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
