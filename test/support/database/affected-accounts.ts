import Database from "better-sqlite3";
import { sql } from "drizzle-orm";
import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Engine, Tx, TxOptions } from "../../../db/engine.ts";
import { sqlitePath } from "../../../db/open.ts";

interface AnswerTable {
  /** SQL for the account of a row, `NEW` or `OLD`. */
  readonly accountOf: (row: string) => string;
  /** Columns that no answer from memory has. */
  readonly unread?: readonly string[];
  /** Which new rows change an answer; default: all. */
  readonly insertedWhen?: string;
}

/**
 * The tables that answers from memory, and the credentials of those who get them, are read from. A transaction that changes a
 * row, in a column that is not unread, affects its account.
 */
export const ANSWER_TABLES: Readonly<Record<string, AnswerTable>> = {
  accounts: { accountOf: (row) => `${row}.id`, unread: ["events"] },
  api_keys: { accountOf: ofItself, unread: ["last_used_at"] },
  grants: { accountOf: ofItself, unread: ["last_used_at"] },
  access_tokens: { accountOf: (row) => `(SELECT account_id FROM grants WHERE id = ${row}.grant_id)` },
  budgets: { accountOf: ofItself },
  orders: { accountOf: ofItself },
  ledger: { accountOf: ofItself },
  // Without a row nothing was submitted, either.
  usage: { accountOf: ofItself, unread: ["requests"], insertedWhen: "NEW.submissions > 0" },
  projects: { accountOf: ofItself },
  links: { accountOf: (row) => ofProject(`${row}.id / 16384`) },
  steps: { accountOf: (row) => ofProject(`${row}.project_no`), unread: ["lease", "lease_until", "intent_at"] },
  deliveries: { accountOf: (row) => ofProject(`${row}.project_no`) },
  observations: { accountOf: (row) => ofProject(`${row}.project_no`) },
  bing_checks: { accountOf: (row) => ofProject(`${row}.project_no`) },
};

function ofItself(row: string): string {
  return `${row}.account_id`;
}

function ofProject(no: string): string {
  return `(SELECT account_id FROM projects WHERE no = ${no})`;
}

const affected = sqliteTable("affected_accounts", { account: text("account").primaryKey() });

/**
 * The same SQLite database, in which a transaction fails that changes data of an account which its `affectedAccounts` does not
 * name. Triggers note whose rows are changed.
 */
export function withCheckedAccounts(db: Engine, url: string): Engine {
  if (db.dialect !== "sqlite") return db;
  addTriggers(sqlitePath(url));
  return {
    ...db,
    tx: (work, options) => db.tx((tx) => checked(tx, work, options), options),
  };
}

async function checked<T>(tx: Tx, work: (tx: Tx) => Promise<T>, { affectedAccounts }: TxOptions = {}): Promise<T> {
  // Those of other connections.
  await tx.q.delete(affected as never);
  const result = await work(tx);
  const rows = (await tx.q.select({ account: sql<string>`account` }).from(sql`affected_accounts`)) as {
    account: string;
  }[];
  const others = rows.filter(({ account }) => !(affectedAccounts ?? [account]).includes(account));
  if (others.length > 0)
    throw new Error(
      `a transaction changed data of ${others.map(({ account }) => account)}, and says it affects ${affectedAccounts}`,
    );
  return result;
}

function addTriggers(path: string): void {
  const bare = new Database(path);
  const note = (account: string) => `INSERT INTO affected_accounts SELECT coalesce(${account}, 'unknown') AS one
     WHERE NOT EXISTS (SELECT 1 FROM affected_accounts WHERE account = one);`;
  bare.exec("CREATE TABLE IF NOT EXISTS affected_accounts (account TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID");
  for (const [table, { accountOf, unread = [], insertedWhen = "true" }] of Object.entries(ANSWER_TABLES)) {
    const columns = (bare.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
    const read = columns.filter((name) => !unread.includes(name)).map((name) => `"${name}"`);
    bare.exec(`
      CREATE TRIGGER IF NOT EXISTS ${table}_inserted AFTER INSERT ON ${table} WHEN ${insertedWhen}
      BEGIN ${note(accountOf("NEW"))} END;
      CREATE TRIGGER IF NOT EXISTS ${table}_deleted BEFORE DELETE ON ${table} BEGIN ${note(accountOf("OLD"))} END;
      CREATE TRIGGER IF NOT EXISTS ${table}_updated AFTER UPDATE OF ${read.join(", ")} ON ${table}
      BEGIN ${note(accountOf("OLD"))} ${note(accountOf("NEW"))} END;
    `);
  }
  bare.close();
}
