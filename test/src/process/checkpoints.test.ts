import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../../src/platform/config/config.ts";
import { demoKey } from "../../../src/process/demo-key.ts";
import { createLog } from "../../../src/process/log.ts";
import { startService } from "../../../src/process/service.ts";
import { scratchFolder } from "../../support/service/cli.ts";

test.each([
  ["off", true],
  ["on", false],
] as const)(
  "SQLITE_CHECKPOINTS=%s: the file stays as it was: %s; with its log it is the whole database",
  async (setting, stays) => {
    const folder = scratchFolder();
    const path = join(folder, "beckon.db");
    const env = { DATABASE_URL: `file:${path}`, PORT: "0", TIME_SCALE: "1000000", SQLITE_CHECKPOINTS: setting };
    const config = readConfig(env);
    const service = await startService(
      config,
      createLog(config, () => undefined),
    );
    onTestFinished(() => service.stop());
    const { key } = (await demoKey(service.instance))!;
    // As a program that copies the log does: a file that is open elsewhere keeps its log.
    const other = new Database(path, { readonly: true });
    onTestFinished(() => void other.close());
    const before = readFileSync(path);
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const call = async (suffix: string, body?: unknown) => {
      const more = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
      return (await fetch(`${service.address}/api/v1/projects${suffix}`, { headers, ...more })).json();
    };
    // More than a thousand: on the thread for large calls.
    const urls = Array.from({ length: 1_500 }, (_, at) => `https://example.com/${at}?sandbox=hour`);
    const { project } = await call("", { urls });
    await expect.poll(async () => (await call(`/${project.id}`)).status, { timeout: 60_000 }).toBe("completed");
    expect(readFileSync(path).equals(before)).toBe(stays);
    if (!stays) return;
    const copy = join(folder, "copy.db");
    for (const end of ["", "-wal"]) copyFileSync(`${path}${end}`, `${copy}${end}`);
    const db = new Database(copy);
    onTestFinished(() => void db.close());
    expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
    expect(db.prepare("SELECT count(*) FROM links").pluck().get()).toBe(1_500);
  },
);
