import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { readConfig } from "../../../../src/platform/config/config.ts";
import { checkDirect } from "../../../../src/process/doctor/direct.ts";
import type { Instance } from "../../../../src/process/instance.ts";
import { type Fault, type FaultProxy, startFaultProxy } from "../../../payments/fault-proxy.ts";
import { testStore } from "../../../support/database/store.ts";
import { type Devnet, startDevnet } from "../../../support/payments/direct-service.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
let devnet: Devnet;
let rpc: FaultProxy;
beforeAll(async () => {
  devnet = await startDevnet();
  rpc = await startFaultProxy(devnet.rpcUrl);
}, 60_000);
afterAll(async () => {
  await rpc.close();
  await devnet.stop();
});
afterEach(() => {
  rpc.fault = null;
});

const check = (env: NodeJS.ProcessEnv = {}) =>
  checkDirect({ config: readConfig({ ...devnet.env(), ...env }), db: store.db } as Instance);

test("in order: direct payment is off, and the result says so", async () => {
  expect(await checkDirect({ config: readConfig({}), db: store.db } as Instance)).toEqual({
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
  expect([result.ok, result.found]).toEqual([
    false,
    "X402_RPC_URL: node 2 of 3: The chain did not tell its newest block: no connection.",
  ]);
});

test.each([
  ["a chain of another number", { X402_NETWORK: "eip155:84532" }, /^X402_NETWORK: .* is eip155:31337/],
  [
    "no chain",
    { X402_RPC_URL: "http://127.0.0.1:1/a-key-of-16-chars" },
    /^X402_RPC_URL: direct payment is closed until the chain answers\. .*: no connection\.$/,
  ],
  [
    "no facilitator",
    { X402_FACILITATOR_URL: "http://127.0.0.1:1" },
    /^X402_FACILITATOR_URL: the facilitator .*\(no connection\)/,
  ],
])("not in order: %s", async (_, env, found) => {
  const result = await check(env);
  expect(result).toMatchObject({ ok: false, remedy: expect.any(String) });
  expect(result.found).toMatch(found);
  expect(JSON.stringify(result)).not.toMatch(/a-key-of/);
});

test.each<[string, Fault, string]>([
  ["HTTP 502", async () => ({ status: 502, body: "<html>bad gateway</html>" }), "HTTP status 502"],
  ["HTTP 401", async () => ({ status: 401, body: "" }), "HTTP status 401"],
  ["a page", async () => ({ status: 200, body: "<html>hello</html>" }), "its answer makes no sense"],
  ["a cut connection", async () => "cut", "the connection broke, or the answer is not HTTP that can be read"],
])("not in order: what the node and the facilitator answer is said, in our words: %s", async (_, fault, why) => {
  rpc.fault = fault;
  const { found } = await check({ X402_RPC_URL: rpc.url, X402_FACILITATOR_URL: rpc.url });
  expect(found).toBe(
    `X402_FACILITATOR_URL: the facilitator does not say what it serves (${why}); payments may not be settled; ` +
      `X402_RPC_URL: direct payment is closed until the chain answers. The chain did not tell what its token is: ${why}.`,
  );
});

test.each([
  [
    "another block in the place",
    1,
    /another one, or was started again: its block 1 is not the one that was final\. Direct/,
  ],
  [
    "no block of that height",
    1_000_000,
    /has no block 1000000, which was final: its node is far behind, or .* started again/,
  ],
])("not in order: the chain was started again, and has %s of the one that was final", async (_, number, found) => {
  const value = JSON.stringify({ number, hash: `0x${"1".repeat(64)}` });
  await store.db.tx((tx) => tx.q.insert(tx.t.meta).values({ name: "checkpoint:eip155:31337", value }));
  const result = await check();
  expect([result.ok, result.found]).toEqual([false, expect.stringMatching(found)]);
});
