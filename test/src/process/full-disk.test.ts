import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../../src/platform/config/config.ts";
import { demoKey } from "../../../src/process/demo-key.ts";
import { createLog } from "../../../src/process/log.ts";
import { startService } from "../../../src/process/service.ts";
import { noise, smallDisk } from "../../support/database/small-disk.ts";

test("503 /readyz: the disk is full; one line in the log when it begins, one when it ends", {
  timeout: 90_000,
}, async (context) => {
  const disk = await smallDisk(24);
  if (disk === null) return context.skip();
  const lines: { level: number; msg: string; reason?: string }[] = [];
  const config = readConfig({ DATABASE_URL: `file:${join(disk, "beckon.db")}`, PORT: "0" });
  const service = await startService(
    config,
    createLog(config, (line) => void lines.push(JSON.parse(line))),
  );
  onTestFinished(() => service.stop());
  const { key } = (await demoKey(service.instance))!;
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const submit = (count: number) => {
    const urls = Array.from({ length: count }, (_, at) => `https://example.com/${at}/${noise(1_000)}`);
    return fetch(`${service.address}/api/v1/projects`, { method: "POST", headers, body: JSON.stringify({ urls }) });
  };
  const ready = async () => {
    const answer = await fetch(`${service.address}/readyz`);
    return [answer.status, (await answer.json()).checks.database];
  };
  expect((await submit(1)).status).toBe(201);
  expect(await ready()).toEqual([200, "ok"]);

  const ballast = join(disk, "ballast");
  const fill = () => {
    for (;;) {
      try {
        writeFileSync(ballast, "x".repeat(64 * 1024), { flag: "a" });
      } catch {
        return;
      }
    }
  };
  fill();
  const begun = lines.length;
  expect((await submit(2_000)).status).toBe(503);
  await expect.poll(ready, { timeout: 5_000 }).toEqual([503, "refuses"]);
  const until = performance.now() + 12_000;
  while (performance.now() < until) {
    await submit(500);
    await submit(1);
    await sleep(300);
  }
  expect((await ready())[0]).toBe(503);
  const said = lines.slice(begun).filter(({ level }) => level >= 30);
  expect(said.map(({ msg }) => msg)).toEqual(["the database does not answer; calls are refused until it does"]);
  expect(said[0]!.reason).toContain("The disk that the SQLite database is on is full.");

  rmSync(ballast);
  await expect.poll(ready, { timeout: 15_000 }).toEqual([200, "ok"]);
  expect((await submit(1)).status).toBe(201);
  expect(lines.at(-1)).toMatchObject({ msg: "the database answers again" });
});
