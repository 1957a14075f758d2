import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";

/** An empty database that is thrown away. */
export interface TestDatabase {
  /** As DATABASE_URL. */
  readonly url: string;
  drop(): Promise<void>;
}

/** Of the dialect that this run of the tests is for (vitest.config.ts). */
export function testDatabase(): Promise<TestDatabase> {
  return isOnPostgres ? postgresDatabase() : sqliteDatabase();
}

/** Whether this run of the tests is the one on PostgreSQL. */
export const isOnPostgres = process.env.TEST_DIALECT === "pg";

export async function sqliteDatabase(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "beckon-test-"));
  return {
    url: `file:${join(folder, "test.db")}`,
    drop: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A copy of one that is migrated already, on the server that the run has started (postgres-setup.ts). */
export async function postgresDatabase(): Promise<TestDatabase> {
  const server = new URL(process.env.TEST_POSTGRES_URL!);
  const name = `t_${randomUUID().replaceAll("-", "")}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  await ask(server, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  return { url: url.href, drop: () => ask(server, `DROP DATABASE ${name} WITH (FORCE)`) };
}

/** Migrated once for the whole run. */
export const TEMPLATE = "beckon_template";

async function ask(server: URL, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.href });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
