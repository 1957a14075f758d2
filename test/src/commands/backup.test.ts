import { execFile } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import Database from "better-sqlite3";
import { beforeEach, expect, test } from "vitest";
import { ownCommand, startCommand } from "../../../src/platform/own-command.ts";
import { packageRoot } from "../../../src/platform/package-root.ts";
import { makeUnreleased, unreleasedSentence } from "../../support/database/schema-ages.ts";
import { seedPayments } from "../../support/database/seed-payments.ts";
import { smallDisk } from "../../support/database/small-disk.ts";
import { sqliteStore } from "../../support/database/sqlite-store.ts";
import { PROGRAM } from "../../support/service/beckon-command.ts";
import { beckonProcess } from "../../support/service/beckon-process.ts";
import { accountIn, beckon, scratchFolder } from "../../support/service/cli.ts";

let folder: string;
let file: string;
let env: { DATABASE_URL: string };
beforeEach(() => {
  folder = scratchFolder();
  file = join(folder, "copy.db");
  env = { DATABASE_URL: `file:${join(folder, "test.db")}` };
});

test("the copy is one audited file, readable by its owner only; the database stays unchanged", async () => {
  const store = await sqliteStore(env.DATABASE_URL);
  await seedPayments(store);
  await store.db.close();
  const { code, json } = await beckon(env, "backup", "--to", file, "--json");
  expect(code).toBe(0);
  expect(json).toEqual({
    ok: true,
    file,
    bytes: statSync(file).size,
    schema: "newest",
    audit: expect.objectContaining({ ok: true, orders: 9, projects: 2, links: 5 }),
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).filter((name) => name.startsWith("copy"))).toEqual(["copy.db"]);
  expect(rowsOf(file)).toEqual(rowsOf(join(folder, "test.db")));
  const again = await beckon(env, "backup", "--to", join(folder, "copy2.db"));
  expect(again.out).toMatch(/^Backed up to .*copy2\.db \([\d,]+ bytes\)\.\nEverything adds up: 2 accounts, /);
});

test("while a service writes, every copy is of one moment, and its books add up", async () => {
  const service = beckonProcess({ ...env, PORT: "0", TIME_SCALE: "100000", LOG_LEVEL: "error" }, "serve", "--json");
  const { address, demo } = JSON.parse(await service.firstLine()) as { address: string; demo: { key: string } };
  const headers = { Authorization: `Bearer ${demo.key}`, "Content-Type": "application/json" };
  let submitted = 0;
  // Two of these in each of three rounds: no more requests than an account may make in a minute, however long a copy takes.
  const submit = async (name: string) => {
    for (let n = 0; n < 8; n++) {
      const urls = Array.from({ length: 20 }, (_, i) => `https://${name}.example.com/${n}/${i}`);
      const answer = await fetch(`${address}/api/v1/projects`, {
        method: "POST",
        headers,
        body: JSON.stringify({ urls }),
      });
      expect(answer.status).toBe(201);
      submitted += 1;
      await answer.arrayBuffer();
    }
  };
  const seen: number[] = [];
  for (const name of ["1", "2", "3"]) {
    const before = submitted;
    const submitting = Promise.all([submit(`a${name}`), submit(`b${name}`)]);
    await expect.poll(() => submitted, { interval: 5, timeout: 30_000 }).toBeGreaterThan(before + 3);
    const { code, json } = await beckon(env, "backup", "--to", join(folder, name), "--json");
    expect([code, json.audit.problems]).toEqual([0, []]);
    seen.push(json.audit.projects);
    await submitting;
  }
  expect(seen[0]).toBeGreaterThan(2);
  expect(seen[2]).toBeGreaterThan(seen[0]!);
  service.child.kill("SIGTERM");
  expect(await service.exited).toMatchObject({ code: 0, err: "" });
});

test("exit 1: the target exists, its folder is missing, or there is no database; one sentence, and nothing changes", async () => {
  const missing = await beckon(env, "backup", "--to", file);
  expect(missing.err).toBe(
    `beckon: There is no database at ${join(folder, "test.db")}. \`${ownCommand("migrate")}\` makes one, and so does the start of the service: ${startCommand()}. If there is one elsewhere, set DATABASE_URL to it.\n`,
  );
  await accountIn(env, "--email", "ann@example.com");
  writeFileSync(file, "mine");
  const taken = await beckon(env, "backup", "--to", file);
  expect(taken).toMatchObject({ code: 1, err: `beckon: ${file} is there already. Name a file that is not.\n` });
  expect(readFileSync(file, "utf8")).toBe("mine");
  const nowhere = await beckon(env, "backup", "--to", join(folder, "no/copy.db"));
  expect(nowhere.err).toBe(`beckon: There is no folder ${join(folder, "no")}.\n`);
  expect((await beckon(env, "backup")).code).toBe(2);
});

test("exit 1: the audit fails; the copy is kept, and the problems are printed", async () => {
  await accountIn(env, "--email", "ann@example.com", "--paid");
  change(join(folder, "test.db"), "UPDATE accounts SET credits = 1");
  const { code, json } = await beckon(env, "backup", "--to", file, "--json");
  expect([code, json.ok, json.audit.problems.length]).toEqual([1, false, 1]);
  expect(existsSync(file)).toBe(true);
});

