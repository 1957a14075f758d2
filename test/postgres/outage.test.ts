import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../src/platform/config/config.ts";
import { demoKey } from "../../src/process/demo-key.ts";
import { createLog } from "../../src/process/log.ts";
import { startService } from "../../src/process/service.ts";
import { startPostgres } from "../support/database/postgres-server.ts";

test("503 while the server is down, one line when that begins and one when it ends; no error, no stack", async () => {
  const server = await startPostgres({ durable: true });
  onTestFinished(() => server.stop());
  const config = readConfig({ DATABASE_URL: await server.create("beckon"), PORT: "0", LOG_LEVEL: "debug" });
  const lines: string[] = [];
  const service = await startService(
    config,
    createLog(config, (line) => void lines.push(line)),
  );
  onTestFinished(() => service.stop());
  const { key } = (await demoKey(service.instance))!;
  const ask = (path: string) => fetch(`${service.address}${path}`, { headers: { Authorization: `Bearer ${key}` } });
  const logged = () => lines.map((line) => JSON.parse(line) as { level: number; msg: string; [more: string]: unknown });
  expect((await ask("/api/v1/account")).status).toBe(200);
  // What was said of the start and its migration.
  lines.length = 0;

  await server.halt();
  for (let i = 0; i < 5; i++) expect((await ask("/api/v1/account")).status).toBe(503);
  const refused = () => logged().filter(({ msg, status }) => msg === "request" && status === 503);
  await expect.poll(() => refused().length).toBe(5);
  for (const line of refused())
    expect(line).toMatchObject({ level: 20, unavailable: expect.stringMatching(/PostgreSQL/) });
  await server.restart();
  const warnings = () => logged().filter(({ level }) => level > 20);
  await expect.poll(() => warnings().length, { timeout: 30_000 }).toBe(2);
  expect(warnings()).toMatchObject([
    { level: 40, reason: expect.stringMatching(/PostgreSQL/) },
    { level: 30, msg: "the database answers again", refused: 5 },
  ]);
  expect((await ask("/api/v1/account")).status).toBe(200);
  expect(lines.join()).not.toMatch(/"stack"/);
});
