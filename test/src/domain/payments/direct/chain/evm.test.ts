import {
  decodeFunctionData,
  domainSeparator,
  encodeErrorResult,
  encodeFunctionData,
  encodeFunctionResult,
  type Hex,
  numberToHex,
  parseAbi,
} from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  type AuthorizationState,
  type Chain,
  ChainUnreachable,
  type Search,
  type Use,
  WrongChain,
} from "../../../../../../src/domain/payments/direct/chain/chain.ts";
import { chainOf, openNodes } from "../../../../../../src/domain/payments/direct/chain/evm.ts";
import { readConfig } from "../../../../../../src/platform/config/config.ts";
import { createHttpClient } from "../../../../../../src/platform/http-client/http-client.ts";
import {
  type Fault,
  type FaultProxy,
  type ProxiedRequest,
  says,
  startFaultProxy,
} from "../../../../../payments/fault-proxy.ts";
import { type TestChain, testChain } from "../../../../../payments/test-chain.ts";
import { newNonce, type Payment, type PaymentChanges } from "../../../../../payments/wallet.ts";
import { DEV_ACCOUNTS } from "../../../../../support/payments/chain/accounts.ts";
import { READ_OF_TOKEN, TOKEN } from "../../../../../support/payments/chain/contracts.ts";
import { deploy } from "../../../../../support/payments/chain/devnet.ts";
import { authorizationIn, payOn } from "../../../../../support/payments/chain/pay.ts";
import { type Devnet, startDevnet } from "../../../../../support/payments/direct-service.ts";
import { listen } from "../../../../../support/service/listen.ts";

const http = createHttpClient(readConfig({}));
const openChain = (settings: Parameters<typeof openNodes>[0], by = http) => chainOf(openNodes(settings, by));
const ELSEWHERE = "0x000000000000000000000000000000000000dEaD";

let devnet: Devnet;
let anybody: TestChain;
/** In front of the node. */
let rpc: FaultProxy;
let chain: Chain;
let buyer: PrivateKeyAccount;

beforeAll(async () => {
  devnet = await startDevnet();
  anybody = testChain(devnet);
  rpc = await startFaultProxy(devnet.rpcUrl);
  chain = openChain(devnet.settings({ rpcUrls: [rpc.url] }), http);
});
beforeEach(async () => {
  buyer = await devnet.buyer();
});
afterEach(() => {
  rpc.fault = null;
});
afterAll(async () => {
  await rpc.close();
  await devnet.stop();
  await http.close();
});

const payment = (otherwise?: PaymentChanges) => payOn(devnet, buyer, otherwise);

type Sought = ReturnType<typeof authorizationIn>;
/** The state of an authorization as of the newest block, or of another. */
async function stateOf(sought: Sought, more: Partial<Search> = {}, of = chain): Promise<AuthorizationState> {
  const at = more.at ?? (await of.latest());
  return of.authorizationState({ authorization: sought, at, since: 0, checkpoint: null, ...more });
}

const state = (paid: Payment, more?: Partial<Search>) => stateOf(authorizationIn(paid), more);
const used = async (paid: Payment) => (await state(paid)).isUsed;
/** Its transfer. */
async function found(paid: Payment, since = 0): Promise<Use | null> {
  const { use } = await state(paid, { since });
  return use?.transfer == null ? null : use;
}

/** Ten dollars of another token. */
async function mint(token: Hex, to: Hex): Promise<void> {
  const call = { address: token, abi: TOKEN, functionName: "mint", args: [to, 10_000_000n] } as const;
  await devnet.client.writeContract({ ...call, account: DEV_ACCOUNTS.deployer.address });
}

function callOf(target: Hex, { payload: { authorization, signature } }: Payment) {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const args = [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce, signature] as const;
  return { target, callData: encodeFunctionData({ abi: TOKEN, functionName: "transferWithAuthorization", args }) };
}

