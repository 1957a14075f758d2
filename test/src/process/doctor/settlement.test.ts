import { afterEach, beforeEach, expect, test } from "vitest";
import { MINUTE } from "../../../../src/platform/clock.ts";
import { readConfig } from "../../../../src/platform/config/config.ts";
import { checkSettlement } from "../../../../src/process/doctor/settlement.ts";
import type { Instance } from "../../../../src/process/instance.ts";
import { DIRECT, DirectWorld } from "../../../support/payments/direct-world.ts";

let world: DirectWorld;
let account: string;
beforeEach(async () => {
  world = await DirectWorld.open();
  account = await world.store.account(0);
});
afterEach(() => world.store.close());

const check = (env: NodeJS.ProcessEnv = DIRECT) => {
  const { db, clock } = world;
  return checkSettlement({ db, clock, config: readConfig(env) } as unknown as Instance);
};

test("in order: nothing was paid yet, or everything paid is credited", async () => {
  expect(await check()).toMatchObject({ name: "Settlement", ok: true, found: "every direct payment is decided" });
  await world.buy(account, world.sign());
  world.clock.pass(60 * MINUTE);
  expect((await check()).ok).toBe(true);
});

test("not in order: a payment has been open for more than 20 minutes", async () => {
  world.facilitator.behaviour = "unreachable";
  await world.buy(account, world.sign());
  world.clock.pass(20 * MINUTE);
  expect((await check()).ok).toBe(true);
  world.clock.pass(1);
  const result = await check();
  expect(result).toMatchObject({ ok: false, remedy: expect.stringContaining("X402_RPC_URL") });
  expect(result.found).toMatch(/^1 open, the oldest since 2026-01-05T12:00:/);
  expect((await check({})).remedy).toMatch(/^Restore the X402 settings/);
});

test("not in order: a payment vanished after its credits were given", async () => {
  await world.buy(account, world.sign());
  world.chain.reorganise(1, "is lost");
  world.chain.finality = 0;
  await world.direct.reconcile();
  world.chain.mine(3);
  await world.direct.reconcile();
  expect(await check()).toMatchObject({ ok: false, found: expect.stringMatching(/^1 vanished from the chain/) });
});
