import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../../../../src/platform/config/config.ts";
import { checkDirect } from "../../../../src/process/doctor/direct.ts";
import type { Instance } from "../../../../src/process/instance.ts";
import { type Devnet, startDevnet } from "../../../support/payments/direct-service.ts";

let devnet: Devnet;
beforeAll(async () => {
  devnet = await startDevnet();
}, 60_000);
afterAll(() => devnet.stop());

const check = (env: NodeJS.ProcessEnv = {}) =>
  checkDirect({ config: readConfig({ ...devnet.env(), ...env }) } as Instance);

test("in order: direct payment is off, and the result says so", async () => {
  expect(await checkDirect({ config: readConfig({}) } as Instance)).toEqual({
    name: "Direct payment",
    ok: true,
    found: "not taken: the X402 settings are not set",
  });
});

test("in order: the chain matches the settings, and the facilitator answers", async () => {
  const found = `open on eip155:31337 (a test network), paid to ${devnet.payTo} and settled by the facilitator, credited after 1 block`;
  expect(await check()).toMatchObject({ name: "Direct payment", ok: true, found });
});

test("in order: three nodes are configured, and all answer", async () => {
  const { X402_RPC_URL: url } = devnet.env();
  expect((await check({ X402_RPC_URL: `${url}/?n=1,${url}/?n=2,${url}/?n=3` })).ok).toBe(true);
});

test("not in order: one of three nodes does not answer; its URL is not printed", async () => {
  const { X402_RPC_URL: url } = devnet.env();
  const result = await check({ X402_RPC_URL: `${url}/?n=1,http://127.0.0.1:1/a-key-of-16-chars,${url}/?n=3` });
  expect([result.ok, result.found]).toEqual([false, "X402_RPC_URL: node 2 of 3 does not answer"]);
});

test.each([
  ["a chain of another number", { X402_NETWORK: "eip155:84532" }, /^X402_NETWORK: .* is eip155:31337/],
  ["no chain", { X402_RPC_URL: "http://127.0.0.1:1/a-key-of-16-chars" }, /^the chain at X402_RPC_URL does not answer/],
  ["no facilitator", { X402_FACILITATOR_URL: "http://127.0.0.1:1" }, /^X402_FACILITATOR_URL: the facilitator /],
])("not in order: %s", async (_, env, found) => {
  const result = await check(env);
  expect(result).toMatchObject({ ok: false, remedy: expect.any(String) });
  expect(result.found).toMatch(found);
  expect(JSON.stringify(result)).not.toMatch(/a-key-of/);
});
