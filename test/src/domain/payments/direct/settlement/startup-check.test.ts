import { beforeEach, describe, expect, test } from "vitest";
import {
  type BlockId,
  ChainUnreachable,
  type TokenInfo,
  WrongChain,
} from "../../../../../../src/domain/payments/direct/chain/chain.ts";
import { FacilitatorUnreachable } from "../../../../../../src/domain/payments/direct/facilitator/facilitator.ts";
import { checkSettings } from "../../../../../../src/domain/payments/direct/settlement/startup-check.ts";
import type { DirectSettings } from "../../../../../../src/platform/config/payment.ts";

const ASSET = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";
const PAY_TO = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const SETTINGS: DirectSettings = {
  network: "eip155:84532",
  chainId: 84532,
  asset: ASSET,
  payTo: PAY_TO,
  rpcUrls: ["http://127.0.0.1:1"],
  facilitatorUrl: "http://127.0.0.1:1",
  confirmations: 1,
};
const FACTS: TokenInfo = {
  chainId: 84532,
  isContract: true,
  decimals: 6,
  name: "USDC",
  version: "2",
  isDomain: true,
};

let time: number;
let logged: (readonly [level: string, message: string])[];
beforeEach(() => {
  time = 0;
  logged = [];
});

const log = {
  info: (_: object, message: string) => void logged.push(["info", message]),
  warn: (_: object, message: string) => void logged.push(["warn", message]),
  error: (fields: object, message: string) => void logged.push(["error", `${JSON.stringify(fields)} ${message}`]),
};

/** What the chain and the facilitator answer, which a test may change; an error is thrown. */
function world(settings: Partial<DirectSettings> = {}) {
  const answers: { token: TokenInfo | Error; serves: boolean | Error; verify: undefined | Error } = {
    token: FACTS,
    serves: true,
    verify: undefined,
  };
  const reads = { token: 0, serves: 0, verify: 0 };
  const answer = async <K extends keyof typeof answers>(what: K) => {
    reads[what] += 1;
    await Promise.resolve();
    const one = answers[what];
    if (one instanceof Error) throw one;
    return one as Exclude<(typeof answers)[K], Error>;
  };
  const parts = {
    settings: { ...SETTINGS, ...settings },
    chain: { token: () => answer("token"), verify: () => answer("verify") },
    facilitator: { serves: () => answer("serves") },
    checkpoint: null as BlockId | null,
    log,
    now: () => time,
  };
  return { answers, reads, open: (checkpoint = parts.checkpoint) => checkSettings({ ...parts, checkpoint }) };
}

const REFUSED = { code: "unavailable", status: 503, headers: { "Retry-After": "10" } };

test("returns the domain of the token, which is read once", async () => {
  const { open, reads } = world();
  const domain = await open();
  expect([await domain(), await domain()]).toEqual(Array(2).fill({ name: "USDC", version: "2" }));
  expect([reads, logged]).toEqual([{ token: 1, serves: 1, verify: 0 }, []]);
});

describe("refuses to start, naming the setting and both values", () => {
  test.each([
    ["X402_NETWORK: the chain at X402_RPC_URL is eip155:8453, not eip155:84532", { chainId: 8453 }],
    [`X402_ASSET: no contract stands at ${ASSET} on eip155:84532`, { isContract: false, isDomain: false }],
    [`X402_ASSET: the token at ${ASSET} has 18 decimals, not 6`, { decimals: 18 }],
    [`X402_ASSET: the token at ${ASSET} has an unknown number of decimals, not 6`, { decimals: null }],
    [`X402_ASSET: the token at ${ASSET} says it is "USDC" version "2"`, { isDomain: false }],
  ])("%s", async (message, facts) => {
    const { open, answers } = world();
    answers.token = { ...FACTS, ...facts };
    await expect(open()).rejects.toThrow(message);
  });

  test.each([
    ["X402_PAY_TO: 0x0000000000000000000000000000000000000000", { payTo: `0x${"0".repeat(40)}` }],
    [`X402_PAY_TO: ${ASSET} is the token`, { payTo: ASSET }],
    [`X402_PAY_TO: ${ASSET.toLowerCase()} is the token`, { payTo: ASSET.toLowerCase() }],
    ["X402_PAY_TO: 0x3c44CdDdB6a900fa2b585dd299e03d12FA4293BC is mistyped", { payTo: PAY_TO.replace("C", "c") }],
    ["X402_ASSET: 0x036cbD53842c5426634e7929541eC2318f3dCF7e is mistyped", { asset: ASSET.replace("C", "c") }],
  ])("%s", async (message, settings) => {
    const { open, reads } = world(settings);
    await expect(open()).rejects.toThrow(message);
    expect(reads.token).toBe(0);
  });

  test("the facilitator does not serve the network", async () => {
    const { open, answers } = world();
    answers.serves = false;
    const message = "X402_FACILITATOR_URL: it does not serve the scheme exact of x402 v2 on eip155:84532";
    await expect(open()).rejects.toThrow(message);
    answers.token = new ChainUnreachable("The chain did not tell what its token is: HTTP status 502.");
    await expect(open()).rejects.toThrow(message);
  });

  test("the chain does not fit, and the facilitator does not answer", async () => {
    const { open, answers } = world();
    answers.token = { ...FACTS, chainId: 1 };
    answers.serves = new FacilitatorUnreachable("HTTP status 503");
    await expect(open()).rejects.toThrow("X402_NETWORK");
  });

  test("any other error is thrown unchanged", async () => {
    const { open, answers } = world();
    answers.token = new TypeError("a fault of ours");
    await expect(open()).rejects.toThrow("a fault of ours");
  });

  test.each([PAY_TO.toLowerCase(), `0x${PAY_TO.slice(2).toUpperCase()}`])(
    "but accepts %s without a checksum",
    async (payTo) => {
      expect(await (await world({ payTo }).open())()).toEqual({ name: "USDC", version: "2" });
    },
  );
});