test("the newest block has the time of the chain, and a hash", async () => {
  const before = await chain.latest();
  await devnet.increaseTime(1_000);
  const after = await chain.latest();
  expect([after.number, after.hash]).toEqual([before.number + 1, expect.stringMatching(/^0x[0-9a-f]{64}$/)]);
  expect(after.timestamp - before.timestamp).toBeGreaterThanOrEqual(1_000);
});

test("the final block is behind the newest one", async () => {
  await devnet.mine(100);
  const { number } = await chain.latest();
  const final = await chain.final();
  expect(final.number).toBeGreaterThan(0);
  expect(final.number).toBeLessThan(number);
});

test("law: simultaneous callers each get an answer to a request of their own", async () => {
  const block = await chain.final();
  const before = rpc.asked.length;
  await chain.verify(block);
  const alone = rpc.asked.length - before;
  await Promise.all([chain.verify(block), chain.verify(block), chain.verify(block)]);
  expect(rpc.asked.length - before).toBe(4 * alone);
});

describe("an authorization is found to be used", () => {
  test("by its transfer", async () => {
    const paid = await payment();
    expect(await used(paid)).toBe(false);
    await anybody.submit(paid);
    expect(await used(paid)).toBe(true);
  });

  test("by a cancellation, which has no transfer", async () => {
    const paid = await payment();
    await anybody.cancel(buyer, paid);
    const { isUsed, use } = await state(paid);
    expect([isUsed, use]).toEqual([true, { hash: expect.any(String), block: use!.block, transfer: null }]);
  });

  test("as of the given block, whatever came later", async () => {
    const paid = await payment();
    const before = await chain.latest();
    await anybody.submit(paid);
    expect(await state(paid, { at: before })).toEqual({ isUsed: false, use: null });
  });
});

