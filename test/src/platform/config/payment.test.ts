import * as chains from "viem/chains";
import { describe, expect, test } from "vitest";
import { testChainIds } from "../../../../scripts/test-chains.ts";
import { readConfig } from "../../../../src/platform/config/config.ts";
import { TEST_CHAIN_IDS } from "../../../../src/platform/config/test-chain-ids.ts";

const SECRETS_KEY = Buffer.alloc(32, 7).toString("base64");
const LIVE = { ENGINES: "live", SITE_URL: "https://beckon.example", MAIL: "smtps://mail.example", SECRETS_KEY };
const STRIPE = { STRIPE_SECRET_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRET: "whsec_1" };
const REAL = { ...STRIPE, STRIPE_SECRET_KEY: "rk_live_1" };
const X402 = {
  X402_NETWORK: "eip155:84532",
  X402_ASSET: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
  X402_PAY_TO: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
  X402_RPC_URL: "http://127.0.0.1:8545/",
  X402_FACILITATOR_URL: "https://facilitator.example",
};
const STAGING = { BECKON_ALLOW_SANDBOX: "payment" };

describe("which card processor is chosen", () => {
  test.each([
    [{}, "sandbox"],
    [{ STRIPE_WEBHOOK_SECRET: "whsec_1" }, "sandbox"],
    [STRIPE, "stripe"],
    [{ ...LIVE, ...REAL }, "stripe"],
    [{ ...LIVE, ...STAGING }, "sandbox"],
    [{ ...LIVE, ...STAGING, ...STRIPE }, "stripe"],
    [{ ...LIVE, ...X402, X402_NETWORK: "eip155:8453" }, "none"],
    [{ ...LIVE, ...X402, X402_ALLOW_TEST_NETWORK: "eip155:84532" }, "none"],
  ])("%j: %s", (env, cards) => {
    expect(readConfig(env).cards).toBe(cards);
  });
});

describe("play money and real money never mix: each refusal names the setting", () => {
  test.each([
    ["STRIPE_SECRET_KEY", REAL],
    ["STRIPE_SECRET_KEY", { ...REAL, NODE_ENV: "production" }],
    ["STRIPE_SECRET_KEY", { ...LIVE, ...STRIPE }],
    ["STRIPE_SECRET_KEY", LIVE],
    ["STRIPE_SECRET_KEY", { ...STRIPE, STRIPE_SECRET_KEY: "pk_test_1" }],
    ["STRIPE_WEBHOOK_SECRET", { STRIPE_SECRET_KEY: "sk_test_1" }],
    ["X402_NETWORK", { ...X402, X402_NETWORK: "eip155:8453" }],
    ["X402_NETWORK", { ...X402, X402_NETWORK: "eip155:999999" }],
    ["X402_NETWORK", { ...LIVE, ...REAL, ...X402 }],
    ["X402_NETWORK", { ...LIVE, ...REAL, ...X402, ...STAGING }],
    ["X402_ALLOW_TEST_NETWORK", { ...X402, X402_ALLOW_TEST_NETWORK: "eip155:84532" }],
    ["X402_ALLOW_TEST_NETWORK", { ...LIVE, ...REAL, X402_ALLOW_TEST_NETWORK: "eip155:84532" }],
    ["X402_ALLOW_TEST_NETWORK", { ...LIVE, ...REAL, ...X402, X402_ALLOW_TEST_NETWORK: "eip155:11155111" }],
    [
      "X402_ALLOW_TEST_NETWORK",
      { ...LIVE, ...X402, X402_NETWORK: "eip155:8453", X402_ALLOW_TEST_NETWORK: "eip155:8453" },
    ],
    ["X402_ALLOW_TEST_NETWORK", { ...LIVE, ...REAL, ...X402, X402_ALLOW_TEST_NETWORK: "true" }],
    ["X402_NETWORK", { ...X402, X402_NETWORK: "base-sepolia" }],
    ["X402_NETWORK", { ...X402, X402_NETWORK: "eip155:084532" }],
  ])("%s in %j", (name, env) => {
    expect(() => readConfig(env)).toThrow(
      new RegExp(`^(?:Invalid settings|Settings that contradict each other):.*\\n  ${name}: `, "s"),
    );
  });
});

