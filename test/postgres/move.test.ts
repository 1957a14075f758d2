import { randomUUID } from "node:crypto";
import Database from "better-sqlite3";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { movedTables } from "../../db/moving/tables.ts";
import { openDatabase, sqlitePath } from "../../db/open.ts";
import { schema } from "../../db/schema.pg.ts";
import { authenticatorAppOf } from "../../src/domain/factors/authenticator-app.ts";
import { readConfig } from "../../src/platform/config/config.ts";
import { secretBoxOf } from "../../src/platform/config/secrets-key.ts";
import { postgresDatabase, sqliteDatabase, type TestDatabase } from "../support/database/database.ts";
import { fillTables } from "../support/database/fill-tables.ts";
import { ownerOf } from "../support/database/people.ts";
import { rawQuery } from "../support/database/raw-query.ts";
import { seedPayments } from "../support/database/seed-payments.ts";
import { testStore } from "../support/database/store.ts";
import { beckon } from "../support/service/cli.ts";
import { APP_SECRET, sealIn } from "../support/website/factors.ts";

let source: TestDatabase;
let target: TestDatabase;
beforeEach(async () => {
  source = await sqliteDatabase();
  target = await postgresDatabase();
});
afterEach(async () => {
  await source.drop();
  await target.drop();
});

