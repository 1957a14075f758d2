import { encodeErrorResult, type Hex, parseAbi } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { FacilitatorUnreachable } from "../../../../../../src/domain/payments/direct/facilitator/facilitator.ts";
import { LocalFacilitator } from "../../../../../../src/domain/payments/direct/facilitator/facilitator-local.ts";
import type { Payload } from "../../../../../../src/domain/payments/direct/protocol/x402.ts";
import { readConfig } from "../../../../../../src/platform/config/config.ts";
import { createHttpClient } from "../../../../../../src/platform/http-client/http-client.ts";
import { type Fault, type FaultProxy, says, startFaultProxy } from "../../../../../payments/fault-proxy.ts";
import { latch } from "../../../../../payments/held-timeouts.ts";
import { altered, resigned } from "../../../../../payments/wallet.ts";
import { payOn } from "../../../../../support/payments/chain/pay.ts";
import { type Devnet, startDevnet } from "../../../../../support/payments/direct-service.ts";
import { holdTimers } from "../../../../../support/service/held-timers.ts";
import { listen } from "../../../../../support/service/listen.ts";
import { UPKEEP_PAUSES } from "./wallet/wallet-world.ts";

const KEY = `0x${"5ec7e7".repeat(10)}0001` as const;
const { address: ACCOUNT } = privateKeyToAccount(KEY);
const http = createHttpClient(readConfig({}));

/** In wei, as JSON-RPC writes it. */
const GWEI = "0x3b9aca00";

/** In ms: longer than any test takes. */
const LONG = { verify: 20_000, settle: 20_000, receipt: 20_000 };

let devnet: Devnet;
let rpc: FaultProxy;
let facilitator: LocalFacilitator;
let buyer: PrivateKeyAccount;
const logged: string[] = [];
const log = { info: note, warn: note, error: note };
function note(fields: object, message: string): void {
  logged.push(JSON.stringify({ ...fields, message }));
}

beforeAll(async () => {
  devnet = await startDevnet();
  rpc = await startFaultProxy(devnet.rpcUrl);
});
beforeEach(async () => {
  facilitator = opened();
  holdTimers(...UPKEEP_PAUSES);
  logged.length = 0;
  buyer = await devnet.buyer(1_000);
  await giveGas(10n ** 18n);
});
afterEach(() => {
  facilitator.stop();
  rpc.fault = null;
  expect(logged.join()).not.toContain(KEY.slice(2, 20));
});
afterAll(async () => {
  await rpc.close();
  await devnet.stop();
  await http.close();
});

function opened(times: { verify: number; settle: number; receipt: number } = LONG): LocalFacilitator {
  return new LocalFacilitator(
    { ...devnet.settings({ rpcUrls: [rpc.url] }), key: KEY, maxGasGwei: 100 },
    http,
    log,
    times,
  );
}

const giveGas = (value: bigint) => devnet.client.setBalance({ address: ACCOUNT, value });
const verify = (payload: Payload) => facilitator.verify(payload, payload.accepted);
const settle = (payload: Payload) => facilitator.settle(payload, payload.accepted);
const payment = (otherwise?: Parameters<typeof payOn>[2]) => payOn(devnet, buyer, otherwise);
const dollars = async () => Number(await devnet.balanceOf(buyer.address)) / 1e6;
const sent = () => devnet.client.getTransactionCount({ address: ACCOUNT });

/** Does this with the calls of one method of JSON-RPC. */
function with_(method: string, fault: Fault): Fault {
  return (request) => (JSON.parse(request.body).method === method ? fault(request) : request.pass());
}

test("settles a valid payment once, and pays the gas itself", async () => {
  const [paid, before] = [await payment(), await devnet.client.getBalance({ address: ACCOUNT })];
  expect(await verify(paid)).toEqual({ isValid: true });
  expect(await dollars()).toBe(1_000);
  expect(await settle(paid)).toEqual({ outcome: "done" });
  expect(await dollars()).toBe(990);
  expect(await devnet.client.getBalance({ address: ACCOUNT })).toBeLessThan(before);
  const count = await sent();
  expect(await verify(paid)).toEqual({ isValid: false, reason: "already_used" });
  expect(await settle(paid)).toEqual({ outcome: "unknown" });
  expect([await sent(), logged]).toEqual([count, []]);
});