describe("the transfer of an authorization", () => {
  test("is named by its transaction and its log", async () => {
    const paid = await payment();
    expect(await found(paid)).toBe(null);
    const hash = await anybody.submit(paid);
    const { blockNumber, logs } = await devnet.client.getTransactionReceipt({ hash });
    const block = Number(blockNumber);
    const transfer = { hash, block, transfer: `${hash}/${logs[1]!.logIndex}` };
    expect([await found(paid), await found(paid, block)]).toEqual([transfer, transfer]);
    expect(await found(paid, block + 1)).toBe(null);
  });

  test.each([
    ["payer", { from: ELSEWHERE.toLowerCase() }],
    ["nonce", { nonce: newNonce() }],
  ])("is not the transfer of another %s", async (_, change) => {
    const paid = await payment();
    await anybody.submit(paid);
    expect(await stateOf({ ...authorizationIn(paid), ...change })).toEqual({ isUsed: false, use: null });
  });

  test.each([
    ["value", { value: "10000001" }],
    ["recipient", { to: ELSEWHERE.toLowerCase() }],
  ])("is not the transfer of another %s, for which the authorization was used", async (_, change) => {
    const paid = await payment();
    const hash = await anybody.submit(paid);
    const { isUsed, use } = await stateOf({ ...authorizationIn(paid), ...change });
    expect([isUsed, use]).toMatchObject([true, { hash, transfer: null }]);
  });

  test("is looked for first where it was found before, since a node may have dropped its logs", async () => {
    const paid = await payment();
    const hash = await anybody.submit(paid);
    const since = (await chain.latest()).number + 1;
    expect((await state(paid, { since })).use).toBe(null);
    expect((await state(paid, { since, lastSeenIn: hash })).use).toMatchObject({ hash });
    expect((await state(paid, { lastSeenIn: `0x${"1".repeat(64)}` })).use).toMatchObject({ hash });
  });

  test("is not a transfer of the same token on another contract", async () => {
    const token = await deploy(devnet.client, "TestUSD");
    await mint(token, buyer.address);
    const paid = await payment({ domain: { verifyingContract: token } });
    const hash = await testChain({ ...devnet, token }).submit(paid);
    const elsewhere = openChain(devnet.settings({ asset: token }), http);
    expect((await stateOf(authorizationIn(paid), {}, elsewhere)).use).toMatchObject({ hash });
    expect(await found(paid)).toBe(null);
  });

  /** The payer signs the same nonce twice: once for us, once back to itself, and has the latter executed. */
  const ORDERS = [["before"], ["behind"]] as const;
  test.each(ORDERS)("is not the transfer of another authorization in the same transaction: %s it", async (order) => {
    const honest = await payment();
    const shown = await payment();
    const { nonce } = shown.payload.authorization;
    const executed = await payment({ authorization: { nonce, to: ELSEWHERE } });
    const hash = await anybody.submitTogether(order === "before" ? [executed, honest] : [honest, executed]);
    expect(await found(honest)).toMatchObject({ hash });
    expect([await used(shown), await found(shown)]).toEqual([true, null]);
  });

  test("is not a transfer by approval in the same transaction", async () => {
    const shown = await payment();
    const { nonce } = shown.payload.authorization;
    const executed = await payment({ authorization: { nonce, to: ELSEWHERE } });
    const call = await anybody.transferFrom(buyer, 10_000_000n);
    await anybody.submitTogether([executed], [call]);
    expect([await used(shown), await found(shown)]).toEqual([true, null]);
  });

  test("is not a transfer of a worthless look-alike token in the same transaction", async () => {
    const worthless = await deploy(devnet.client, "TestUSD");
    await mint(worthless, buyer.address);
    const shown = await payment({ domain: { verifyingContract: worthless } });
    const { nonce } = shown.payload.authorization;
    const executed = await payment({ authorization: { nonce, to: ELSEWHERE } });
    await anybody.submitTogether([], [callOf(worthless, shown), callOf(devnet.token, executed)]);
    expect([await used(shown), await found(shown)]).toEqual([true, null]);
  });

  test("law: two authorizations of one payer in one transaction have two transfers", async () => {
    const [one, other] = [await payment(), await payment()];
    const hash = await anybody.submitTogether([one, other]);
    const transfers = [await found(one), await found(other)];
    expect(transfers.map((transfer) => transfer?.hash)).toEqual([hash, hash]);
    expect(new Set(transfers.map((transfer) => transfer?.transfer)).size).toBe(2);
  });

  test("vanishes with its block, and is found again where it lands next", async () => {
    const paid = await payment();
    const undo = await devnet.snapshot();
    await anybody.submit(paid);
    const before = (await found(paid))!;
    await undo();
    expect([await used(paid), await found(paid)]).toEqual([false, null]);
    await devnet.mine(3);
    await anybody.submit(paid);
    expect((await found(paid))!.block).toBe(before.block + 3);
  });
});

