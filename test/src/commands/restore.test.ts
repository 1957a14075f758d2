import { execFile } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import Database from "better-sqlite3";
import { beforeEach, expect, test } from "vitest";
import { openDatabase } from "../../../db/open.ts";
import { packageRoot } from "../../../src/platform/package-root.ts";
import { makeUnreleased, unreleasedSentence } from "../../support/database/schema-ages.ts";
import { smallDisk } from "../../support/database/small-disk.ts";
import { PROGRAM } from "../../support/service/beckon-command.ts";
import { accountIn, beckon, scratchFolder } from "../../support/service/cli.ts";

let folder: string;
let path: string;
let backup: string;
let env: { DATABASE_URL: string };
beforeEach(async () => {
  folder = scratchFolder();
  path = join(folder, "test.db");
  env = { DATABASE_URL: `file:${path}` };
  backup = join(scratchFolder(), "backup.db");
  await grow("ann");
  expect((await beckon(env, "backup", "--to", backup)).code).toBe(0);
});

test("with --force the backup replaces the database, which is kept whole in the same folder", async () => {
  await grow("bob");
  // What is only in the log as yet goes along.
  const db = new Database(path);
  db.exec("UPDATE accounts SET name = 'Bobby' WHERE name = 'bob'");
  const [file, log] = [readFileSync(path), readFileSync(`${path}-wal`)];
  db.close();
  // As a process leaves them that was killed.
  writeFileSync(path, file);
  writeFileSync(`${path}-wal`, log);
  const { code, json } = await beckon(env, "restore", "--from", backup, "--force", "--json");
  expect(code).toBe(0);
  expect(json).toMatchObject({ ok: true, file: path, audit: { accounts: 1 } });
  expect(usersIn(path)).toEqual(["ann"]);
  expect(usersIn(json.kept)).toEqual(["Bobby", "ann"]);
  expect(json.kept).toMatch(/test\.db\.\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(existsSync(backup)).toBe(true);
  // And back again: what was put aside is a database like any other.
  expect((await beckon(env, "restore", "--from", json.kept, "--force")).code).toBe(0);
  expect(usersIn(path)).toEqual(["Bobby", "ann"]);
});

test("exit 1 without --force: the database has rows; one on which a service only started is replaced", async () => {
  const refused = await beckon(env, "restore", "--from", backup);
  expect(refused.code).toBe(1);
  expect(refused.err).toBe(
    `beckon: The database at ${path} is not empty. With --force it is put aside, under a name with the time.\n`,
  );
  expect(names()).toEqual(["test.db"]);
  env = { DATABASE_URL: `file:${join(folder, "new/other.db")}` };
  expect((await beckon(env, "migrate")).code).toBe(0);
  expect((await beckon(env, "restore", "--from", backup)).code).toBe(0);
  expect(usersIn(join(folder, "new/other.db"))).toEqual(["ann"]);
});

test("an old write-ahead log without a database is not applied to the restored one", async () => {
  const stale = join(folder, "stale.db");
  cpSync(path, stale);
  const db = new Database(stale);
  db.pragma("journal_mode = WAL");
  db.exec("UPDATE accounts SET name = 'stale'");
  cpSync(`${stale}-wal`, join(folder, "fresh.db-wal"));
  writeFileSync(join(folder, "fresh.db-shm"), "x".repeat(100));
  db.close();
  env = { DATABASE_URL: `file:${join(folder, "fresh.db")}` };
  const { code, json } = await beckon(env, "restore", "--from", backup, "--json");
  expect([code, json.kept]).toEqual([0, null]);
  expect(usersIn(join(folder, "fresh.db"))).toEqual(["ann"]);
  expect(names().filter((name) => name.startsWith("fresh"))).toEqual(["fresh.db"]);
});

test("exit 1: another process has the database open, with --force or without", async () => {
  const db = await openDatabase(env.DATABASE_URL);
  const { code, err } = await beckon(env, "restore", "--from", backup, "--force");
  expect(code).toBe(1);
  expect(err).toMatch(/^beckon: Another program has .*test\.db open\. Stop the service, /);
  expect(usersIn(path)).toEqual(["ann"]);
  await db.close();
  expect(names()).toEqual(["test.db"]);
});

const UNFIT: readonly (readonly [what: string, spoil: () => void, sentence: RegExp])[] = [
  ["no database at all", () => writeFileSync(backup, "hello ".repeat(2_000)), /is damaged, or no SQLite database/],
  ["an empty file", () => writeFileSync(backup, ""), /is no database of Beckon/],
  ["a damaged one", () => writeFileSync(backup, readFileSync(backup).fill(7, 8_192 * 2, 8_192 * 12)), /is damaged/],
  ["a cut one", () => writeFileSync(backup, readFileSync(backup).subarray(0, 8_192 * 9)), /is damaged/],
  ["another program's", () => change(backup, "DROP TABLE migrations"), /is no database of Beckon/],
  [
    "a newer version's",
    () => change(backup, "INSERT INTO migrations VALUES ('f00d', 9000000000000, '0.9.0')"),
    /was made by a newer version of Beckon/,
  ],
  [
    "books that do not add up",
    () => change(backup, "UPDATE accounts SET credits = 1"),
    /found problems; --force restores it anyway\.\n {2}account acc_\w+: balance is 1/,
  ],
  [
    "a live service's",
    () => change(backup, "UPDATE meta SET value = 'live' WHERE name = 'mode'"),
    /is of a live service and the settings are for sandbox; the two never mix/,
  ],
];

test.each(UNFIT)("exit 1: %s; the message says so, and nothing changes", async (_, spoil, sentence) => {
  spoil();
  env = { DATABASE_URL: `file:${join(folder, "new/folder/none.db")}` };
  const { code, err } = await beckon(env, "restore", "--from", backup);
  expect(code).toBe(1);
  expect(err).toMatch(sentence);
  expect(err).not.toContain("    at ");
  expect(names()).toEqual(["test.db"]);
});

test("a damaged database is replaced with --force only, and kept", async () => {
  writeFileSync(path, "no database ".repeat(2_000));
  const refused = await beckon(env, "restore", "--from", backup);
  expect(refused.err).toMatch(/^beckon: .*test\.db is damaged, or no SQLite database\. With --force it is put aside/);
  const { code, json } = await beckon(env, "restore", "--from", backup, "--force", "--json");
  expect(code).toBe(0);
  expect(readFileSync(json.kept, "utf8")).toMatch(/^no database /);
  expect(usersIn(path)).toEqual(["ann"]);
});

test("exit 1: the copy has no room; one sentence, no file is left, and the database works on", async () => {
  change(backup, "INSERT INTO meta VALUES ('ballast', hex(randomblob(1000000)))");
  const limited = 'ulimit -f 1200; exec "$@"';
  const failed = await promisify(execFile)(
    "sh",
    ["-c", limited, "sh", process.execPath, ...PROGRAM, "restore", "--force", "--from", backup],
    {
      cwd: packageRoot,
      env: { PATH: process.env.PATH, ...env },
    },
  ).then(
    () => ({ code: 0, stderr: "" }),
    (thrown: { code: number; stderr: string }) => thrown,
  );
  expect(failed.code).toBe(1);
  expect(failed.stderr).toMatch(/^beckon: Writing in .* failed: /);
  expect(names()).toEqual(["test.db"]);
  expect((await beckon(env, "audit")).code).toBe(0);
  expect(usersIn(path)).toEqual(["ann"]);
});

test("exit 1: a database that was moved to another is not replaced, even with --force; once its file is renamed, the backup is restored", async () => {
  change(path, "INSERT INTO meta VALUES ('moved_to', 'postgres://beckon@db.example/beckon')");
  const before = readFileSync(path);
  for (const force of [[], ["--force"]]) {
    const { code, err } = await beckon(env, "restore", "--from", backup, ...force);
    expect(code).toBe(1);
    expect(err).toBe(
      `beckon: ${path} was moved to postgres://beckon@db.example/beckon, where the service has gone on since. To give that up and restore here all the same, put this file away yourself first.\n`,
    );
    expect(names()).toEqual(["test.db"]);
    expect(readFileSync(path).equals(before)).toBe(true);
  }
  renameSync(path, join(folder, "left.db"));
  expect((await beckon(env, "restore", "--from", backup)).code).toBe(0);
  expect((await beckon(env, "audit")).code).toBe(0);
});

test("exit 1: the backup is a copy of a database that was moved to another, on which no service would start", async () => {
  change(backup, "INSERT INTO meta VALUES ('moved_to', 'postgres://beckon@db.example/beckon')");
  const { code, err } = await beckon(env, "restore", "--from", backup, "--force");
  expect(code).toBe(1);
  expect(err).toBe(
    `beckon: ${backup} was made after the move to postgres://beckon@db.example/beckon, so no service would start on it. Restore an earlier backup.\n`,
  );
  expect(names()).toEqual(["test.db"]);
  expect(usersIn(path)).toEqual(["ann"]);
});

test("exit 1: the source or the target is a folder; one sentence, and nothing changes", async () => {
  const from = await beckon(env, "restore", "--from", folder, "--force");
  expect(from).toMatchObject({ code: 1, err: `beckon: ${folder} is no file.\n` });
  env = { DATABASE_URL: `file:${folder}` };
  const to = await beckon(env, "restore", "--from", backup, "--force");
  expect(to).toMatchObject({ code: 1, err: `beckon: ${folder} is a folder, not a file.\n` });
  expect(names()).toEqual(["test.db"]);
  expect(usersIn(path)).toEqual(["ann"]);
});

test("exit 1: a real disk is full; one sentence, and the database works on", async ({ skip }) => {
  const disk = await smallDisk(6);
  if (!disk) return skip("only root may mount a small disk");
  const there = join(disk, "there.db");
  change(backup, "INSERT INTO meta VALUES ('ballast', hex(randomblob(2500000)))");
  env = { DATABASE_URL: `file:${there}` };
  await grow("bob");
  const { code, err } = await beckon(env, "restore", "--from", backup, "--force");
  expect([code, err]).toEqual([1, `beckon: The disk of ${disk} is full. Make room there, then try again.\n`]);
  expect(readdirSync(disk)).toEqual(["there.db"]);
  expect(usersIn(there)).toEqual(["bob"]);
});

test("refused: a backup of a development version, with --force too; it stays unchanged, and the database in its place", async () => {
  await makeUnreleased(`file:${backup}`);
  const before = readFileSync(backup);
  const { code, err } = await beckon(env, "restore", "--from", backup, "--force");
  expect([code, err]).toEqual([1, `beckon: ${unreleasedSentence(backup)}\n`]);
  expect(readFileSync(backup).equals(before)).toBe(true);
  expect([names(), usersIn(path)]).toEqual([["test.db"], ["ann"]]);
});

test("a database of a development version is replaced with --force only, and kept", async () => {
  await makeUnreleased(env.DATABASE_URL);
  const refused = await beckon(env, "restore", "--from", backup);
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringMatching(/is not empty\. With --force it is put aside/),
  ]);
  const { code, json } = await beckon(env, "restore", "--from", backup, "--force", "--json");
  expect(code).toBe(0);
  expect([usersIn(path), usersIn(json.kept)]).toEqual([["ann"], ["ann"]]);
});

test("exit 1: the backup does not exist, or is the database itself", async () => {
  expect((await beckon(env, "restore", "--from", "/nowhere.db")).err).toBe("beckon: There is no file /nowhere.db.\n");
  expect((await beckon(env, "restore", "--from", path)).err).toMatch(/^beckon: --from is the database /);
  expect((await beckon(env, "restore")).code).toBe(2);
});

function grow(name: string) {
  return accountIn(env, "--email", `${name}@example.com`, "--name", name, "--paid");
}

function usersIn(file: string): unknown[] {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare("SELECT name FROM accounts ORDER BY name").pluck().all();
  } finally {
    db.close();
  }
}

function change(file: string, statement: string): void {
  const db = new Database(file);
  db.exec(statement);
  db.close();
}

function names(): string[] {
  return readdirSync(folder).sort();
}
