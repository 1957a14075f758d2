import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { knownMigrations } from "../../db/known-migrations.ts";
import { openDatabase } from "../../db/open.ts";
import { DatabaseUnavailable } from "../../src/platform/errors/database-unavailable.ts";
import { packageRoot } from "../../src/platform/package-root.ts";
import { type PostgresServer, startPostgres } from "../support/database/postgres-server.ts";
import { rawQuery } from "../support/database/raw-query.ts";
import { beckon } from "../support/service/cli.ts";

const SECRET = "s3cret-of-nobody";
let server: PostgresServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "beckon-hba-"));
  const rules = join(folder, "hba.conf");
  // "locked" needs its password, everyone else none.
  await writeFile(rules, "host all locked 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n");
  await promisify(execFile)("chmod", ["-R", "a+rX", folder]);
  server = await startPostgres({ settings: [`hba_file=${rules}`] });
  await ask(`CREATE ROLE locked LOGIN PASSWORD '${SECRET}'`);
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

async function ask(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url() });
  await client.connect();
  await client.query(text);
  await client.end();
}

/** What an operator with this DATABASE_URL is told. */
async function messageOf(change: (url: URL) => void): Promise<string> {
  const url = new URL(server.url());
  change(url);
  const thrown = await openDatabase(url.href).then(
    () => expect.unreachable("it was opened"),
    (thrown: Error) => thrown,
  );
  expect(thrown.message).not.toContain(SECRET);
  expect(thrown.message).not.toContain("wr0ng");
  return thrown.message;
}

test("a wrong password, user, database, port or permission is named, with what to do and without the password", async () => {
  await server.create("theirs");
  const messages = [
    await messageOf((url) => Object.assign(url, { username: "locked", password: "wr0ng" })),
    await messageOf((url) => Object.assign(url, { username: "locked", password: "" })),
    await messageOf((url) => Object.assign(url, { username: "stranger" })),
    await messageOf((url) => Object.assign(url, { pathname: "/missing" })),
    await messageOf((url) => Object.assign(url, { username: "locked", password: SECRET, pathname: "/theirs" })),
    await messageOf((url) => Object.assign(url, { hostname: "beckon.invalid" })),
  ];
  expect(messages).toEqual([
    'PostgreSQL at 127.0.0.1 refuses the user "locked" or its password. Check both in DATABASE_URL.',
    "PostgreSQL at 127.0.0.1 wants a password. Write it into DATABASE_URL, as in postgres://user:password@host/database.",
    'PostgreSQL at 127.0.0.1 refuses the user "stranger" or its password. Check both in DATABASE_URL.',
    'PostgreSQL at 127.0.0.1 has no database "missing". Make it with: createdb missing',
    'The user "locked" may not make tables in "theirs". Make it the database\'s owner.',
    'The host of DATABASE_URL, "beckon.invalid", is not known to this machine.',
  ]);
});

test("a start waits for a server that is down, logs it once, and then continues", async () => {
  const url = await server.create("late");
  await server.halt("fast");
  const waits: string[] = [];
  const opening = openDatabase(url, { waitMs: 60_000, onWaiting: (reason) => void waits.push(reason) });
  await expect.poll(() => waits).toHaveLength(1);
  await server.restart();
  const db = await opening;
  expect(await db.q.select().from(db.t.accounts)).toEqual([]);
  expect(waits).toEqual([
    `PostgreSQL at 127.0.0.1:${server.port} cannot be used yet; waiting for it, up to 60 s. PostgreSQL does not answer: the connection was refused.`,
  ]);
  await db.close();
});

test("a start gives up with a message when the server stays down past the time limit", async () => {
  const opening = openDatabase("postgres://nobody:s3cret@127.0.0.1:1/beckon", { waitMs: 300 });
  await expect(opening).rejects.toThrow(DatabaseUnavailable);
  await expect(opening).rejects.toThrow(
    "DATABASE_URL, PostgreSQL at 127.0.0.1:1: PostgreSQL does not answer: the connection was refused.",
  );
});