describe("a search over many blocks", () => {
  const spanOf = (range: { fromBlock: string; toBlock: string }) => Number(range.toBlock) - Number(range.fromBlock) + 1;

  /** The node says no to more blocks at once than `most`. @returns how many were asked for */
  function spans(most: number): number[] {
    const seen: number[] = [];
    rpc.fault = async ({ body, pass }) => {
      const { method, params } = JSON.parse(body);
      if (method !== "eth_getLogs") return pass();
      seen.push(spanOf(params[0]));
      return spanOf(params[0]) > most ? refused(-32005) : pass();
    };
    return seen;
  }

  test("requests as many blocks at once as the node accepts", async () => {
    const paid = await payment();
    const since = (await chain.latest()).number;
    await devnet.mine(120);
    const hash = await anybody.submit(paid);
    const seen = spans(10);
    expect(await found(paid, since)).toMatchObject({ hash, block: since + 121 });
    expect(Math.min(...seen.slice(0, -1))).toBe(10);
  });

  /** A chain of a block a second, empty but for its times; the authorization counts as used. */
  function emptyUpTo(head: number): number[] {
    const seen: number[] = [];
    rpc.fault = async ({ body }) => {
      const { method, params } = JSON.parse(body);
      if (method === "eth_getLogs") seen.push(spanOf(params[0]));
      const height = numberToHex(Number(params?.[0]) || head);
      const block = { number: height, timestamp: height, hash: numberToHex(Number(height), { size: 32 }) };
      const results: Record<string, unknown> = {
        eth_getLogs: [],
        eth_chainId: numberToHex(31337),
        eth_call: numberToHex(1, { size: 32 }),
      };
      return says({ jsonrpc: "2.0", id: 1, result: results[method] ?? block });
    };
    return seen;
  }

  test("ends at the block that is too late for the authorization", async () => {
    const signed = authorizationIn(await payment());
    const seen = emptyUpTo(9_000);
    const since = 5_000;
    const notShown = { isUsed: true, use: null };
    expect(await stateOf({ ...signed, validBefore: 6_999 }, { since })).toEqual(notShown);
    expect(seen).toEqual([2_000]);
    expect(await stateOf({ ...signed, validBefore: 7_000 }, { since })).toEqual(notShown);
    expect(seen).toEqual([2_000, 2_000, 2_000]);
    expect(await stateOf({ ...signed, validBefore: 99_000 }, { since })).toEqual(notShown);
    expect(seen.slice(3)).toEqual([2_000, 2_000, 1]);
  });

  test("gives up if there is too much to search, and never says that there is nothing", async () => {
    const endless = { ...authorizationIn(await payment()), validBefore: 2_000_000 };
    emptyUpTo(1_000_000);
    await expect(stateOf(endless)).rejects.toThrow("too far back");
    expect(await stateOf(endless, { since: 990_000 })).toEqual({ isUsed: true, use: null });
  });
});

describe("answers of a node", () => {
  test.each([
    ["taken back", { removed: true }],
    ["pending", { blockNumber: null, blockHash: null }],
  ])("a log that is %s does not count", async (_, change) => {
    const paid = await payment();
    await anybody.submit(paid);
    rpc.fault = changing("eth_getLogs", (logs) => (logs as object[]).map((log) => ({ ...log, ...change })));
    expect(await state(paid)).toEqual({ isUsed: true, use: null });
    rpc.fault = null;
    expect(await found(paid)).not.toBe(null);
  });

  test.each([
    ["has not", () => null],
    ["has without the log", (receipt: unknown) => ({ ...(receipt as object), logs: [] })],
    ["has as failed", (receipt: unknown) => ({ ...(receipt as object), status: "0x0" })],
    ["has in another block", (receipt: unknown) => ({ ...(receipt as object), blockHash: `0x${"1".repeat(64)}` })],
  ])("a transaction that another node %s does not count as missing", async (_, change) => {
    const paid = await payment();
    await anybody.submit(paid);
    rpc.fault = changing("eth_getTransactionReceipt", change);
    await expect(found(paid)).rejects.toThrow(ChainUnreachable);
  });

  test.each([
    ["-32000", async () => refused(-32000)],
    ["-32602", async () => refused(-32602)],
    ["-39001", async () => refused(-39001)],
    ["null", async ({ body }: ProxiedRequest) => says({ jsonrpc: "2.0", id: JSON.parse(body).id, result: null })],
  ] as const)("if the node does not know what is final (%s), a block with 64 above it is", async (_, answer) => {
    await devnet.mine(65);
    rpc.fault = (request) => (request.body.includes("finalized") ? answer(request) : request.pass());
    expect((await chain.final()).number).toBe((await chain.latest()).number - 64);
  });
});