describe("incomplete settings of direct payment are refused, naming what is missing", () => {
  test.each(Object.keys(X402))("%s", (name) => {
    expect(() => readConfig({ ...X402, [name]: "" })).toThrow(name);
    expect(() => readConfig({ [name]: X402[name as keyof typeof X402] })).toThrow("X402_");
  });

  test.each([
    ["X402_ASSET", "0x036CbD"],
    ["X402_PAY_TO", "alice.eth"],
    ["X402_RPC_URL", "ws://127.0.0.1:8545"],
    ["X402_RPC_URL", "http://127.0.0.1:8545, ws://127.0.0.1:8546"],
    ["X402_RPC_URL", "http://127.0.0.1:8545,http://127.0.0.1:8545/"],
    ["X402_CONFIRMATIONS", "0"],
    ["X402_CONFIRMATIONS", "many"],
  ])("%s=%s is refused", (name, value) => {
    expect(() => readConfig({ ...X402, [name]: value })).toThrow(name);
  });
});

describe("test networks", () => {
  const testNetworks = [...TEST_CHAIN_IDS, 1281, 1337, 31337].map((id) => `eip155:${id}`);

  test("a live service refuses every test network by its name, unless it is allowed by that name", () => {
    for (const network of testNetworks) {
      const env = { ...LIVE, ...REAL, ...X402, X402_NETWORK: network };
      expect(() => readConfig(env)).toThrow(`X402_NETWORK: ${network} is a test network`);
      expect(() => readConfig(env)).toThrow(`X402_ALLOW_TEST_NETWORK=${network}`);
      expect(readConfig({ ...env, X402_ALLOW_TEST_NETWORK: network }).direct?.network).toBe(network);
    }
  });

  test("a sandbox accepts every test network, and no other network", () => {
    for (const network of testNetworks) {
      expect(readConfig({ ...X402, X402_NETWORK: network }).direct?.network).toBe(network);
    }
    for (const id of [1, 10, 137, 8453, 42161, 999, 999999]) {
      const env = { ...X402, X402_NETWORK: `eip155:${id}` };
      expect(() => readConfig(env)).toThrow("X402_NETWORK: real money");
      expect(readConfig({ ...LIVE, ...env }).direct?.chainId).toBe(id);
    }
  });

  test("the list is equal to viem's", () => {
    expect(TEST_CHAIN_IDS).toEqual(testChainIds(Object.values(chains)));
    expect(TEST_CHAIN_IDS).toEqual(expect.arrayContaining([84532, 11155111, 17000, 560048, 80002, 421614, 43113, 97]));
  });

  test("a chain id that a network with real money has too is not in the list", () => {
    const same = { id: 999, testnet: true };
    expect(testChainIds([same, { id: 7, testnet: true }, { id: 999 }, { id: 1, testnet: false }, same])).toEqual([7]);
  });
});

test("the settings of direct payment are parsed", () => {
  expect(readConfig({ ...X402, X402_CONFIRMATIONS: "3" }).direct).toEqual({
    network: "eip155:84532",
    chainId: 84532,
    asset: X402.X402_ASSET,
    payTo: X402.X402_PAY_TO,
    rpcUrls: ["http://127.0.0.1:8545"],
    facilitatorUrl: "https://facilitator.example",
    confirmations: 3,
  });
  expect(readConfig({}).direct).toBeUndefined();
});

test("X402_RPC_URL may name several nodes", () => {
  const list = "https://one.example/v2/key, https://two.example/?keys=1,2,http://127.0.0.1:8545/";
  expect(readConfig({ ...X402, X402_RPC_URL: list }).direct?.rpcUrls).toEqual([
    "https://one.example/v2/key",
    "https://two.example/?keys=1,2",
    "http://127.0.0.1:8545",
  ]);
});
