import Database from "better-sqlite3";
import { CHECK, DAY_4, INDEXED } from "./field.ts";

/** Steps of one commit, as many as the checker's come to. */
const TOGETHER = 5;

interface DueStep {
  readonly id: number;
  readonly no: number;
  readonly first: number;
  readonly size: number;
  readonly members: Buffer;
}

/**
 * The least that has to be done for the steps that `makeDue` has queued: bare statements read the links of each step, give every
 * second one another state, and write evidence of both halves, their next steps, the project's counts and an event; durable. Nothing
 * is decided, leased, compared or made sure of, and the event loop is held all the time.
 */
export class CheckerFloor {
  readonly #reader: Database.Database;
  readonly #writer: Database.Database;

  constructor(path: string) {
    this.#writer = new Database(path);
    for (const pragma of ["synchronous = FULL", "cache_size = -8192", "temp_store = MEMORY"])
      this.#writer.pragma(pragma);
    this.#writer.pragma("wal_autocheckpoint = 20000");
    this.#reader = new Database(path, { readonly: true });
  }

  /** @returns links */
  drain(time: number): number {
    const reader = this.#reader;
    const writer = this.#writer;
    const due = reader.prepare("SELECT id, project_no AS no, first, size, members FROM steps").all() as DueStep[];
    const read = reader
      .prepare(
        `SELECT json_group_array(id), json_group_array(url), json_group_array(state), json_group_array(sent_at)
         FROM links WHERE id >= ? AND id <= ?`,
      )
      .raw();
    const move = writer.prepare(
      `UPDATE links SET state = ${INDEXED}, indexed_at = ? WHERE id >= ? AND id <= ? AND id & 1 = 0`,
    );
    const count = writer.prepare("UPDATE projects SET checking = checking - ?, indexed = indexed + ? WHERE no = ?");
    const observe = writer.prepare(
      `INSERT INTO observations (project_no, at, look, result, method, provider, counts, first, last, members)
       VALUES (?, ?, ${DAY_4}, ?, 'bench', 'instant', '{"queries":1}', ?, ?, ?)`,
    );
    const remove = writer.prepare("DELETE FROM steps WHERE id = ?");
    const enqueue = writer.prepare(
      `INSERT INTO steps (bucket, project_no, lane, action, look, negatives, tries, available_ms, priority, due_at, first, members, size)
       VALUES (0, ?, 0, ${CHECK}, ${DAY_4}, ?, 0, 0, 1, ?, ?, ?, ?)`,
    );
    const number = writer.prepare("UPDATE accounts SET events = events + 1 RETURNING id, events").raw();
    const tell = writer.prepare(
      "INSERT INTO events (account_id, no, at, type, data) VALUES (?, ?, ?, 'links.indexed', ?)",
    );
    const write = writer.transaction((steps: readonly DueStep[]) => {
      for (const { id, no, first, size, members } of steps) {
        const from = no * 16_384 + first;
        const [ids] = (read.get(from, from + size - 1) as string[]).map((column) => JSON.parse(column));
        remove.run(id);
        const { changes } = move.run(time, from, from + size - 1);
        count.run(changes, changes, no);
        for (const half of [0, 1]) {
          observe.run(no, time, half, first, first + size - 1, members);
          enqueue.run(no, half, time + 1 + half, first, members, Math.ceil(size / 2));
        }
        tell.run(...(number.get() as [string, number]), time, JSON.stringify({ links: ids.length }));
      }
    });
    for (let at = 0; at < due.length; at += TOGETHER) write.immediate(due.slice(at, at + TOGETHER));
    return due.reduce((sum, { size }) => sum + size, 0);
  }

  close(): void {
    this.#reader.close();
    this.#writer.close();
  }
}