describe("refused, and nothing is sent", () => {
  const WRONG: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["invalid_signature", async () => resigned(await payment(), `0x${"1".repeat(130)}`)],
    ["invalid_signature", async () => altered(await payment(), { value: "1" })],
    ["wrong_amount", () => payment({ authorization: { value: "9999999" } })],
    ["wrong_recipient", () => payment({ authorization: { to: buyer.address } })],
    ["not_yet_valid", () => payment({ authorization: { validAfter: "99999999999" } })],
    ["insufficient_funds", async () => payOn(devnet, await devnet.buyer(9))],
  ];

  test.each(WRONG)("%s", async (reason, make) => {
    const [paid, count] = [(await make()) as Payload, await sent()];
    expect(await verify(paid)).toEqual({ isValid: false, reason });
    expect(await settle(paid)).toEqual({ outcome: "refused", reason });
    expect([await sent(), await dollars()]).toEqual([count, 1_000]);
  });

  test("expired: an earlier call may have sent it in time", async () => {
    const paid = await payment({ authorization: { validBefore: "1000" } });
    expect(await verify(paid)).toEqual({ isValid: false, reason: "expired" });
    expect(await settle(paid)).toEqual({ outcome: "unknown" });
  });

  test("transfer_failed: a payer that is a contract uses more gas than a payment is worth", async () => {
    const paid = await payment();
    await devnet.client.setCode({ address: buyer.address, bytecode: greedy(16_000) });
    expect(await settle(paid)).toEqual({ outcome: "refused", reason: "transfer_failed" });
    await devnet.client.setCode({ address: buyer.address, bytecode: greedy(1_000) });
    expect(await settle(paid)).toEqual({ outcome: "done" });
  });
});

test("law: a payer that is a contract cannot make us fetch a URL (ERC-3668)", async () => {
  const requests: unknown[] = [];
  const lure = await listen((req, res) => {
    requests.push(req.url);
    res.end(JSON.stringify({ data: "0x" }));
  });
  const paid = await payment();
  await devnet.client.setCode({ address: buyer.address, bytecode: luring(buyer.address, lure.url) });
  expect(await verify(paid)).toEqual({ isValid: false, reason: "invalid_signature" });
  expect(await settle(paid)).toEqual({ outcome: "refused", reason: "invalid_signature" });
  expect(requests).toEqual([]);
  await lure.close();
});

