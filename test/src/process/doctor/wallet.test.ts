import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../../../../src/platform/config/config.ts";
import { checkWallet } from "../../../../src/process/doctor/wallet.ts";
import type { Instance } from "../../../../src/process/instance.ts";
import { testStore } from "../../../support/database/store.ts";
import { DEV_ACCOUNTS } from "../../../support/payments/chain/accounts.ts";
import { type Devnet, startDevnet } from "../../../support/payments/direct-service.ts";
import { eachTest } from "../../../support/service/each-test.ts";

let devnet: Devnet;
beforeAll(async () => {
  devnet = await startDevnet();
}, 60_000);
afterAll(() => devnet.stop());
const store = eachTest(testStore);

const { address, key } = DEV_ACCOUNTS.facilitator;

const check = (env: NodeJS.ProcessEnv = {}) => {
  const own = { ...devnet.env(), X402_FACILITATOR_URL: "", X402_FACILITATOR_KEY: key, ...env };
  return checkWallet({ db: store.db, clock: store.clock, config: readConfig(own) } as unknown as Instance);
};

test("in order: a facilitator settles the payments, or none are accepted", async () => {
  expect(await check({ X402_FACILITATOR_KEY: "", X402_FACILITATOR_URL: devnet.facilitator.url })).toMatchObject({
    name: "Gas",
    ok: true,
  });
  expect(await checkWallet({ config: readConfig({}) } as Instance)).toMatchObject({ ok: true });
});

test("in order: names the balance of the account, the price of gas and the transactions that are not mined", async () => {
  const { ok, found } = await check();
  expect([ok, found]).toEqual([true, expect.stringContaining(`${address} holds `)]);
  expect(found).toMatch(/gas costs [\d.]+ gwei of at most 10; 0 transactions not mined$/);
});

test("in order: counts the transactions that are not mined", async () => {
  await devnet.client.setAutomine(false);
  await devnet.client.sendTransaction({ account: address, to: address, chain: null });
  expect((await check()).found).toContain("; 1 transactions not mined");
  await devnet.mine();
  await devnet.client.setAutomine(true);
});

test("not in order: gas costs more than the limit", async () => {
  const { ok, found, remedy } = await check({ X402_MAX_GAS_GWEI: "0.0001" });
  expect([ok, remedy]).toEqual([false, expect.stringContaining("X402_MAX_GAS_GWEI")]);
  expect(found).toMatch(/gwei of at most 0.0001: no payment is settled/);
});

test("not in order: little gas is left", async () => {
  const value = await devnet.client.getBalance({ address });
  await devnet.client.setBalance({ address, value: 10n ** 15n });
  const { ok, found, remedy } = await check();
  await devnet.client.setBalance({ address, value });
  expect([ok, remedy]).toEqual([false, expect.stringContaining(`to ${address}: at least `)]);
  expect(found).toContain("holds 0.001 of the chain's coin");
});

test.each([
  ["no node answers", { X402_RPC_URL: "http://127.0.0.1:1/a-key-of-16-chars" }],
  ["it is of another chain", { X402_NETWORK: "eip155:84532" }],
])("not in order: %s", async (_, env) => {
  const result = await check(env);
  expect(result).toMatchObject({ ok: false, found: expect.stringMatching(/^no node says/) });
  expect(JSON.stringify(result)).not.toContain("a-key-of");
});