test("a facilitator that does not say what it serves is a warning, since each payment shows whether it settles", async () => {
  const { open, answers } = world();
  answers.serves = new FacilitatorUnreachable("HTTP status 503");
  expect(await (await open())()).toEqual({ name: "USDC", version: "2" });
  expect(logged).toEqual([
    [
      "warn",
      "X402_FACILITATOR_URL: the facilitator does not say what it serves (HTTP status 503); payments may not be settled",
    ],
  ]);
});

test.each([
  ["error", "It is another one.", new WrongChain("It is another one.")],
  ["warn", "It has no block 7.", new ChainUnreachable("It has no block 7.")],
])(
  "a chain without the block that was final is an %s in the log, and the service starts",
  async (level, why, thrown) => {
    const { open, answers } = world();
    answers.verify = thrown;
    expect(await (await open({ number: 7, hash: "0x7" }))()).toEqual({ name: "USDC", version: "2" });
    expect(logged).toEqual([[level, expect.stringMatching(`^(?:{} )?${why} Direct payments wait`)]]);
  },
);

describe("503 unavailable: the chain does not answer at the start", () => {
  async function away() {
    const all = world();
    all.answers.token = new ChainUnreachable("The chain did not tell what its token is: HTTP status 502.");
    const domain = await all.open();
    return { ...all, domain, back: () => Object.assign(all.answers, { token: FACTS, serves: true }) };
  }

  test("the service starts with a warning, and refuses payments", async () => {
    const { domain, reads } = await away();
    expect(logged).toEqual([
      [
        "warn",
        "X402_RPC_URL: direct payment is closed until the chain answers. The chain did not tell what its token is: HTTP status 502.",
      ],
    ]);
    time = 9_999;
    for (let i = 0; i < 3; i++) await expect(domain()).rejects.toMatchObject(REFUSED);
    expect(reads).toEqual({ token: 1, serves: 1, verify: 0 });
  });

  test("the chain is checked again after ten seconds, once for all who wait", async () => {
    const { domain, reads, back } = await away();
    time = 10_000;
    const refused = await Promise.all(Array.from({ length: 5 }, () => domain().catch(({ code }) => code)));
    expect([refused, reads]).toEqual([Array(5).fill("unavailable"), { token: 2, serves: 2, verify: 0 }]);
    back();
    time = 19_999;
    await expect(domain()).rejects.toMatchObject(REFUSED);
    time = 20_000;
    const domains = await Promise.all(Array.from({ length: 5 }, () => domain()));
    expect(domains).toEqual(Array(5).fill({ name: "USDC", version: "2" }));
    expect(reads).toEqual({ token: 3, serves: 3, verify: 0 });
    expect(logged.map(([level]) => level)).toEqual(["warn", "warn", "info"]);
  });

  test("a mismatch found later keeps direct payment closed, and is logged", async () => {
    const { domain, reads, answers, back } = await away();
    back();
    answers.token = { ...FACTS, chainId: 8453 };
    time = 10_000;
    await expect(domain()).rejects.toMatchObject(REFUSED);
    const [level, told] = logged.at(-1)!;
    expect([level, told]).toEqual(["error", expect.stringContaining("X402_NETWORK: the chain at X402_RPC_URL is")]);
    back();
    time = 100_000;
    await expect(domain()).rejects.toMatchObject(REFUSED);
    expect(reads).toEqual({ token: 2, serves: 2, verify: 0 });
  });
});