test("exit 1: the database is damaged; it is reported, and no copy is left", async () => {
  await accountIn(env, "--email", "ann@example.com");
  const path = join(folder, "test.db");
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(7, 8_192 * 2, 8_192 * 12));
  const { code, err } = await beckon(env, "backup", "--to", file);
  expect(code).toBe(1);
  expect(err).toMatch(/^beckon: .*test\.db is damaged/);
  expect(readdirSync(folder).filter((name) => name.startsWith("copy"))).toEqual([]);
});

test("refused: a database of a development version; no copy is left, and the database stays unchanged", async () => {
  await accountIn(env, "--email", "ann@example.com");
  await makeUnreleased(env.DATABASE_URL);
  const path = join(folder, "test.db");
  const before = readFileSync(path);
  const { code, err } = await beckon(env, "backup", "--to", file);
  expect([code, err]).toEqual([1, `beckon: ${unreleasedSentence(path)}\n`]);
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(folder)).toEqual(["test.db"]);
});

test("exit 1: the copy has no room; one sentence, no file is left, and the database is untouched", async () => {
  const path = join(folder, "test.db");
  await accountIn(env, "--email", "ann@example.com");
  change(path, "INSERT INTO meta VALUES ('ballast', hex(randomblob(1000000)))");
  const before = readFileSync(path);
  // In blocks of 512 bytes: no file may grow beyond.
  const limited = 'ulimit -f 1200; exec "$@"';
  const run = promisify(execFile)("sh", ["-c", limited, "sh", process.execPath, ...PROGRAM, "backup", "--to", file], {
    cwd: packageRoot,
    env: { PATH: process.env.PATH, ...env },
  });
  const failed = await run.then(
    () => ({ code: 0, stderr: "" }),
    (thrown: { code: number; stderr: string }) => thrown,
  );
  expect(failed.code).toBe(1);
  expect(failed.stderr).toMatch(/^beckon: Writing in .* failed: its disk is broken, or a limit on the size of files /);
  expect(failed.stderr.trim().split("\n")).toHaveLength(1);
  expect(readdirSync(folder).filter((name) => name.startsWith("copy"))).toEqual([]);
  expect(readFileSync(path).equals(before)).toBe(true);
});

test("exit 1: a real disk is full; one sentence, no file is left under any name, and the database is untouched", async ({
  skip,
}) => {
  const disk = await smallDisk(1);
  if (!disk) return skip("only root may mount a small disk");
  const path = join(folder, "test.db");
  await accountIn(env, "--email", "ann@example.com");
  change(path, "INSERT INTO meta VALUES ('ballast', hex(randomblob(1000000)))");
  const before = readFileSync(path);
  const { code, out, err } = await beckon(env, "backup", "--to", join(disk, "copy.db"));
  expect({ code, out, err }).toEqual({
    code: 1,
    out: "",
    err: `beckon: The disk of ${disk} is full. Make room there, then try again.\n`,
  });
  expect(readdirSync(disk)).toEqual([]);
  expect(readFileSync(path).equals(before)).toBe(true);
});

test("exit 1: the database was moved to another, and its copy would miss everything newer", async () => {
  await accountIn(env, "--email", "ann@example.com");
  change(join(folder, "test.db"), "INSERT INTO meta VALUES ('moved_to', 'postgres://beckon@db.example/beckon')");
  const { code, err } = await beckon(env, "backup", "--to", file);
  expect(code).toBe(1);
  expect(err).toMatch(
    /^beckon: .*test\.db was moved to postgres:\/\/beckon@db\.example\/beckon, .* Set DATABASE_URL to that one\.\n$/,
  );
  expect(readdirSync(folder).filter((name) => name.startsWith("copy"))).toEqual([]);
});

test("exit 2: the value is not a path", async () => {
  const { code, err } = await beckon(env, "backup", "--to", "https://u:s3cret@example.com/copy.db");
  expect([code, err]).toEqual([2, "beckon: --to must be the path of a file.\n"]);
});

test("exit 1: on PostgreSQL the message says what to use instead", async () => {
  const there = { DATABASE_URL: "postgres://beckon:s3cret@127.0.0.1:1/beckon" };
  for (const args of [
    ["backup", "--to", file],
    ["restore", "--from", file],
  ]) {
    const { code, err } = await beckon(there, ...args);
    expect(code).toBe(1);
    expect(err).toMatch(/^beckon: DATABASE_URL is PostgreSQL, .*\/docs\/operating/);
    expect(err).not.toContain("s3cret");
  }
});

test.skipIf(process.getuid?.() === 0)("exit 1: the folder is not writable", async () => {
  await accountIn(env, "--email", "ann@example.com");
  const closed = scratchFolder();
  chmodSync(closed, 0o500);
  const { err } = await beckon(env, "backup", "--to", join(closed, "copy.db"));
  expect(err).toBe(`beckon: This user may not write in ${closed}.\n`);
});

function change(path: string, statement: string): void {
  const db = new Database(path);
  db.exec(statement);
  db.close();
}

function rowsOf(path: string): unknown[] {
  const db = new Database(path, { readonly: true });
  try {
    const names = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").pluck().all();
    return names.map((name) => db.prepare(`SELECT * FROM "${name}"`).all());
  } finally {
    db.close();
  }
}
