import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { principalOfKey } from "../../src/auth/identify.ts";
import { readConfig } from "../../src/config.ts";
import { demoKey, demoKeyFile } from "../../src/demo-key.ts";
import { openInstance } from "../../src/instance.ts";
import { isPaid } from "../../src/payments/orders.ts";
import { scratchFolder } from "../support/cli.ts";

test("kept beside the database, for its owner alone, and used again", async () => {
  const instance = await opened({});
  const made = await demoKey(instance);
  expect(made?.credits).toBe(10_000);
  const file = demoKeyFile(instance.config);
  expect((await readFile(file, "utf8")).trim()).toBe(made?.key);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await demoKey(instance)).toEqual(made);
  const principal = await principalOfKey(instance.db, made!.key);
  expect(await isPaid(instance.db, principal!.accountId)).toBe(true);
});

test("made anew when the file is lost or holds another database's key; the credits are given once", async () => {
  const instance = await opened({});
  const first = await demoKey(instance);
  await rm(demoKeyFile(instance.config));
  const second = await demoKey(instance);
  expect(second).toEqual({
    key: expect.not.stringMatching(first!.key),
    email: "demo@beckon.localhost",
    credits: 10_000,
  });
  await writeFile(demoKeyFile(instance.config), "bk_test_of-another-database-0000000000");
  expect((await demoKey(instance))?.credits).toBe(10_000);
});

test("lost as often as one likes: the limit of active keys never stands in the way", async () => {
  const instance = await opened({});
  for (let n = 0; n < 12; n++) {
    await demoKey(instance);
    await rm(demoKeyFile(instance.config));
  }
  expect(await principalOfKey(instance.db, (await demoKey(instance))!.key)).not.toBeNull();
});

test.each([{ host: "0.0.0.0" }, { host: "192.168.1.2" }, { mode: "live" as const }])("none for %o", async (change) => {
  const instance = await opened({});
  expect(await demoKey({ ...instance, config: { ...instance.config, ...change } })).toBeNull();
});

async function opened(env: NodeJS.ProcessEnv) {
  const instance = await openInstance(readConfig({ DATABASE_URL: `file:${join(scratchFolder(), "test.db")}`, ...env }));
  onTestFinished(() => instance.db.close());
  return instance;
}
