import { type Column, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { ROWS, selectOf } from "../bulk-rows.ts";
import type { Engine, Queries, Reader, WorkLink } from "../engine.ts";
import { type AppliedMigration, schemaState } from "../known-migrations.ts";
import { preparedOver } from "../prepared.ts";
import { schema } from "../schema.pg.ts";
import { TransactionScope } from "../transaction-scope.ts";
import { LINK_STATES } from "../words.ts";
import { type Connection, openPool, type PostgresOptions, withReadRetry } from "./connection.ts";
import { claimSteps, hotStatements } from "./hot.ts";
import { APPLIED } from "./migrate.ts";
import { Transactions } from "./transactions.ts";

/**
 * PostgreSQL 15 or newer, over a pool. Transactions are SERIALIZABLE and retried after serialization failures (PostgreSQL
 * manual 13.2.3), so that their effect is the same as on SQLite, where they run one after another. Transactions that ask for
 * REPEATABLE READ have the same effect at that level, because of the rows that they change.
 */
export function openPostgres(url: string, options: PostgresOptions = {}): Engine {
  const pool = openPool(url, options);
  const scope = new TransactionScope();
  const reads = withReadRetry(pool);
  const outside: Connection = {
    // In a transaction, a second connection would see another snapshot, and could exhaust a small pool.
    query: ((...given: Parameters<pg.Pool["query"]>) => {
      if (scope.isActive()) throw new Error("a read inside a transaction that does not use its handle");
      return reads.query(...given);
    }) as Connection["query"],
  };
  const handleOf = (client: pg.PoolClient) => ({ ...readerOver(client), ...hotStatements(client) });
  const transactions = new Transactions(pool, handleOf, options);

  return {
    dialect: "pg",
    ...readerOver(outside),
    async tx(work, options) {
      if (scope.isActive()) throw new Error("a transaction inside a transaction");
      return transactions.run((tx) => scope.run(() => work(tx)), options);
    },
    snapshot: (work) => transactions.snapshot((tx) => scope.run(() => work(tx))),
    readCommitted: (work) => transactions.readCommitted((tx) => scope.run(() => work(tx))),
    async schema() {
      const { rows } = await outside.query({ name: "applied", text: APPLIED });
      return schemaState("pg", rows as AppliedMigration[]);
    },
    claimSteps: (claim) => transactions.claim((client) => claimSteps(client, claim)),
    async now() {
      const { rows } = await outside.query({ name: "now", text: NOW });
      return (rows[0] as { at: number }).at;
    },
    stats: () => ({
      retried: transactions.retried,
      poolTotal: pool.totalCount,
      poolIdle: pool.idleCount,
      poolWaiting: pool.waitingCount,
    }),
    checkpoint() {},
    close: () => pool.end(),
  };
}

const NOW = "SELECT floor(extract(epoch from clock_timestamp()) * 1000)::bigint AS at";

/** @param connection a pool, or one client of it */
export function readerOver(connection: Connection): Reader {
  const q = drizzle({ client: connection as pg.Pool }) as unknown as Queries;
  return {
    q,
    t: schema,
    prepared: preparedOver(q, schema),
    among: (column: Column, ids: readonly number[]) => sql`${column} = ANY(${sql.param([...ids])}::bigint[])`,
    amongListed: (column: Column, list: string) =>
      sql`${column} = ANY(ARRAY(SELECT jsonb_array_elements_text(${sql.placeholder(list)}::jsonb)::bigint))`,
    rowsOf: (table) => {
      const read = (property: string, type: string) =>
        sql`(value ->> ${sql.raw(`'${property}'`)})::${sql.raw(type === "integer" ? "bigint" : type)}`;
      return sql`${selectOf(table, read)} FROM jsonb_array_elements(${sql.placeholder(ROWS)}::jsonb) AS listed(value)`;
    },
    caseless: (column: Column) => sql`lower(${column} COLLATE "C")`,
    gathered: (column: Column) => sql<number[]>`json_agg(${column})`,
    async linksBetween(from, to) {
      const { rows } = await connection.query({ name: "links_between", text: LINKS_BETWEEN, values: [from, to] });
      for (const row of rows) row.state = LINK_STATES[row.state];
      return rows as WorkLink[];
    },
  };
}

const LINKS_BETWEEN = `SELECT id, url, state, sent_at AS "sentAt", cancelled_at AS "cancelledAt" FROM links
  WHERE id >= $1 AND id <= $2 ORDER BY id`;