async function answerOf({ rpcUrl }: Devnet, body: string) {
  const answer = await fetch(rpcUrl, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  return { status: answer.status, body: await answer.text() };
}

describe("a node of another chain", () => {
  const answeringFor = (chainId: number): Fault => changing("eth_chainId", () => numberToHex(chainId));

  test("WrongChain: its id is another one, whatever is read", async () => {
    const paid = await payment();
    const at = await chain.latest();
    rpc.fault = answeringFor(1);
    for (const ask of [chain.latest, chain.final, () => chain.verify(at), () => state(paid, { at })]) {
      const thrown = await ask().catch((one) => one);
      expect(thrown).toBeInstanceOf(WrongChain);
      expect(thrown.message).toBe("The chain at X402_RPC_URL is eip155:1, not eip155:31337.");
    }
  });

  test("ChainUnreachable: it changes to another chain between any two requests", { timeout: 60_000 }, async () => {
    const other = await startDevnet({ chainId: 1337 });
    const paid = await payment();
    await anybody.submit(paid);
    const at = await chain.latest();
    const before = rpc.asked.length;
    await state(paid, { at });
    const questions = rpc.asked.length - before;
    for (let nth = 0; nth < questions; nth++) {
      let asked = 0;
      rpc.fault = async ({ body, pass }) => (asked++ < nth ? pass() : answerOf(other, body));
      const told = await state(paid, { at }).catch((one) => one);
      expect([nth, told instanceof ChainUnreachable]).toEqual([nth, true]);
    }
    await other.stop();
  });

  test("WrongChain: it has the id, but not the block that was final", async () => {
    const paid = await payment();
    await anybody.submit(paid);
    const { number } = await chain.final();
    const checkpoint = { number, hash: `0x${"1".repeat(64)}` };
    await expect(state(paid, { checkpoint })).rejects.toThrow(WrongChain);
    await expect(chain.verify({ number: 1_000_000, hash: checkpoint.hash })).rejects.not.toThrow(WrongChain);
    const higher = { ...checkpoint, number: 1_000_000 };
    await expect(state(paid, { checkpoint: higher })).rejects.toThrow(
      "The chain at X402_RPC_URL has no block 1000000, which was final: its node is far behind, or the chain was started again.",
    );
    await expect(chain.verify(checkpoint)).rejects.toThrow(
      /started again: its block \d+ is not the one that was final/,
    );
  });

  test("ChainUnreachable: it does not have the block as of which the chain is read", async () => {
    const paid = await payment();
    const undo = await devnet.snapshot();
    await devnet.mine();
    const at = await chain.latest();
    await undo();
    await devnet.increaseTime(10);
    await expect(state(paid, { at })).rejects.toThrow(ChainUnreachable);
  });

  test("ChainUnreachable: its logs contradict its state", async () => {
    const paid = await payment();
    await anybody.submit(paid);
    rpc.fault = changing("eth_call", () => numberToHex(0, { size: 32 }));
    expect(await state(paid)).toEqual({ isUsed: false, use: null });
    const ended = { ...authorizationIn(paid), validBefore: 1 };
    await expect(stateOf(ended)).rejects.toThrow("does not agree with itself");
  });
});

const BLOCK = { number: "0x10", timestamp: "0x5", hash: `0x${"a".repeat(64)}` };
const GARBAGE: readonly (readonly [string, Fault])[] = [
  ["nothing: the connection is cut", async () => "cut"],
  ["a page", async () => ({ status: 200, body: "<html>hello</html>" })],
  ["no body", async () => ({ status: 200, body: "" })],
  ["null", async () => says(null)],
  ["a list", async () => says([{ jsonrpc: "2.0", id: 1, result: BLOCK }])],
  ["a number", async () => says(7)],
  ["an object without a result", async () => says({ hello: "there" })],
  ["500", async () => says({ error: "oops" }, 500)],
  ["a result with 502", async () => says({ jsonrpc: "2.0", id: 1, result: BLOCK }, 502)],
  ["429", async () => says({ error: { code: -32005, message: "slow down, key s3cret" } }, 429)],
  ["an error of its own", async () => refused(-32603)],
  ["a result of the wrong type", async () => says({ jsonrpc: "2.0", id: 1, result: "banana" })],
  ["a result that is a number", async () => says({ jsonrpc: "2.0", id: 1, result: 12 })],
  ["a result without fields", async () => says({ jsonrpc: "2.0", id: 1, result: {} })],
  ["a result with wrong fields", async () => says({ jsonrpc: "2.0", id: 1, result: { number: "x", timestamp: [] } })],
  ["a redirect", async () => ({ status: 302, body: "" })],
  ["5 MB", async () => says({ jsonrpc: "2.0", id: 1, result: "0".repeat(5_000_000) })],
];

describe("ChainUnreachable, in our words: the node answers with", () => {
  test.each(GARBAGE)("%s", async (_, fault) => {
    const paid = await payment();
    const at = await chain.latest();
    rpc.fault = fault;
    const asked = [
      () => chain.latest(),
      () => chain.final(),
      () => chain.verify(at),
      () => state(paid, { at }),
      () => chain.token(),
    ];
    for (const ask of asked) {
      const thrown = await ask().catch((one) => one);
      expect(thrown).toBeInstanceOf(ChainUnreachable);
      expect(thrown.cause).toBeUndefined();
      expect(thrown.message).toMatch(/^The chain did not tell [a-z ]+: [\w .,-]+\.$/);
    }
  });

  test.each([{ ...BLOCK, timestamp: undefined }, { ...BLOCK, hash: "0x5" }, { timestamp: "0x5" }])(
    "half a block: %j",
    async (block) => {
      rpc.fault = answering({ eth_getBlockByNumber: block });
      await expect(chain.latest()).rejects.toThrow(ChainUnreachable);
      await expect(chain.final()).rejects.toThrow(ChainUnreachable);
    },
  );

  test("ChainUnreachable: nothing listens, and neither the address nor its secrets are in the message", async () => {
    const { url, close } = await listen(() => undefined);
    await close();
    const away = openChain(devnet.settings({ rpcUrls: [url.replace("//", "//us:s3cret@")] }), http);
    const thrown = await away.latest().catch((one) => one);
    expect(thrown).toBeInstanceOf(ChainUnreachable);
    expect(JSON.stringify(thrown) + thrown.stack).not.toMatch(/s3cret|127\.0\.0\.1/);
  });
});

test("law: the contract of the token cannot make us fetch a URL (ERC-3668)", async () => {
  const asked: unknown[] = [];
  const lure = await listen((req, res) => {
    asked.push(req.url);
    res.end(JSON.stringify({ data: "0x" }));
  });
  const lookup =
    "error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callback, bytes extraData)";
  const args = [devnet.token, [lure.url], "0x", "0x00000000", "0x"] as const;
  const data = encodeErrorResult({ abi: parseAbi([lookup]), errorName: "OffchainLookup", args });
  const error = { code: 3, message: "execution reverted", data };
  rpc.fault = async ({ body, pass }) =>
    JSON.parse(body).method === "eth_call" ? says({ jsonrpc: "2.0", id: 1, error }) : pass();
  await expect(used(await payment())).rejects.toThrow(ChainUnreachable);
  expect(asked).toEqual([]);
  await lure.close();
});

test("user and password in the address are sent as a header", async () => {
  const seen: (string | undefined)[] = [];
  const { url, close } = await listen((req, res) => {
    seen.push(req.headers.authorization);
    res.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: BLOCK }));
  });
  const guarded = openChain(devnet.settings({ rpcUrls: [url.replace("//", "//us:s%3Acret@")] }), http);
  await expect(guarded.latest()).rejects.toThrow(ChainUnreachable);
  expect(new Set(seen)).toEqual(new Set([`Basic ${Buffer.from("us:s:cret").toString("base64")}`]));
  await close();
});

