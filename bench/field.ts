import Database from "better-sqlite3";
import pg from "pg";
import { isPostgres, openDatabase, sqlitePath } from "../db/open.ts";
import { ACTIONS, CHECK_STAGES, LINK_STATES, numberOf } from "../db/words.ts";
import { STEP_SIZE } from "../src/domain/projects/states.ts";
import { DAY } from "../src/platform/clock.ts";

/** Codes of the states and actions, for plain SQL. */
export const CHECKING = numberOf(LINK_STATES, "checking");
export const INDEXED = numberOf(LINK_STATES, "indexed");
export const CHECK = numberOf(ACTIONS, "check");
export const DAY_4 = numberOf(CHECK_STAGES, "day_4");
const DAY_14 = numberOf(CHECK_STAGES, "day_14");

/** Service time at which the steps of a bench are due. */
export const DUE = Date.UTC(2026, 0, 1);
const LATER = DUE + 300 * DAY;
const PER_PROJECT = 10_000;
const STEPS_PER_PROJECT = PER_PROJECT / STEP_SIZE;
/** Links written by one statement. */
const CHUNK = 1_000_000;
/** The bitmap of a set of 500 consecutive positions. */
const MEMBERS = `${"ff".repeat(62)}0f`;

export interface Size {
  /** Bytes per link of the table of links with its index. */
  readonly links: number;
  /** Bytes per link of everything. */
  readonly all: number;
}

/**
 * A database full of projects of 10,000 links, each in steps of 500. Steps alternate between the check of day 4, of
 * links that are being checked, and the deciding check of day 14, of which half are indexed. Under a verifier that finds every
 * second one, half of the links of each step change: at day 4 they become indexed, at day 14 their credits are returned.
 */
export class Field {
  readonly url: string;
  readonly #ask: Ask;
  readonly #links: number;
  readonly #accounts: number;
  #used = 0;
  /** Ids of steps go on from here when the tables are filled again: the ledger knows the earlier ones. */
  #before = 0;

  private constructor(url: string, ask: Ask, links: number, accounts: number) {
    this.url = url;
    this.#ask = ask;
    this.#links = links;
    this.#accounts = accounts;
  }

  /** @param accounts number of accounts that the projects belong to; default: one for each project */
  static async make(url: string, links: number, accounts = links / PER_PROJECT): Promise<Field> {
    await (await openDatabase(url)).close();
    const field = new Field(url, isPostgres(url) ? await postgres(url) : sqlite(sqlitePath(url)), links, accounts);
    await field.#fill();
    return field;
  }

  get steps(): number {
    return this.#links / STEP_SIZE;
  }