describe("many at once", () => {
  test("law: forty payments land, each with a nonce of its own", async () => {
    const payments = await Promise.all(Array.from({ length: 40 }, () => payment()));
    const count = await sent();
    const outcomes = await Promise.all(payments.map(settle));
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(["done"]));
    expect([await sent(), await dollars()]).toEqual([count + 40, 600]);
  });

  test.each([
    ["their transactions wait for a block", { mining: false }],
    ["each is in a block at once", { mining: true }],
  ])(
    "law: two processes with one key settle all payments, though they count the same nonces: %s",
    async (_, { mining }) => {
      const nodes = [opened(), opened()];
      const payments = await Promise.all(Array.from({ length: 10 }, () => payment()));
      const count = await sent();
      if (!mining) await devnet.client.setAutomine(false);
      // Both have asked for the count before either sends.
      let counted = 0;
      let [go, waits] = [() => {}, 0];
      const both = new Promise<void>((resolve) => {
        go = resolve;
      });
      const held: Fault = async ({ pass }) => {
        const said = await pass();
        if (++counted >= 2) go();
        await both;
        waits += 1;
        return said;
      };
      rpc.fault = (request) => {
        const { id, method } = JSON.parse(request.body);
        if (method === "eth_getTransactionCount") return held(request);
        // One price for both: a wei more would outbid what the other has in the pool, which is the law of upkeep.test.ts.
        const price = { eth_getBlockByNumber: { number: "0x1", baseFeePerGas: GWEI }, eth_maxPriorityFeePerGas: GWEI }[
          method as string
        ];
        return price ? Promise.resolve(says({ jsonrpc: "2.0", id, result: price })) : request.pass();
      };
      const settling = payments.map((paid, i) => nodes[i % 2]!.settle(paid, paid.accepted));
      if (!mining) {
        await vi.waitUntil(
          async () =>
            (await devnet.client.getTransactionCount({ address: ACCOUNT, blockTag: "pending" })) === count + 10,
          { timeout: 20_000 },
        );
        await devnet.client.setAutomine(true);
        await devnet.client.mine({ blocks: 1 });
      }
      expect((await Promise.all(settling)).map(({ outcome }) => outcome)).toEqual(payments.map(() => "done"));
      expect([await sent(), await dollars(), waits > 10]).toEqual([count + 10, 900, true]);
    },
  );

  test("law: a payment that cannot be sent does not delay the others, and is sent later", async () => {
    const times = { ...LONG, receipt: 100 };
    facilitator = opened(times);
    const poor = await devnet.buyer(1);
    let sends = 0;
    rpc.fault = with_("eth_sendRawTransaction", async ({ pass }) => {
      sends += 1;
      return sends % 3 === 0 ? "cut" : pass();
    });
    const payments = await Promise.all(
      Array.from({ length: 12 }, (_, i) => (i % 4 === 0 ? payOn(devnet, poor) : payment())),
    );
    const outcomes = (await Promise.all(payments.map(settle))).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === "refused")).toHaveLength(3);
    expect(outcomes).toContain("unknown");
    rpc.fault = null;
    await facilitator.maintain();
    times.receipt = LONG.receipt;
    expect(await settle(await payment())).toEqual({ outcome: "done" });
    expect(await dollars()).toBe(1_000 - 100);
  });
});

