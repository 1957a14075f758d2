import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase, openMigrated } from "../../../db/open.ts";
import { packageRoot } from "../../../src/platform/package-root.ts";
import { version } from "../../../src/platform/version.ts";
import { fillTables } from "../../support/database/fill-tables.ts";
import { rawQuery } from "../../support/database/raw-query.ts";
import { scratchFolder } from "../../support/service/cli.ts";

/** A migration of some seconds, unless it is ended. */
const SLOW =
  "CREATE TABLE slow AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) SELECT i FROM n";

async function present(): Promise<string> {
  const path = join(scratchFolder(), "beckon.db");
  await (await openDatabase(`file:${path}`)).close();
  fillTables(path);
  return path;
}

/** Upgrades a file in a process of a version with one migration more. It prints each step. */
function upgrade(path: string, sql: string) {
  const script = `const { knownMigrations } = await import(${JSON.stringify(join(packageRoot, "db/known-migrations.ts"))});
    knownMigrations("sqlite").push({ hash: "e".repeat(64), sql: [${JSON.stringify(sql)}] });
    const { openDatabase } = await import(${JSON.stringify(join(packageRoot, "db/open.ts"))});
    const onStep = (step) => process.stdout.write(step + "\\n");
    await (await openDatabase(${JSON.stringify(`file:${path}`)}, { onStep })).close();`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
    cwd: packageRoot,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let err = "";
  child.stderr.on("data", (data) => {
    err += data;
  });
  const ended = once(child, "close").then(([code]) => ({ code, err }));
  return { child, ended, firstStep: once(child.stdout, "data").then(String) };
}

const copiesOf = (path: string) =>
  readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.before-${version}.`));

test("law: an upgrade that is killed in the middle changes nothing: its version starts, and the next upgrade is whole", async () => {
  const path = await present();
  const { child, ended, firstStep } = upgrade(path, SLOW);
  expect(await firstStep).toMatch(/^Copied the database to /);
  child.kill("SIGKILL");
  await ended;
  const before = await openMigrated(`file:${path}`);
  expect(await before.q.select().from(before.t.accounts)).toHaveLength(12);
  await before.close();
  await expect(rawQuery(`file:${path}`, "SELECT 1 FROM slow")).rejects.toThrow(/no such table/);

  const part = `${path}.before-${version}.2026-01-01T00-00-00.000Z.part-1-a`;
  writeFileSync(part, "of a copy that was ended");
  expect(await upgrade(path, "CREATE TABLE quick (id text)").ended).toEqual({ code: 0, err: "" });
  expect(await rawQuery(`file:${path}`, "SELECT 1 FROM quick")).toEqual([]);
  expect(await rawQuery(`file:${path}`, "SELECT count(*) AS n FROM accounts")).toEqual([{ n: 12 }]);
  expect(existsSync(part)).toBe(false);
  const copies = copiesOf(path);
  expect(copies).toHaveLength(2);
  for (const copy of copies) {
    const db = new Database(join(dirname(path), copy), { readonly: true });
    expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
    expect(db.prepare("SELECT count(*) FROM accounts").pluck().get()).toBe(12);
    db.close();
  }
});

test("refused: an upgrade while a service runs on the file; the service goes on", async () => {
  const path = await present();
  const running = await openMigrated(`file:${path}`);
  onTestFinished(() => running.close());
  const { code, err } = await upgrade(path, "CREATE TABLE quick (id text)").ended;
  expect(code).toBe(1);
  expect(err).toContain(`Another program has ${path} open. Stop the service, and other programs that use it, first.`);
  expect((await running.schema()).age).toBe("newest");
  await running.tx((tx) => tx.q.insert(tx.t.meta).values({ name: "after", value: "1" }));
  expect(copiesOf(path)).toEqual([]);
});

test("an older program says the version that has changed the database, and changes nothing", async () => {
  const path = await present();
  expect((await upgrade(path, "CREATE TABLE quick (id text)").ended).code).toBe(0);
  await rawQuery(`file:${path}`, "UPDATE migrations SET version = '0.9.0' WHERE hash LIKE 'eee%'");
  for (const open of [openDatabase, openMigrated]) {
    await expect(open(`file:${path}`)).rejects.toThrow(/^A newer version of Beckon \(0\.9\.0\) has changed /);
  }
});
