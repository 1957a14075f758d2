import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { knownMigrations } from "../../../db/known-migrations.ts";
import { openDatabase } from "../../../db/open.ts";
import { packageRoot } from "../../../src/platform/package-root.ts";
import { readDatabaseSchema } from "../../support/checks/database-schema.ts";
import { rawQuery } from "../../support/database/raw-query.ts";

let url: string;
beforeEach(async () => {
  const made = new URL(process.env.TEST_POSTGRES_URL!);
  const name = `m_${randomUUID().replaceAll("-", "")}`;
  made.pathname = `/${name}`;
  await rawQuery(process.env.TEST_POSTGRES_URL!, `CREATE DATABASE ${name} TEMPLATE template0`);
  url = made.href;
});
afterEach(() =>
  rawQuery(process.env.TEST_POSTGRES_URL!, `DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`),
);

const applied = () =>
  rawQuery<{ hash: string }>(url, "SELECT hash FROM migrations WHERE hash <> 'lock' ORDER BY at, hash");

/** Opens it in a process of its own. */
const elsewhere = () => {
  const script = `const { openDatabase } = await import(${JSON.stringify(join(packageRoot, "db/open.ts"))});
    const db = await openDatabase(${JSON.stringify(url)}); await db.close();`;
  return promisify(execFile)(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
    cwd: packageRoot,
  });
};

test("processes that open a new database at the same time migrate it once", async () => {
  await Promise.all([elsewhere(), elsewhere(), elsewhere()]);
  const first = await applied();
  expect(first.map(({ hash }) => hash)).toEqual(knownMigrations("pg").map(({ hash }) => hash));
  await elsewhere();
  expect(await applied()).toEqual(first);
  const db = await openDatabase(url);
  expect((await db.schema()).age).toBe("newest");
  await db.close();
});

test("many connections of one process that open a new database migrate it once", async () => {
  const opened = await Promise.all(Array.from({ length: 6 }, () => openDatabase(url)));
  await Promise.all(opened.map((db) => db.close()));
  expect(new Set((await applied()).map(({ hash }) => hash)).size).toBe((await applied()).length);
});

test("law: a migration that fails leaves no change, and the next start applies it whole", async () => {
  // In the way of one of its statements, with others before and after it.
  await rawQuery(url, "CREATE TABLE sites (id text)");
  await expect(openDatabase(url)).rejects.toThrow(/already exists/);
  const { columns } = await readDatabaseSchema(url);
  expect(Object.keys(columns).sort()).toEqual(["sites"]);
  expect(await applied()).toEqual([]);
  await rawQuery(url, "DROP TABLE sites");
  await (await openDatabase(url)).close();
  expect(await applied()).toHaveLength(knownMigrations("pg").length);
});

test("a process that has locked the migrations makes the others wait, and they go on when it ends", async () => {
  await (await openDatabase(url)).close();
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT 1 FROM migrations WHERE hash = 'lock' FOR UPDATE");
    let isOpen = false;
    const opening = openDatabase(url).then((db) => {
      isOpen = true;
      return db;
    });
    const waits = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    await expect.poll(() => rawQuery(url, waits), { timeout: 30_000 }).toHaveLength(1);
    expect(isOpen).toBe(false);
    await holder.query("ROLLBACK");
    await (await opening).close();
  } finally {
    await holder.end();
  }
});

test("a database changed by a newer version is not opened, and stays unchanged", async () => {
  await (await openDatabase(url)).close();
  await rawQuery(url, "INSERT INTO migrations VALUES ('f00d', 9000000000000, '0.9.0')");
  const before = await applied();
  await expect(openDatabase(url)).rejects.toThrow(/^A newer version of Beckon \(0\.9\.0\) has changed the database, /);
  expect(await applied()).toEqual(before);
});
