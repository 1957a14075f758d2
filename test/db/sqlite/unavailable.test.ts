import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Engine } from "../../../db/engine.ts";
import { openSqlite, type SqliteOptions } from "../../../db/sqlite/sqlite.ts";
import { audit } from "../../../src/domain/audit/audit.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { DatabaseUnavailable } from "../../../src/platform/errors/database-unavailable.ts";
import { demoKey } from "../../../src/process/demo-key.ts";
import { createLog } from "../../../src/process/log.ts";
import { startService } from "../../../src/process/service.ts";
import { sqliteDatabase } from "../../support/database/database.ts";
import { noise, smallDisk } from "../../support/database/small-disk.ts";

const put = (db: Engine, name: string, value = "x") => db.tx((tx) => tx.q.insert(tx.t.meta).values({ name, value }));
const names = async (db: Engine) =>
  (await db.q.select({ name: db.t.meta.name }).from(db.t.meta)).map(({ name }) => name);

async function opened(options: SqliteOptions = {}) {
  const { url, drop } = await sqliteDatabase();
  const path = url.slice("file:".length);
  const db = openSqlite(path, { durable: false, ...options });
  onTestFinished(async () => {
    await db.close();
    await drop();
  });
  return { db, path };
}

test("unavailable: another program locks the file for too long; afterwards calls work again", async () => {
  const { db, path } = await opened({ busyMs: 50 });
  const other = new Database(path);
  onTestFinished(() => void other.close());
  other.exec("BEGIN IMMEDIATE");
  const thrown = await Promise.all([put(db, "a"), put(db, "b")].map((one) => one.catch((error: unknown) => error)));
  for (const one of thrown) {
    expect(one).toBeInstanceOf(DatabaseUnavailable);
    expect(one).toMatchObject({ message: /Another program holds/, mayHaveHappened: false });
  }
  // Who reads does not wait for who writes.
  expect(await names(db)).toEqual([]);
  other.exec("COMMIT");
  await put(db, "c");
  expect(await names(db)).toEqual(["c"]);
});

/** The connection that writes, whose settings are its own. */
async function openedWithWriter() {
  const pragma = vi.spyOn(Database.prototype, "pragma");
  const { db } = await opened();
  const writer = pragma.mock.contexts[pragma.mock.calls.findIndex(([text]) => text === "busy_timeout = 0")]!;
  pragma.mockRestore();
  return { db, writer: writer as Database.Database };
}

test("unavailable: one transaction of a group finds no room, and leaves nothing; the others are unaffected", async () => {
  const { db, writer } = await openedWithWriter();
  const pages = writer.pragma("page_count", { simple: true }) as number;
  writer.pragma(`max_page_count = ${pages + 5}`);
  const calls = [put(db, "small"), put(db, "large", noise(100_000)), put(db, "smaller")];
  const [small, large, smaller] = await Promise.allSettled(calls);
  expect(large).toMatchObject({
    reason: { name: "DatabaseUnavailable", message: /disk.*is full/, mayHaveHappened: false },
  });
  const kept = (await names(db)).sort();
  const results = { small, smaller };
  expect(kept).toEqual(Object.entries(results).flatMap(([name, one]) => (one?.status === "fulfilled" ? [name] : [])));
  writer.pragma("max_page_count = 1000000");
  await put(db, "large", noise(100_000));
  expect((await names(db)).sort()).toEqual(["large", ...kept].sort());
});

test("503: a real disk is full; no acknowledged write is lost, none is half done, and calls work again when there is room", async ({
  skip,
}) => {
  const disk = await smallDisk(16);
  if (!disk) return skip("only root may mount a small disk");
  const DATABASE_URL = `file:${join(disk, "beckon.db")}`;
  const config = readConfig({ DATABASE_URL, PORT: "0", LOG_LEVEL: "silent", ROLE: "serve" });
  const service = await startService(config, createLog(config));
  const { key } = (await demoKey(service.instance))!;
  const submit = async (name: string, count = 1) => {
    const urls = Array.from({ length: count }, (_, i) => `https://example.com/${name}/${i}/${noise(900)}`);
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json", "Idempotency-Key": name };
    const body = JSON.stringify({ urls, name });
    const answer = await fetch(`${service.address}/api/v1/projects`, { method: "POST", headers, body });
    return { status: answer.status, again: answer.headers.get("retry-after"), text: await answer.text() };
  };
  try {
    const ballast = join(disk, "ballast");
    await writeFile(ballast, Buffer.alloc(6 * 1024 * 1024));
    const kept: string[] = [];
    let full: Awaited<ReturnType<typeof submit>> | undefined;
    for (let i = 0; i < 60 && !full; i++) {
      const answer = await submit(`p${i}`, 200);
      if (answer.status === 201) kept.push(`p${i}`);
      else full = answer;
    }
    expect([full?.status, full?.again, JSON.parse(full?.text ?? "{}").error?.code]).toEqual([503, "5", "unavailable"]);
    const projects = async () => {
      const { projects } = service.instance.db.t;
      return (await service.instance.db.q.select({ name: projects.name }).from(projects)).map(({ name }) => name);
    };
    expect((await projects()).sort()).toEqual([...kept].sort());
    await rm(ballast);
    expect((await submit("after")).status).toBe(201);
    expect((await projects()).sort()).toEqual([...kept, "after"].sort());
    expect(await audit(service.instance.db)).toMatchObject({ ok: true, problems: [] });
  } finally {
    await service.stop();
  }
});