describe("the token", () => {
  const OWN = { chainId: 31337, isContract: true, decimals: 6, name: "Test USD", version: "2", isDomain: true };
  const tokenAt = (asset: string) => openChain(devnet.settings({ asset, rpcUrls: [rpc.url] }), http).token();

  test("reports its name, version and domain, in whatever case its address is written", async () => {
    expect(await chain.token()).toEqual(OWN);
    expect(await tokenAt(`0x${devnet.token.slice(2).toUpperCase()}`)).toEqual(OWN);
  });

  test.each([
    ["503", () => says({ error: "oops" }, 503)],
    ["an error of its own", () => refused(-32603)],
    ["that it is asked too often", () => refused(-32005)],
  ])("ChainUnreachable: the node answers %s instead", async (_, reply) => {
    rpc.fault = async ({ body, pass }) => (JSON.parse(body).method === "eth_call" ? reply() : pass());
    await expect(chain.token()).rejects.toThrow(ChainUnreachable);
  });

  test("there is no contract", async () => {
    expect(await tokenAt(ELSEWHERE)).toMatchObject({ chainId: 31337, isContract: false });
  });

  test("the contract is not a token", async () => {
    const facts = { isContract: true, decimals: null, name: "", version: "1", isDomain: false };
    expect(await tokenAt(devnet.multicall)).toMatchObject(facts);
  });

  const verifyingContract = () => devnet.token;
  const separator = (name: string, version: string) =>
    domainSeparator({ domain: { name, version, chainId: 31337, verifyingContract: verifyingContract() } });
  const told = (name: string, version: string) => [
    "0x0f",
    name,
    version,
    31337n,
    verifyingContract(),
    `0x${"0".repeat(64)}`,
    [],
  ];

  test.each([
    ["tells no version: it is 1", { version: null }, ["Test USD", "1"], ["Test USD", "1", true]],
    ["tells its domain (ERC-5267)", { version: null, eip712Domain: ["Own", "9"] }, ["Own", "9"], ["Own", "9", true]],
    ["tells another domain than it has", { eip712Domain: ["Own", "9"] }, ["Test USD", "2"], ["Test USD", "2", true]],
    ["has a domain that it does not tell", {}, ["Other", "2"], ["Test USD", "2", false]],
    ["tells no separator", { DOMAIN_SEPARATOR: null }, ["Test USD", "2"], ["Test USD", "2", true]],
  ] as const)("the contract %s", async (_, changes: Told, [ownName, ownVersion], [name, version, isDomain]) => {
    const { eip712Domain: [toldName, toldVersion] = [] } = changes;
    rpc.fault = contractThat({
      DOMAIN_SEPARATOR: separator(ownName, ownVersion),
      ...changes,
      ...(toldName ? { eip712Domain: told(toldName, toldVersion!) } : {}),
    });
    expect(await chain.token()).toMatchObject({ name, version, isDomain, decimals: 6 });
  });
});