  /** Makes steps due that were not yet, in an order in which neighbours are of different projects. @returns their links */
  async makeDue(links: number): Promise<number> {
    const wanted = Math.min(this.steps, Math.ceil(links / STEP_SIZE));
    if (this.#used + wanted > this.steps) await this.#fill();
    // A stride coprime to the number of steps visits each once, far from the one before.
    const ids = Array.from({ length: wanted }, (_, i) => (((this.#used + i) * 7919) % this.steps) + this.#before + 1);
    this.#used += wanted;
    await this.#ask.run(`UPDATE steps SET due_at = ${DUE} - id * 7919 % ${this.steps} WHERE id IN (${ids.join(",")})`);
    await this.#ask.tidy("steps");
    return wanted * STEP_SIZE;
  }

  /** @throws Error unless half of the links that were due since the last filling have changed, each exactly once */
  async proveDone(): Promise<void> {
    const due = this.#used * STEP_SIZE;
    const found = await this.#ask.number("SELECT count(*) FROM observations");
    const open = await this.#ask.number(`SELECT count(*) FROM steps WHERE due_at <= ${DUE}`);
    if (open > 0) throw new Error(`${open} steps were not done`);
    if (found !== this.#used * 2) throw new Error(`${found} observations of ${this.#used} steps`);
    const lost = await this.#ask.number("SELECT sum(not_indexed) FROM projects");
    const gained = (await this.#ask.number("SELECT sum(indexed) FROM projects")) - this.#links / 4;
    if (lost + gained !== due / 2) throw new Error(`${lost + gained} of ${due} links changed`);
  }

  size(): Promise<Size> {
    return this.#ask.size(this.#links);
  }

  close(): Promise<void> {
    return this.#ask.close();
  }

  async #fill(): Promise<void> {
    const { run, numbers, blob, serial } = this.#ask;
    if (this.#used > 0) this.#before += 10 * this.steps;
    this.#used = 0;
    await this.#ask.empty(["links", "steps", "observations", "projects"]);
    const projects = this.#links / PER_PROJECT;
    await run(`INSERT INTO accounts (id, bucket, name, credits, entries, created_at)
      SELECT 'acc_' || n, n % 64, 'bench', 0, 0, 0 FROM ${numbers(0, this.#accounts)}
      WHERE true ON CONFLICT DO NOTHING`);
    await run(`INSERT INTO projects (no, id, bucket, account_id, kind, name, mode, bing, yandex, drip_days, status, price,
        total, waiting, checking, indexed, not_indexed, failed, credits_spent, credits_returned, created_at) ${serial}
      SELECT n + 1, 'prj_' || n, (n % ${this.#accounts}) % 64, 'acc_' || (n % ${this.#accounts}), 'index', 'bench',
        'standard', ${this.#ask.no}, ${this.#ask.no}, 0, 'active', 1, ${PER_PROJECT}, 0, ${PER_PROJECT * 0.75},
        ${PER_PROJECT / 4}, 0, 0, ${PER_PROJECT}, 0, ${DUE - 14 * DAY} FROM ${numbers(0, projects)}`);
    for (let from = 0; from < this.#links; from += CHUNK) {
      const upTo = Math.min(from + CHUNK, this.#links);
      await run(`INSERT INTO links (id, bucket, url, state, sent_at, indexed_at)
        SELECT (n / ${PER_PROJECT} + 1) * 16384 + nth, (n / ${PER_PROJECT} % ${this.#accounts}) % 64,
          'https://www.example-' || (n % 7) || '.com/products/a-page-about-something-worth-reading-' || n || '.html',
          CASE WHEN late AND n % 2 = 0 THEN ${INDEXED} ELSE ${CHECKING} END,
          CASE WHEN late THEN ${DUE - 14 * DAY} ELSE ${DUE - 4 * DAY} END,
          CASE WHEN late AND n % 2 = 0 THEN ${DUE - 10 * DAY} END
        FROM (SELECT n, n % ${PER_PROJECT} AS nth, n / ${STEP_SIZE} % 2 = 1 AS late FROM ${numbers(from, upTo)}) AS given`);
    }
    await run(`INSERT INTO steps (id, bucket, project_no, lane, action, look, negatives, tries, available_ms, priority,
        due_at, first, members, size) ${serial}
      SELECT n + ${this.#before + 1}, (n / ${STEPS_PER_PROJECT} % ${this.#accounts}) % 64, n / ${STEPS_PER_PROJECT} + 1, 0, ${CHECK},
        CASE WHEN n % 2 = 1 THEN ${DAY_14} ELSE ${DAY_4} END, n % 2, 0, 0, 1, ${LATER} + n % 1440 * 60000,
        n % ${STEPS_PER_PROJECT} * ${STEP_SIZE}, ${blob(MEMBERS)}, ${STEP_SIZE}
      FROM ${numbers(0, this.steps)}`);
    await this.#ask.filled();
  }
}

/** SQL that differs between the dialects. */
interface Ask {
  run(text: string): Promise<unknown>;
  number(text: string): Promise<number>;
  /** A table of `n`: from … upTo-1. */
  numbers(from: number, upTo: number): string;
  blob(hex: string): string;
  /** Clause that allows a value for an identity column. */
  readonly serial: string;
  readonly no: string;
  empty(tables: readonly string[]): Promise<void>;
  tidy(table: string): Promise<void>;
  filled(): Promise<void>;
  size(links: number): Promise<Size>;
  close(): Promise<void>;
}

async function postgres(url: string): Promise<Ask> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const number = async (text: string) => Number(Object.values((await client.query(text)).rows[0] as object)[0]);
  return {
    run: (text) => client.query(text),
    number,
    numbers: (from, upTo) => `generate_series(${from}::bigint, ${upTo - 1}) AS n`,
    blob: (hex) => `decode('${hex}', 'hex')`,
    serial: "OVERRIDING SYSTEM VALUE",
    no: "false",
    empty: async (tables) => void (await client.query(`TRUNCATE ${tables.join(", ")}`)),
    tidy: async (table) => void (await client.query(`VACUUM ANALYZE ${table}`)),
    async filled() {
      await client.query("SELECT setval(pg_get_serial_sequence('steps', 'id'), (SELECT max(id) FROM steps))");
      await client.query("VACUUM ANALYZE");
      await client.query("CHECKPOINT");
    },
    size: async (links) => ({
      links: (await number("SELECT pg_total_relation_size('links')")) / links,
      all: (await number("SELECT pg_database_size(current_database())")) / links,
    }),
    close: () => client.end(),
  };
}

function sqlite(path: string): Ask {
  const raw = new Database(path);
  raw.pragma("synchronous = OFF");
  raw.pragma("wal_autocheckpoint = 20000");
  const number = async (text: string) => Number(raw.prepare(text).pluck().get());
  return {
    run: async (text) => raw.exec(text),
    number,
    numbers: (from, upTo) =>
      `(WITH RECURSIVE every(n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM every WHERE n + 1 < ${upTo}) SELECT n FROM every) AS n`,
    blob: (hex) => `x'${hex}'`,
    serial: "",
    no: "0",
    empty: async (tables) => {
      for (const table of tables) raw.exec(`DELETE FROM ${table}`);
    },
    tidy: async () => void raw.pragma("wal_checkpoint(TRUNCATE)"),
    filled: async () => void raw.pragma("wal_checkpoint(TRUNCATE)"),
    async size(links) {
      const pages = (await number("PRAGMA page_count")) - (await number("PRAGMA freelist_count"));
      const table = await number("SELECT sum(pgsize) FROM dbstat WHERE name = 'links'").catch(() => Number.NaN);
      return { links: table / links, all: (pages * (await number("PRAGMA page_size"))) / links };
    },
    close: async () => void raw.close(),
  };
}