test("moves every row, the mode and the clock; the audit passes, and the source stays", async () => {
  await books();
  const clock = await beckon({ DATABASE_URL: source.url, TIME_SCALE: "60" }, "audit");
  expect(clock.code).toBe(0);
  const before = file((db) => db.prepare("SELECT name, value FROM meta ORDER BY name").all());
  const { code, json } = await beckon({}, "move", "--from", source.url, "--to", target.url, "--json");
  expect(code).toBe(0);
  expect(json).toMatchObject({ ok: true, audit: { ok: true, orders: 9, projects: 2, links: 5 } });
  expect(json.to).not.toContain("postgres:postgres@");
  expect(json.tables.map(({ name }: { name: string }) => name)).toEqual(movedTables().map(({ name }) => name));
  expect(json.tables).toContainEqual({ name: "links", rows: 5, checksum: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(await rows("SELECT name, value FROM meta ORDER BY name")).toEqual(before);

  const there = await beckon({ DATABASE_URL: target.url }, "audit", "--json");
  expect(there.json).toMatchObject({ ok: true, orders: 9, projects: 2 });
  for (const command of ["serve", "audit"]) {
    const { code, err } = await beckon({ DATABASE_URL: source.url, PORT: "0" }, command);
    expect(code).toBe(1);
    expect(err).toMatch(
      /^beckon: This database was moved to postgres:\/\/postgres@127\.0\.0\.1:\d+\/t_\w+, and what is/,
    );
  }
  const again = await move();
  expect(again.err).toMatch(/ was moved to postgres:.* Set DATABASE_URL to that one\.\n$/);
});

test("sealed secrets are moved as they are: the same key opens them, and with another key the command says what is missing", async () => {
  const [right, other] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString("base64"));
  const key = { SECRETS_KEY: right };
  const own = { DATABASE_URL: source.url, ...key };
  const made = await beckon(own, "account", "create", "--email", "eve@example.com", "--json");
  const accountId = made.json.account.id;
  await sealIn(own, accountId);
  const moved = await beckon(key, "move", "--from", source.url, "--to", target.url);
  expect([moved.code, moved.out]).toEqual([
    0,
    expect.stringContaining("1 sealed secret can be opened with the present"),
  ]);
  const db = await openDatabase(target.url);
  const personId = await ownerOf(db, accountId);
  const { sealedSecret } = (await authenticatorAppOf(db, personId))!;
  const box = secretBoxOf(readConfig({ DATABASE_URL: target.url, ...key }));
  const field = { table: "authenticator_apps", row: personId, column: "sealed_secret" };
  expect(box.open(sealedSecret, field)).toBe(APP_SECRET);
  await db.close();
  const lost = await beckon({ DATABASE_URL: target.url, SECRETS_KEY: other }, "doctor", "--json");
  expect(lost.json.checks).toContainEqual(expect.objectContaining({ name: "Secrets", ok: false }));
});

test("law: every table is moved with every kind of value, and sequences continue where they were", async () => {
  await books();
  const path = sqlitePath(source.url);
  fillTables(path);
  // The books no longer add up, which the audit says; what is moved is the same all the same.
  const { code, json } = await beckon({}, "move", "--force", "--from", source.url, "--to", target.url, "--json");
  expect([code, json.ok, json.audit.problems.length > 0]).toEqual([1, false, true]);
  expect(json.tables).toHaveLength(Object.keys(schema).length);
  for (const { name, columns, key, identity } of movedTables()) {
    const names = columns.map((column) => `"${column.name}"`).join(", ");
    const order = key.map(({ name, kind }) => (kind === "text" ? `"${name}" COLLATE "C"` : `"${name}"`)).join(", ");
    const there = await rows(`SELECT ${names} FROM "${name}" ORDER BY ${order}`);
    const here = file((db) =>
      db
        .prepare(`SELECT ${names} FROM "${name}" ${name === "meta" ? "WHERE name <> 'moved_to'" : ""}
                  ORDER BY ${key.map((column) => `"${column.name}"`).join(", ")}`)
        .all(),
    ) as Record<string, unknown>[];
    const truths = columns.filter(({ kind }) => kind === "boolean");
    for (const row of here) for (const column of truths) row[column.name] = row[column.name] === 1;
    expect(here.length, name).toBeGreaterThanOrEqual(11);
    expect(there, name).toEqual(here);
    if (identity === null) continue;
    // The one with the highest number was deleted: its number is never given again.
    const last = file((db) => db.prepare("SELECT seq FROM sqlite_sequence WHERE name = ?").pluck().get(name)) as number;
    const [next] = await rows(`SELECT nextval(pg_get_serial_sequence('"${name}"', '${identity}')) AS no`);
    expect(Number(next!.no), name).toBe(last + 1);
  }
  // The rules of the ledger hold again.
  await expect(rows("UPDATE ledger SET credits = 1")).rejects.toThrow("append-only");
});

test("exit 1: a target with a row in any table, of this program or another", async () => {
  await books();
  await (await openDatabase(target.url)).close();
  await rows("INSERT INTO providers (name, failures) VALUES ('x', 0)");
  const { code, err } = await move();
  expect(code).toBe(1);
  expect(err).toMatch(/^beckon: The target is not empty: there are rows in providers\. Nothing was moved\./);
  expect(err).toMatch(/ otherwise make an empty database \(createdb NAME\) and name that\.\n$/);
  expect(await rows("SELECT count(*)::int AS n FROM accounts")).toEqual([{ n: 0 }]);
  expect(leftMark()).toBeUndefined();
});

test("a target on which a service only started counts as empty: its mode, clock and recurring jobs are replaced", async () => {
  await books();
  expect((await beckon({ DATABASE_URL: source.url, TIME_SCALE: "60" }, "audit")).code).toBe(0);
  expect((await beckon({ DATABASE_URL: target.url, TIME_SCALE: "7" }, "audit")).code).toBe(0);
  await rows("INSERT INTO ticks (job, slot, node, at) VALUES ('x', 1, 'n', 1)");
  const before = file((db) => db.prepare("SELECT name, value FROM meta ORDER BY name").all());
  expect((await move()).code).toBe(0);
  expect(await rows("SELECT name, value FROM meta ORDER BY name")).toEqual(before);
  expect(await rows("SELECT * FROM ticks")).toEqual([]);
});

test("exit 1: a target that an idle service has open", async () => {
  await books();
  const service = await openDatabase(target.url);
  await service.now();
  const { code, err } = await move();
  await service.close();
  expect(code).toBe(1);
  expect(err).toMatch(/^beckon: The target at .* is in use\. Stop the services that run on it\.\n$/);
  await expectNothing();
});

test("exit 1: an audit that fails is reported before the commit, and nothing is moved; --force moves it anyway", async () => {
  await books();
  file((db) => db.exec("UPDATE accounts SET credits = credits + 1"));
  const { code, err } = await move();
  expect(code).toBe(1);
  expect(refusalIn(err)).toMatch(
    /^beckon: The audit of .*test\.db found problems, and nothing was moved; --force moves it anyway\.\n {2}account acc_/,
  );
  expect(err).not.toContain("    at ");
  await expectNothing();
  const forced = await beckon({}, "move", "--force", "--from", source.url, "--to", target.url, "--json");
  expect([forced.code, forced.json.ok, forced.json.audit.problems.length > 0]).toEqual([1, false, true]);
  expect(leftMark()).toBe(forced.json.to);
});

test("exit 1: a target whose encoding cannot store every text; nothing is written", async () => {
  await books();
  const name = `latin_${randomUUID().replaceAll("-", "")}`;
  await rows(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
  const latin = new URL(target.url);
  latin.pathname = `/${name}`;
  try {
    const { code, err } = await beckon({}, "move", "--from", source.url, "--to", latin.href);
    expect(code).toBe(1);
    expect(err).toMatch(/^beckon: The database "latin_\w+" keeps text as LATIN1, .*createdb -E UTF8 -T template0 /);
    expect(await rawQuery(latin.href, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
    expect(leftMark()).toBeUndefined();
  } finally {
    await rows(`DROP DATABASE ${name}`);
  }
});

test("exit 1: a source that another program has open, even idle; none can open it during the move", async () => {
  const store = await books(false);
  const busy = await move();
  expect(busy.code).toBe(1);
  expect(busy.err).toMatch(/^beckon: Another program has .*test\.db open\. Stop the service, /);
  await store.db.close();

  // Somebody at work on the target keeps the move waiting while it has the source for itself.
  const other = await client();
  await other.query("BEGIN; LOCK TABLE links IN ROW EXCLUSIVE MODE");
  const moving = move();
  await expect
    .poll(
      () => rows("SELECT 1 FROM pg_stat_activity WHERE application_name = 'beckon-move' AND wait_event_type = 'Lock'"),
      { timeout: 4_000 },
    )
    .toHaveLength(1);
  const second = new Database(sqlitePath(source.url), { timeout: 50 });
  expect(() => second.prepare("SELECT * FROM meta").all()).toThrow("database is locked");
  second.close();
  await other.query("ROLLBACK");
  await other.end();
  expect((await moving).code).toBe(0);
});

test("exit 1: other programs that keep working on the target", async () => {
  await books();
  const other = await client();
  await other.query("BEGIN; LOCK TABLE links IN ROW EXCLUSIVE MODE");
  const { code, err } = await move();
  await other.end();
  expect(code).toBe(1);
  expect(err).toMatch(/^beckon: The target at 127\.0\.0\.1:\d+ is in use\. Stop the services that run on it\.\n$/);
});

const UNFIT: readonly (readonly [what: string, statement: string, sentence: RegExp])[] = [
  [
    "a NUL character",
    "UPDATE links SET url = 'https://a.example/' || char(0) || 'x' WHERE id % 16384 = 1",
    /^beckon: Table links, row with id = \d+: the column url holds a NUL character, which PostgreSQL does not take\. Nothing was moved; /,
  ],
  [
    "text for a number",
    "UPDATE projects SET total = 'many'",
    /Table projects, row with no = 1: the column total is no whole/,
  ],
  ["too large a number", "UPDATE projects SET drip_days = 40000", /the column drip_days is no smallint\. Nothing/],
  [
    "bytes for text",
    "UPDATE accounts SET name = x'00'",
    /Table accounts, row with id = "acc_\w+": the column name is no text/,
  ],
  ["a third truth", "UPDATE projects SET bing = 2", /the column bing is neither 0 nor 1\. Nothing/],
];

test.each(UNFIT)("exit 1 %s: named with its place, and nothing is left", async (_, statement, sentence) => {
  await books();
  file((db) => db.exec(statement));
  const { code, err } = await move();
  expect(code).toBe(1);
  expect(refusalIn(err)).toMatch(sentence);
  expect(refusalIn(err).trim().split("\n")).toHaveLength(1);
  await expectNothing();
});

test("exit 1: rows changed on the way are found by the checksum, and nothing is left", async () => {
  await books();
  await (await openDatabase(target.url)).close();
  // As a column would that somebody has changed by hand: it pads what it takes.
  await rows("ALTER TABLE orders ALTER COLUMN status TYPE char(20)");
  const { code, err } = await move();
  expect(code).toBe(1);
  expect(refusalIn(err)).toMatch(
    /^beckon: The table orders did not arrive as it was: 9 rows here, 9 there, and their checksums differ\. /,
  );
  await expectNothing();
});

test("exit 1: a connection cut in the middle leaves nothing, and the move can be repeated", async () => {
  await books();
  const path = sqlitePath(source.url);
  file((db) =>
    db.exec(`INSERT INTO links (id, bucket, url, state)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150000)
      SELECT 90000000 + i, 0, 'https://example.com/' || i, 0 FROM n`),
  );
  const moving = move();
  await expect
    .poll(
      async () => {
        const cut = "application_name = 'beckon-move' AND query LIKE 'INSERT INTO \"links\"%'";
        return rows(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${cut}`);
      },
      { interval: 2, timeout: 30_000 },
    )
    .toHaveLength(1);
  const { code, err } = await moving;
  expect(code).toBe(1);
  expect(err).toMatch(/^beckon: PostgreSQL at 127\.0\.0\.1:\d+: /m);
  await expectNothing();
  // No project has these links.
  const again = await beckon({ DATABASE_URL: target.url }, "move", "--force", "--from", path, "--json");
  const { tables } = again.json;
  expect(tables).toContainEqual(expect.objectContaining({ name: "links", rows: 150_005 }));
});

test("exit 1: a target that does not answer or refuses: one sentence, without the password", async () => {
  await books();
  const nobody = new URL(target.url);
  nobody.port = "1";
  nobody.password = "s3cret";
  const away = await beckon({}, "move", "--from", source.url, "--to", nobody.href);
  expect(away.err).toBe("beckon: PostgreSQL at 127.0.0.1:1: PostgreSQL does not answer: the connection was refused.\n");
  const missing = new URL(target.url);
  missing.pathname = `/${randomUUID()}`;
  const { code, err } = await beckon({}, "move", "--from", source.url, "--to", missing.href);
  expect(code).toBe(1);
  expect(err).toMatch(/^beckon: PostgreSQL at 127\.0\.0\.1 has no database ".*"\. Make it with: createdb /);
  expect(leftMark()).toBeUndefined();
});

/** A source with payments, projects and links of all sorts. @param close so that nobody has it open */
async function books(close = true) {
  const store = await testStore(Promise.resolve(source));
  await seedPayments(store);
  if (close) await store.db.close();
  return store;
}

/** Without what was told of how far it is, which a slow machine is told of. */
function refusalIn(err: string): string {
  return err.slice(err.indexOf("beckon: "));
}

function move() {
  return beckon({}, "move", "--from", source.url, "--to", target.url);
}

function file<T>(use: (db: Database.Database) => T): T {
  const db = new Database(sqlitePath(source.url));
  try {
    return use(db);
  } finally {
    db.close();
  }
}

function leftMark(): unknown {
  return file((db) => db.prepare("SELECT value FROM meta WHERE name = 'moved_to'").pluck().get());
}

/** No row is in any table of the target, and the source may be served from. */
async function expectNothing(): Promise<void> {
  for (const { name } of movedTables()) expect(await rows(`SELECT * FROM "${name}"`), name).toEqual([]);
  expect(leftMark()).toBeUndefined();
}

async function client(): Promise<pg.Client> {
  const made = new pg.Client({ connectionString: target.url });
  made.on("error", () => undefined);
  await made.connect();
  return made;
}

async function rows(text: string): Promise<Record<string, unknown>[]> {
  const asked = new pg.Client({
    connectionString: target.url,
    types: {
      getTypeParser: (oid: number) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid as never)),
    } as never,
  });
  await asked.connect();
  try {
    const answer = await asked.query(text);
    return Array.isArray(answer) ? [] : answer.rows;
  } finally {
    await asked.end();
  }
}