interface Told {
  readonly version?: null;
  readonly DOMAIN_SEPARATOR?: null;
  readonly eip712Domain?: readonly string[];
}

function refused(code: number) {
  return says({ jsonrpc: "2.0", id: 1, error: { code, message: "not with the key s3cret" } });
}

/** Answers these methods with these results, and passes on the others. */
function answering(results: Readonly<Record<string, unknown>>): Fault {
  return async ({ body, pass }) => {
    const { method } = JSON.parse(body);
    return method in results ? says({ jsonrpc: "2.0", id: 1, result: results[method] }) : pass();
  };
}

function changing(method: string, change: (result: unknown) => unknown): Fault {
  return async ({ body, pass }) => {
    const reply = await pass();
    if (JSON.parse(body).method !== method) return reply;
    return says({ jsonrpc: "2.0", id: 1, result: change(JSON.parse(reply.body).result) });
  };
}

/** The token with other answers of its functions; null: it has no such function. */
function contractThat(answers: Readonly<Record<string, unknown>>): Fault {
  return async ({ body, pass }) => {
    const { method, params } = JSON.parse(body);
    if (method !== "eth_call") return pass();
    const { functionName } = decodeFunctionData({ abi: READ_OF_TOKEN, data: params[0].data });
    const answer = answers[functionName];
    if (answer === undefined) return pass();
    if (answer === null) return says({ jsonrpc: "2.0", id: 1, error: { code: 3, message: "execution reverted" } });
    const result = encodeFunctionResult({ abi: READ_OF_TOKEN, functionName, result: answer as never });
    return says({ jsonrpc: "2.0", id: 1, result });
  };
}
