import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { describe, expect, onTestFinished, test } from "vitest";
import { principalOfKey } from "../../../src/domain/credentials/identify.ts";
import { createKey } from "../../../src/domain/credentials/keys.ts";
import { isPaid } from "../../../src/domain/payments/orders/orders.ts";
import { DAY } from "../../../src/platform/clock.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { SIZES } from "../../../src/platform/sizes.ts";
import { demoKey, demoKeyFile, demoSignInUrl } from "../../../src/process/demo-key.ts";
import { type Instance, openInstance } from "../../../src/process/instance.ts";
import { scratchFolder } from "../../support/service/cli.ts";

test("the key is kept in the folder of the database, readable by its owner only, and used again", async () => {
  const instance = await opened({});
  const made = await demoKey(instance);
  expect(made?.credits).toBe(10_000);
  const file = demoKeyFile(instance.config);
  expect((await readFile(file, "utf8")).trim()).toBe(made?.key);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await demoKey(instance)).toEqual(made);
  const principal = await principalOfKey(instance.db, made!.key, instance.clock.now());
  expect(await isPaid(instance.db, principal!.accountId)).toBe(true);
});

test("a new key is created if the file is lost or holds another database's key; the credits are given once", async () => {
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

test("the file may be lost any number of times without reaching the limit of active keys", async () => {
  const instance = await opened({});
  for (let n = 0; n < 12; n++) {
    await demoKey(instance);
    await rm(demoKeyFile(instance.config));
  }
  expect(await principalOfKey(instance.db, (await demoKey(instance))!.key, instance.clock.now())).not.toBeNull();
});

describe("the account has as many active keys as it may have", () => {
  test("the key that was idle for longest is revoked, but none in use and none that somebody named", async () => {
    const { instance, keys } = await tenKeys();
    await used(instance, keys[1]!, instance.clock.now());
    await used(instance, keys[2]!, instance.clock.now() - 2 * DAY);
    const eleventh = (await demoKey(instance))!.key;
    // The first one is somebody's own, however long it lies idle.
    expect(await alive(instance, [...keys, eleventh])).toEqual(keys.map((_, at) => at !== 2).concat(true));
    await rm(demoKeyFile(instance.config));
    const twelfth = (await demoKey(instance))!.key;
    expect(await alive(instance, [...keys, twelfth])).toEqual(keys.map((_, at) => at > 3 || at < 2).concat(true));
  });

  test("nothing is revoked if all of them are in use", async () => {
    const { instance, keys } = await tenKeys();
    for (const key of keys) await used(instance, key, instance.clock.now());
    expect(await demoKey(instance)).toBeNull();
    expect(await alive(instance, keys)).toEqual(keys.map(() => true));
    await expect(readFile(demoKeyFile(instance.config))).rejects.toThrow("ENOENT");
  });
});

/** The first of them is named by somebody; oldest first. */
async function tenKeys() {
  const instance = await opened({});
  const { db, clock } = instance;
  const first = (await demoKey(instance))!.key;
  const { accountId, credential } = (await principalOfKey(db, first, clock.now()))!;
  const { apiKeys } = db.t;
  await db.tx((tx) => tx.q.update(apiKeys).set({ name: "mine" }).where(eq(apiKeys.id, credential.id)));
  const keys = [first];
  for (let n = 1; n < SIZES.activeKeys; n++) {
    const made = { accountId, name: "demo", mode: "sandbox", now: clock.now() + n } as const;
    keys.push(await db.tx((tx) => createKey(tx, made)));
  }
  await rm(demoKeyFile(instance.config));
  return { instance, keys };
}

async function used({ db, clock }: Instance, key: string, at: number): Promise<void> {
  const { id } = (await principalOfKey(db, key, clock.now()))!.credential;
  const { apiKeys } = db.t;
  await db.tx((tx) => tx.q.update(apiKeys).set({ lastUsedAt: at }).where(eq(apiKeys.id, id)));
}

async function alive({ db, clock }: Instance, keys: readonly string[]): Promise<boolean[]> {
  return Promise.all(keys.map(async (key) => (await principalOfKey(db, key, clock.now())) !== null));
}

test.each([{ host: "0.0.0.0" }, { host: "192.168.1.2" }, { mode: "live" as const }])(
  "no demo key or sign-in link for %o",
  async (change) => {
    const instance = await opened({});
    const elsewhere = { ...instance, config: { ...instance.config, ...change } };
    expect(await demoKey(elsewhere)).toBeNull();
    expect(await demoSignInUrl(elsewhere)).toBeNull();
  },
);

async function opened(env: NodeJS.ProcessEnv) {
  const config = readConfig({ DATABASE_URL: `file:${join(scratchFolder(), "test.db")}`, ...env });
  const instance = await openInstance(config, { migrates: true });
  onTestFinished(() => instance.db.close());
  return instance;
}
