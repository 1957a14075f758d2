import * as chains from "viem/chains";
import { describe, expect, test } from "vitest";
import { testChainIds } from "../../../../scripts/test-chains.ts";
import { LOOKUP_PROVIDERS } from "../../../../src/indexing/engines/live/lookup/index.ts";
import { SUBMISSION_PROVIDERS } from "../../../../src/indexing/engines/live/submit/index.ts";
import { readConfig } from "../../../../src/platform/config/config.ts";
import { PROVIDER_SETTINGS } from "../../../../src/platform/config/provider-settings.ts";
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

describe("a service that sells nothing: PAYMENTS=off", () => {
  test("a live service needs no way to be paid, and takes no cards", () => {
    expect(readConfig({ ...LIVE, PAYMENTS: "off" })).toMatchObject({ isSelling: false, cards: "none" });
    expect(readConfig({ PAYMENTS: "off" }).cards).toBe("none");
  });

  test.each([
    ["STRIPE_SECRET_KEY", STRIPE],
    ["STRIPE_WEBHOOK_SECRET", { STRIPE_WEBHOOK_SECRET: "whsec_1" }],
    ["X402_NETWORK", X402],
  ])("%s takes money, and is refused with it", (name, env) => {
    expect(() => readConfig({ ...env, PAYMENTS: "off" })).toThrow(`${name}: nothing is sold with PAYMENTS=off`);
  });
});

const PAID = { SERPER_KEY: "k" };
const ON_TEST_NETWORK = { ...X402, X402_ALLOW_TEST_NETWORK: X402.X402_NETWORK };

describe("keys that cost money, behind an open door with payments that are worth nothing", () => {
  test.each([
    ["the sandbox's payment page", STAGING],
    ["test cards", { ...STAGING, ...STRIPE }],
    ["the test network eip155:84532", ON_TEST_NETWORK],
    ["the test network eip155:84532", { ...REAL, ...ON_TEST_NETWORK }],
  ])("%s: does not start", (what, env) => {
    const open = { ...LIVE, ...env, ...PAID };
    expect(() => readConfig(open)).toThrow(`SIGNUP: anybody could sign up, pay with ${what}`);
    expect(readConfig({ ...open, SIGNUP: "off" }).signUp).toBe("off");
  });

  test.each(Object.entries(PROVIDER_SETTINGS).filter(([, row]) => "providers" in row && "secret" in row))(
    "%s: counts unless its providers are fakes on this machine",
    (name, row) => {
      // A credential of two parts; the first that is set is named.
      const isHalf = name.startsWith("DATAFORSEO_");
      const other = isHalf ? { DATAFORSEO_LOGIN: "k", DATAFORSEO_PASSWORD: "k" } : {};
      const named = isHalf ? "DATAFORSEO_LOGIN" : name;
      const env = { ...LIVE, ...STAGING, ...other, [name]: "k" };
      const at = (host: string) =>
        (row as { providers: readonly string[] }).providers.map((one) => `${one}=${host}`).join(",");
      expect(() => readConfig(env)).toThrow(`and spend ${named};`);
      expect(() => readConfig({ ...env, PROVIDER_URLS: at("https://127.0.0.1.example") })).toThrow(named);
      for (const fake of ["http://127.0.0.1:4010/x", "http://localhost:4010/x", "http://[::1]:4010/x"])
        expect(readConfig({ ...env, PROVIDER_URLS: at(fake) }).signUp).toBe("open");
    },
  );

  test.each([
    ["real money", { ...LIVE, ...REAL, ...PAID }],
    ["nothing to buy", { ...LIVE, PAYMENTS: "off", ...PAID }],
    ["no key", { ...LIVE, ...STAGING }],
    ["engines of the sandbox", PAID],
  ])("%s: starts with an open door", (_, env) => {
    expect(readConfig(env).signUp).toBe("open");
  });

  test("law: each credential names exactly the providers that need it", () => {
    for (const [name, row] of Object.entries(PROVIDER_SETTINGS)) {
      const needing = Object.entries({ ...SUBMISSION_PROVIDERS, ...LOOKUP_PROVIDERS })
        .filter(([, { settings }]) => (settings as readonly string[]).includes(name))
        .map(([provider]) => provider);
      if ("providers" in row) expect([name, [...row.providers].sort()]).toEqual([name, needing.sort()]);
    }
  });
});

const FOUR = { basic: [1, 50], pro: [200, 1000], premium: [3, 99_999_999], agency: [100_000_000, 77] } as const;
const content = ([credits, amount_cents]: readonly [number, number]) => ({ credits, amount_cents });
const packs = (changed: object = {}) =>
  JSON.stringify({ ...Object.fromEntries(Object.entries(FOUR).map(([id, one]) => [id, content(one)])), ...changed });

describe("PACKS", () => {
  test("default: the packs of the specification, with the price of a credit", () => {
    expect(
      readConfig({}).packs.map(({ id, credits, amountCents, perLink }) => [id, credits, amountCents, perLink]),
    ).toEqual([
      ["basic", 150, 999, "$0.067"],
      ["pro", 500, 2999, "$0.060"],
      ["premium", 1100, 5999, "$0.055"],
      ["agency", 3000, 14999, "$0.050"],
    ]);
  });

  test("sets credits and price of each, in the order of the specification", () => {
    expect(readConfig({ PACKS: packs() }).packs).toMatchObject(
      Object.entries(FOUR).map(([id, [credits, amountCents]]) => ({ id, credits, amountCents })),
    );
    expect(readConfig({ PACKS: packs() }).packs.map(({ perLink }) => perLink)).toEqual([
      "$0.500",
      "$0.050",
      "$333333.330",
      "$0.00000001",
    ]);
  });

  test.each([
    ["no JSON", "{basic", "must be JSON such as"],
    ["a list", "[]", "must be JSON such as"],
    ["null", "null", "must be JSON such as"],
    ["a pack that is missing", packs({ agency: undefined }), "must name the credits and amount_cents of agency"],
    ["a misspelt pack", packs({ premiun: {} }), 'no pack "premiun"; did you mean premium?'],
    ["a foreign pack", packs({ enormous: {} }), 'no pack "enormous"; there are basic'],
    ["a misspelt field", packs({ pro: { credits: 1, amount_cent: 99 } }), "did you mean amount_cents?"],
    [
      "dollars in place of cents",
      packs({ pro: { credits: 1, amount_cents: 9.99 } }),
      "amount_cents of pro must be a whole number",
    ],
    ["a price in quotes", packs({ pro: { credits: 1, amount_cents: "999" } }), "amount_cents of pro must be"],
    ["a price below what cards can pay", packs({ pro: { credits: 1, amount_cents: 49 } }), "from 50 to"],
    ["no credits", packs({ pro: { credits: 0, amount_cents: 999 } }), "credits of pro must be"],
    ["credits beyond the books", packs({ pro: { credits: 1e9, amount_cents: 999 } }), "credits of pro must be"],
  ])("%s: is refused with a sentence", (_, text, sentence) => {
    const read = () => readConfig({ PACKS: text });
    expect(read).toThrow("PACKS: ");
    expect(read).toThrow(sentence);
  });
});