describe("unknown outcome: the node", () => {
  test("does not answer, which is not reported as a wrong signature", async () => {
    const paid = await payment();
    rpc.fault = async () => "cut";
    await expect(verify(paid)).rejects.toThrow(FacilitatorUnreachable);
    expect(await settle(paid)).toEqual({ outcome: "unknown" });
    // Of a token that the library has not looked at before, it asks for more.
    const other = { ...paid, accepted: { ...paid.accepted, asset: buyer.address } };
    await expect(verify(other)).rejects.toThrow(FacilitatorUnreachable);
  });

  test.each(["eth_estimateGas", "eth_getTransactionCount", "eth_getBlockByNumber"])(
    "does not answer %s, and nothing is sent",
    async (method) => {
      const [paid, count] = [await payment(), await sent()];
      rpc.fault = with_(method, async () => says({ error: "oops" }, 503));
      expect(await settle(paid)).toEqual({ outcome: "unknown" });
      expect(await sent()).toBe(count);
      rpc.fault = null;
      expect(await settle(paid)).toEqual({ outcome: "done" });
    },
  );

  test.each([
    ["is cut off before it takes the transaction", async () => "cut"],
    ["says no to the transaction", async () => refused("nonce too low")],
  ] as readonly (readonly [string, Fault])[])("%s", async (_, fault) => {
    const paid = await payment();
    rpc.fault = with_("eth_sendRawTransaction", fault);
    expect(await settle(paid)).toEqual({ outcome: "unknown" });
    expect(await dollars()).toBe(1_000);
    rpc.fault = null;
    expect(await settle(paid)).toEqual({ outcome: "done" });
  });

  test("loses its connection after it accepted the transaction: the payment lands, and so does the next one", async () => {
    rpc.fault = with_("eth_sendRawTransaction", async ({ pass }) => {
      await pass();
      return "cut";
    });
    expect(await settle(await payment())).toEqual({ outcome: "unknown" });
    expect(await dollars()).toBe(990);
    rpc.fault = null;
    expect(await settle(await payment())).toEqual({ outcome: "done" });
  });

  test("knows less than a moment ago: no nonce is used twice", async () => {
    expect(await settle(await payment())).toEqual({ outcome: "done" });
    const behind = `0x${((await sent()) - 1).toString(16)}`;
    rpc.fault = with_("eth_getTransactionCount", async () => says({ jsonrpc: "2.0", id: 1, result: behind }));
    expect(await settle(await payment())).toEqual({ outcome: "done" });
  });

  test("has forgotten for a minute what it was sent: afterwards its count is believed again", async () => {
    const undo = await devnet.snapshot();
    expect(await settle(await payment())).toEqual({ outcome: "done" });
    await undo();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    expect(await settle(await payment())).toEqual({ outcome: "done" });
    vi.useRealTimers();
  });

  test("drops the transaction: a later block may still include it", async () => {
    rpc.fault = with_("eth_getTransactionReceipt", async ({ pass }) => {
      const { result } = JSON.parse((await pass()).body);
      return says({ jsonrpc: "2.0", id: 1, result: result && { ...result, status: "0x0" } });
    });
    expect(await settle(await payment())).toEqual({ outcome: "unknown" });
  });

  test("takes so long that the call has ended: it is sent once the node answers, since the payer was told so", async () => {
    const times = { ...LONG, settle: 50 };
    const hasty = opened(times);
    const [paid, count] = [await payment(), await sent()];
    const [asked, answered] = [latch(), latch()];
    rpc.fault = with_("eth_getTransactionCount", async ({ pass }) => {
      asked.open();
      await answered.opened;
      return pass();
    });
    expect(await hasty.settle(paid, paid.accepted)).toEqual({ outcome: "unknown" });
    // Then it is the first in line, and the next payment is sent after it.
    await asked.opened;
    expect(await sent()).toBe(count);
    answered.open();
    rpc.fault = null;
    times.settle = LONG.settle;
    const next = await payment();
    expect(await hasty.settle(next, next.accepted)).toEqual({ outcome: "done" });
    expect([await sent(), await dollars()]).toEqual([count + 2, 980]);
  });

  test("takes too long: the call does not wait forever", async () => {
    await devnet.client.setAutomine(false);
    const hasty = opened({ ...LONG, receipt: 50 });
    const paid = await payment();
    expect(await hasty.settle(paid, paid.accepted)).toEqual({ outcome: "unknown" });
    await devnet.mine();
    expect(await dollars()).toBe(990);
    await devnet.client.setAutomine(true);
  });
});

describe("without money for gas", () => {
  test("the outcome is unknown, and the operator is told the address of the account", async () => {
    await giveGas(0n);
    const paid = await payment();
    expect(await settle(paid)).toEqual({ outcome: "unknown" });
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain(ACCOUNT);
    expect(logged[0]).toContain("gas");
    await giveGas(10n ** 18n);
    expect(await settle(paid)).toEqual({ outcome: "done" });
  });

  test("the service starts, and the operator is told", async () => {
    expect([await facilitator.serves("eip155:31337"), logged]).toEqual([true, []]);
    expect(await facilitator.serves("eip155:1")).toBe(false);
    await giveGas(0n);
    expect(await facilitator.serves("eip155:31337")).toBe(true);
    expect(logged).toHaveLength(1);
  });
});

function refused(message: string) {
  return says({ jsonrpc: "2.0", id: 1, error: { code: -32000, message } });
}

/** A wallet that is a contract, says yes to every signature (ERC-1271) and takes 26 gas for each of `rounds`. */
function greedy(rounds: number): Hex {
  const count = rounds.toString(16).padStart(4, "0");
  return `0x61${count}5b600190038060035763${"1626ba7e"}60e01b60005260206000f3`;
}

/** A contract that reverts whatever it is asked, and names a place where the answer is to be had. */
function luring(sender: Hex, url: string): Hex {
  const abi = parseAbi([
    "error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callback, bytes extraData)",
  ]);
  const args = [sender, [url], "0x", "0x00000000", "0x"] as const;
  const data = encodeErrorResult({ abi, errorName: "OffchainLookup", args }).slice(2);
  const length = (data.length / 2).toString(16).padStart(4, "0");
  return `0x61${length}80600c6000396000fd${data}`;
}
