import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { knownMigrations } from "../../../db/known-migrations.ts";
import { openDatabase } from "../../../db/open.ts";
import { packageRoot } from "../../../src/platform/package-root.ts";
import { scratchFolder } from "../../support/service/cli.ts";

test("four processes that open new files at the same time migrate each of them once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "beckon-migrate-"));
  try {
    // Several, since the processes do not meet at every one.
    const paths = Array.from({ length: 8 }, (_, at) => join(folder, "new", `${at}.db`));
    const processes = await Promise.all(Array.from({ length: 4 }, () => readyToOpen(paths)));
    await Promise.all(processes.map((open) => open()));
    await (await readyToOpen(paths))();
    for (const path of paths) {
      const raw = new Database(path, { readonly: true });
      const applied = raw.prepare("SELECT hash FROM migrations").pluck().all();
      const tables = raw
        .prepare("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'ledger'")
        .pluck()
        .get();
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(applied).toEqual(knownMigrations("sqlite").map(({ hash }) => hash));
      expect([tables, raw.pragma("integrity_check", { simple: true })]).toEqual([1, "ok"]);
      raw.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** A process that has loaded the program. @returns opens the files there in turn, and waits for the process to end */
async function readyToOpen(paths: readonly string[]): Promise<() => Promise<void>> {
  const script = `const { openDatabase } = await import(${JSON.stringify(join(packageRoot, "db/open.ts"))});
    process.stdout.write("ready");
    for await (const _ of process.stdin);
    for (const path of ${JSON.stringify(paths)}) await (await openDatabase(\`file:\${path}\`)).close();`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
    cwd: packageRoot,
    stdio: ["pipe", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return async () => {
    child.stdin.end();
    expect(await once(child, "exit")).toEqual([0, null]);
  };
}

test("a file changed by a newer version is not opened, and stays unchanged", async () => {
  const folder = mkdtempSync(join(tmpdir(), "beckon-migrate-"));
  try {
    const path = join(folder, "beckon.db");
    await (await openDatabase(`file:${path}`)).close();
    const raw = new Database(path);
    const applied = () => raw.prepare("SELECT hash FROM migrations ORDER BY hash").pluck().all();
    raw.exec("INSERT INTO migrations VALUES ('f00d', 9000000000000, '0.9.0')");
    const before = applied();
    await expect(openDatabase(`file:${path}`)).rejects.toThrow(
      /^A newer version of Beckon \(0\.9\.0\) has changed the database, /,
    );
    expect(applied()).toEqual(before);
    raw.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.each([
  ["of no bytes", ""],
  ["with the tables of Litestream alone", "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY AUTOINCREMENT)"],
])("a file %s is migrated", async (_, statement) => {
  const path = join(scratchFolder(), "beckon.db");
  const raw = new Database(path);
  raw.exec(statement);
  raw.close();
  const db = await openDatabase(`file:${path}`);
  expect((await db.schema()).age).toBe("newest");
  await db.close();
});