test("a start names what else it waits for: a free connection, or a database that is not read-only", async () => {
  await server.create("crowded");
  await ask("ALTER DATABASE crowded CONNECTION LIMIT 0");
  await ask("CREATE ROLE plain LOGIN");
  await server.create("frozen");
  await ask("ALTER DATABASE frozen SET default_transaction_read_only = on");
  const at = `PostgreSQL at 127.0.0.1:${server.port}`;
  const url = Object.assign(new URL(server.url("crowded")), { username: "plain" });
  const crowded = openDatabase(url.href);
  const taken = "PostgreSQL takes no more connections; its max_connections has to hold the pools of all processes.";
  await expect(crowded).rejects.toThrow(`DATABASE_URL, ${at}: ${taken}`);
  const frozen = openDatabase(server.url("frozen"));
  const fixed =
    "PostgreSQL takes no changes: it is a standby, or the database is set to default_transaction_read_only.";
  await expect(frozen).rejects.toThrow(`DATABASE_URL, ${at}: ${fixed}`);
});

test.each(["LATIN1", "SQL_ASCII"])(
  "a database that keeps text as %s is refused before anything is written",
  async (encoding) => {
    const name = `as_${encoding.toLowerCase()}`;
    await ask(`CREATE DATABASE ${name} ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`);
    expect(await messageOf((url) => Object.assign(url, { pathname: `/${name}` }))).toBe(
      `The database "${name}" keeps text as ${encoding}, which lacks most letters. Make one that keeps UTF-8: createdb -E UTF8 -T template0 --locale=C NAME`,
    );
    const url = server.url(name);
    const doctor = await beckon({ DATABASE_URL: url, PORT: "0" }, "doctor");
    expect(doctor.code).toBe(1);
    expect(doctor.out).toContain(`✗ Database: The database "${name}" keeps text as ${encoding}`);
    expect(await rawQuery(url, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
    // What createdb does when it is typed as the sentence says.
    await ask(`CREATE DATABASE ${name}_again ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0`);
    await (await openDatabase(server.url(`${name}_again`))).close();
  },
);

test("four nodes that start at once on a new database migrate it once, and all of them open it", async () => {
  const url = await server.create("fresh");
  const script = `const { openDatabase } = await import(${JSON.stringify(join(packageRoot, "db/open.ts"))});
    const open = async () => (await openDatabase(${JSON.stringify(url)})).close();
    await Promise.all([open(), open()]);`;
  const start = () =>
    promisify(execFile)(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
      cwd: packageRoot,
    });
  await Promise.all([start(), start()]);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("SELECT hash FROM migrations WHERE hash <> 'lock'");
  await client.end();
  expect(rows).toEqual(knownMigrations("pg").map(({ hash }) => ({ hash })));
});

test("a node that dies in the middle of a migration leaves nothing of it, and the next one migrates", async () => {
  const url = await server.create("halfway");
  const first = new pg.Client({ connectionString: url });
  first.on("error", () => undefined);
  await first.connect();
  await first.query("CREATE TABLE migrations (hash text PRIMARY KEY, at bigint NOT NULL, version text NOT NULL)");
  await first.query("INSERT INTO migrations VALUES ('lock', 0, '')");
  await first.query("BEGIN");
  await first.query("SELECT 1 FROM migrations WHERE hash = 'lock' FOR UPDATE");
  await first.query("CREATE TABLE accounts (id int)");
  const opening = openDatabase(url);
  // The other node waits at the row; then the machine of the first one is gone.
  await expect
    .poll(async () => {
      const client = new pg.Client({ connectionString: server.url() });
      await client.connect();
      const { rows } = await client.query(
        "SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity a JOIN pg_stat_activity b ON a.pid = ANY(pg_blocking_pids(b.pid)) WHERE b.datname = 'halfway'",
      );
      await client.end();
      return rows.length;
    })
    .toBe(1);
  const db = await opening;
  expect(await db.q.select().from(db.t.accounts)).toEqual([]);
  await db.close();
});
