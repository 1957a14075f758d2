import { AsyncLocalStorage } from "node:async_hooks";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { type Column, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/better-sqlite3";
import type {
  Claim,
  Engine,
  LinkBatch,
  LinkPatch,
  NewStep,
  Queries,
  Reader,
  StepRow,
  Tx,
  WriterLock,
} from "./engine.ts";
import { Mutex } from "./mutex.ts";
import { schema } from "./schema.sqlite.ts";

export interface SqliteOptions {
  /** Shared by every connection of one process that writes to this file. */
  lock?: WriterLock;
  /** Pages of write-ahead log before a commit moves them into the file itself. */
  checkpointPages?: number;
  /** Off only where losing the last second in a power cut is fine: throw-away test databases. */
  durable?: boolean;
}

/** How long a writer of another process may keep us waiting. */
const BUSY_MS = 15_000;

/**
 * SQLite: one writer connection, whose transactions stand in a queue of this process (`lock`) and begin
 * IMMEDIATE against other processes; one read-only connection that never sees uncommitted rows.
 * `synchronous=FULL`: a commit that returned survives a power cut (sqlite.org/pragma.html#pragma_synchronous).
 */
export function openSqlite(path: string, options: SqliteOptions = {}): Engine {
  mkdirSync(dirname(path), { recursive: true });
  const writer = new Database(path, { timeout: 20 });
  writer.pragma("journal_mode = WAL");
  writer.pragma(`synchronous = ${options.durable === false ? "OFF" : "FULL"}`);
  writer.pragma(`wal_autocheckpoint = ${options.checkpointPages ?? 1000}`);
  writer.pragma("cache_size = -65536");
  const reader = new Database(path, { readonly: true, timeout: 5_000 });

  const lock = options.lock ?? new Mutex();
  const inside = new AsyncLocalStorage<true>();
  const hot = { ...readerOver(writer), ...hotStatements(writer) };
  const commits = new GroupCommit(writer, lock, hot);

  return {
    dialect: "sqlite",
    ...readerOver(reader),
    tx(work) {
      if (inside.getStore()) throw new Error("a transaction inside a transaction");
      return commits.run((tx) => inside.run(true, () => work(tx)));
    },
    checkpoint() {
      writer.pragma("wal_checkpoint(PASSIVE)");
    },
    async close() {
      reader.close();
      writer.close();
    },
  };
}

function readerOver(connection: Database.Database): Reader {
  // Rows as arrays: half the time of rows as objects.
  const between = connection
    .prepare("SELECT id, url, state, sent_at, cancelled_at FROM links WHERE id >= ? AND id <= ? ORDER BY id")
    .raw();
  return {
    async linksBetween(from, to) {
      const rows = between.all(from, to) as [number, string, number, number | null, number | null][];
      return rows.map(([id, url, state, sentAt, cancelledAt]) => ({ id, url, state, sentAt, cancelledAt }));
    },
    // Built by the SQLite dialect under PostgreSQL's types; see kit.ts.
    q: drizzle({ client: connection }) as unknown as Queries,
    t: schema,
    among: (column: Column, ids: readonly number[]) =>
      sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
  };
}

/** Transactions that wait for the writer together are committed together, up to this many. */
const GROUP = 64;

interface Waiting {
  /** Runs the work; what is returned tells its caller once the group is committed. */
  run(tx: Tx): Promise<() => void>;
  reject(reason: unknown): void;
}

/**
 * Runs transactions one after another, and those that wait at the same time in one commit: each in a savepoint
 * of its own, so that one that fails takes nothing of the others with it, and none is told of success before
 * the commit that makes it durable. One write to the disk then serves them all.
 */
class GroupCommit {
  readonly #writer: Database.Database;
  readonly #lock: WriterLock;
  readonly #hot: Tx;
  readonly #begin: Database.Statement;
  readonly #release: Database.Statement;
  #waiting: Waiting[] = [];

  constructor(writer: Database.Database, lock: WriterLock, hot: Tx) {
    this.#writer = writer;
    this.#begin = writer.prepare("SAVEPOINT work");
    this.#release = writer.prepare("RELEASE work");
    this.#lock = lock;
    this.#hot = hot;
  }

  run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const run = async (tx: Tx) => {
        const value = await work(tx);
        return () => resolve(value);
      };
      this.#waiting.push({ run, reject });
      if (this.#waiting.length === 1) void this.#lock.run(() => this.#commit()).catch(reject);
    });
  }

  async #commit(): Promise<void> {
    const group = this.#waiting.splice(0, GROUP);
    // Whoever comes from now on is the next group's; those left over already are, too.
    if (this.#waiting.length > 0) void this.#lock.run(() => this.#commit());
    const told: (() => void)[] = [];
    try {
      await begin(this.#writer);
      for (const one of group) {
        const tell = await this.#attempt(one);
        if (tell) told.push(tell);
      }
      this.#writer.exec("COMMIT");
    } catch (thrown) {
      if (this.#writer.inTransaction) this.#writer.exec("ROLLBACK");
      for (const one of group) one.reject(thrown);
      return;
    }
    for (const tell of told) tell();
  }

  async #attempt(one: Waiting): Promise<(() => void) | null> {
    const handle = Proxy.revocable(this.#hot, {});
    this.#begin.run();
    try {
      const tell = await one.run(handle.proxy);
      this.#release.run();
      return tell;
    } catch (thrown) {
      if (!this.#writer.inTransaction) throw thrown;
      this.#writer.exec("ROLLBACK TO work; RELEASE work");
      one.reject(thrown);
      return null;
    } finally {
      handle.revoke();
    }
  }
}

/** BEGIN IMMEDIATE, waiting for another process without holding the event loop. */
async function begin(writer: Database.Database): Promise<void> {
  const deadline = Date.now() + BUSY_MS;
  for (;;) {
    try {
      writer.exec("BEGIN IMMEDIATE");
      return;
    } catch (thrown) {
      const busy = thrown instanceof Database.SqliteError && thrown.code.startsWith("SQLITE_BUSY");
      if (!busy || Date.now() > deadline) throw thrown;
      await sleep(2 + Math.random() * 8);
    }
  }
}

type Hot = Pick<Tx, "insertLinks" | "insertSteps" | "moveLinks" | "claimSteps">;

const STEP_COLUMNS = {
  bucket: "bucket",
  projectNo: "project_no",
  lane: "lane",
  action: "action",
  look: "look",
  negatives: "negatives",
  tries: "tries",
  availableMs: "available_ms",
  lookedAt: "looked_at",
  priority: "priority",
  dueAt: "due_at",
  first: "first",
  members: "members",
  size: "size",
} as const satisfies Record<keyof NewStep, string>;

const LINK_COLUMNS = {
  state: "state",
  error: "error",
  sentAt: "sent_at",
  indexedAt: "indexed_at",
  cancelledAt: "cancelled_at",
} as const satisfies Record<keyof LinkPatch, string>;

/** The statements that carry the load, prepared once; everything else goes through drizzle. */
function hotStatements(writer: Database.Database): Hot {
  const prepared = new Map<string, Database.Statement>();
  const prepare = (text: string) => {
    let statement = prepared.get(text);
    if (!statement) {
      statement = writer.prepare(text);
      prepared.set(text, statement);
    }
    return statement;
  };
  const stepKeys = Object.keys(STEP_COLUMNS) as (keyof NewStep)[];
  const stepNames = Object.values(STEP_COLUMNS).join(", ");
  const stepFields = stepKeys.map((key) => `${STEP_COLUMNS[key]} AS "${key}"`).join(", ");

  return {
    async insertLinks({ no, bucket }, urls) {
      prepare(
        `INSERT INTO links (id, bucket, url, state)
         SELECT @no * 16384 + key, @bucket, value, 0 FROM json_each(@urls)`,
      ).run({ no, bucket, urls: JSON.stringify(urls) });
    },
    async insertSteps(steps) {
      const insert = prepare(
        `INSERT INTO steps (${stepNames}) VALUES (${stepKeys.map((key) => `@${key}`).join(", ")})`,
      );
      for (const step of steps) insert.run(step);
    },
    async moveLinks({ ids, from, patch }: LinkBatch) {
      const keys = Object.keys(patch) as (keyof LinkPatch)[];
      const sets = keys.map((key) => `${LINK_COLUMNS[key]} = @${key}`).join(", ");
      return prepare(`UPDATE links SET ${sets} WHERE id IN (SELECT value FROM json_each(@ids)) AND state = @from`).run({
        ...patch,
        ids: JSON.stringify(ids),
        from,
      }).changes;
    },
    async claimSteps({ priority, dueBy, now, lease, leaseUntil, limit }: Claim) {
      return prepare(
        `UPDATE steps SET lease = @lease, lease_until = @leaseUntil
         WHERE id IN (
           SELECT id FROM steps
           WHERE priority = @priority AND due_at <= @dueBy AND (lease_until IS NULL OR lease_until <= @now)
           ORDER BY due_at LIMIT @limit)
         RETURNING id, lease, lease_until AS "leaseUntil", intent_at AS "intentAt", ${stepFields}`,
      ).all({ priority, dueBy, now, lease, leaseUntil, limit }) as StepRow[];
    },
  };
}
