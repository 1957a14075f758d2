import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { knownMigrations } from "../../../db/known-migrations.ts";
import { openDatabase } from "../../../db/open.ts";
import { packageRoot } from "../../../src/platform/package-root.ts";

test("four processes that open a new file at the same time migrate it once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "beckon-migrate-"));
  try {
    const path = join(folder, "new", "beckon.db");
    const script = `const { openDatabase } = await import(${JSON.stringify(join(packageRoot, "db/open.ts"))});
      const db = await openDatabase(${JSON.stringify(`file:${path}`)}); await db.close();`;
    const open = () =>
      promisify(execFile)(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
        cwd: packageRoot,
      });
    await Promise.all([open(), open(), open(), open()]);
    await open();
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
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a file changed by a newer version is not opened, and stays unchanged", async () => {
  const folder = mkdtempSync(join(tmpdir(), "beckon-migrate-"));
  try {
    const path = join(folder, "beckon.db");
    await (await openDatabase(`file:${path}`)).close();
    const raw = new Database(path);
    const applied = () => raw.prepare("SELECT hash FROM migrations ORDER BY hash").pluck().all();
    raw.exec("INSERT INTO migrations VALUES ('f00d', 1)");
    const before = applied();
    await expect(openDatabase(`file:${path}`)).rejects.toThrow(
      /^A newer version of Beckon has changed the database\. /,
    );
    expect(applied()).toEqual(before);
    raw.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
