import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  type Facilitator,
  FacilitatorUnreachable,
} from "../../../../../../src/domain/payments/direct/facilitator/facilitator.ts";
import { httpFacilitator } from "../../../../../../src/domain/payments/direct/facilitator/facilitator-http.ts";
import type { Payload } from "../../../../../../src/domain/payments/direct/protocol/x402.ts";
import { readConfig } from "../../../../../../src/platform/config/config.ts";
import {
  ApiFailure,
  type ApiRequest,
  createHttpClient,
  type HttpClient,
} from "../../../../../../src/platform/http-client/http-client.ts";
import { altered, resigned } from "../../../../../payments/wallet.ts";
import { payOn } from "../../../../../support/payments/chain/pay.ts";
import { type Devnet, type Fault, startDevnet } from "../../../../../support/payments/direct-service.ts";
import { listen } from "../../../../../support/service/listen.ts";

const http = createHttpClient(readConfig({}));

let devnet: Devnet;
let facilitator: Facilitator;
let buyer: PrivateKeyAccount;

beforeAll(async () => {
  devnet = await startDevnet();
  facilitator = httpFacilitator(devnet.facilitator.url, http);
});
beforeEach(async () => {
  Object.assign(devnet.facilitator.faults, { supported: null, verify: null, settle: null });
  buyer = await devnet.buyer(100);
});
afterAll(async () => {
  await devnet.stop();
  await http.close();
});

const verify = (payload: Payload) => facilitator.verify(payload, payload.accepted);
const settle = (payload: Payload) => facilitator.settle(payload, payload.accepted);
const dollars = async () => Number(await devnet.balanceOf(buyer.address)) / 1e6;

describe("a facilitator as it should be", () => {
  test("settles a valid payment once", async () => {
    const paid = await payOn(devnet, buyer);
    expect(await verify(paid)).toEqual({ isValid: true });
    expect(await dollars()).toBe(100);
    expect(await settle(paid)).toEqual({ outcome: "done" });
    expect(await dollars()).toBe(90);
    expect(await verify(paid)).toEqual({ isValid: false, reason: "already_used" });
    expect(await settle(paid)).toEqual({ outcome: "unknown" });
    expect(await dollars()).toBe(90);
  });

  test("may answer late", async () => {
    devnet.facilitator.faults.settle = "hold";
    const settling = settle(await payOn(devnet, buyer));
    let isSaid = false;
    void settling.then(() => {
      isSaid = true;
    });
    while ((await dollars()) === 100);
    expect(isSaid).toBe(false);
    await devnet.facilitator.release();
    expect(await settling).toEqual({ outcome: "done" });
  });

  const UNSIGNED = `0x${"1".repeat(130)}`;
  const WRONG: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["invalid_signature", async () => resigned(await payOn(devnet, buyer), UNSIGNED)],
    ["invalid_signature", async () => altered(await payOn(devnet, buyer), { value: "1" })],
    ["wrong_amount", () => payOn(devnet, buyer, { authorization: { value: "9999999" } })],
    ["wrong_recipient", () => payOn(devnet, buyer, { authorization: { to: buyer.address } })],
    ["not_yet_valid", () => payOn(devnet, buyer, { authorization: { validAfter: "99999999999" } })],
  ];

  test.each(WRONG)("refuses, with a reason of ours: %s", async (reason, make) => {
    const paid = (await make()) as Payload;
    expect(await verify(paid)).toEqual({ isValid: false, reason });
    expect(await settle(paid)).toEqual({ outcome: "refused", reason });
    expect(await dollars()).toBe(100);
  });

  test("refuses a payer without enough money", async () => {
    const paid = await payOn(devnet, await devnet.buyer(9));
    expect(await verify(paid)).toEqual({ isValid: false, reason: "insufficient_funds" });
    expect(await settle(paid)).toEqual({ outcome: "refused", reason: "insufficient_funds" });
  });

  test("serves only its network", async () => {
    expect(await facilitator.serves("eip155:31337")).toBe(true);
    expect(await facilitator.serves("eip155:8453")).toBe(false);
  });
});

const HASH = `0x${"ab".repeat(32)}`;
const OTHER = "0x000000000000000000000000000000000000dEaD";
const PAGE = "<html><body>502 Bad Gateway</body></html>";
const LONG = { padding: "x".repeat(300_000) };

const no = (errorReason?: string, more: object = {}, status = 200): Fault => ({
  says: { success: false, errorReason, transaction: "", network: "eip155:31337", ...more },
  status,
});
const yes = (more: object = {}, status = 200): Fault => ({ says: (truth) => ({ ...truth, ...more }), status });

const SETTLE: Readonly<Record<"done" | "refused" | "unknown", readonly (readonly [string, Fault])[]>> = {
  done: [
    ["names nothing but the transaction", yes({ network: undefined, payer: undefined })],
    ["says more than it has to", yes({ amount: "1", extensions: { any: "thing" } })],
  ],
  refused: [
    ["insufficient_funds", no("insufficient_funds")],
    ["with 400", no("insufficient_funds", {}, 400)],
    ["with 402", no("insufficient_funds", {}, 402)],
    ["without a transaction", no("invalid_exact_evm_insufficient_balance", { transaction: undefined })],
    [
      "with null in place of what it has not",
      no("insufficient_funds", { transaction: null, payer: null, network: "" }),
    ],
  ],
  unknown: [
    ["drops the connection", "drop"],
    ["settles and drops the connection", "drop_after"],
    ["says a page", { says: PAGE }],
    ["says a page with 502", { says: PAGE, status: 502 }],
    ["says nothing", { says: "" }],
    ["says null", { says: "null" }],
    ["says a list", { says: [{ success: true, transaction: HASH }] }],
    ["says a text", { says: '"success"' }],
    ["says something else", { says: { hello: "there" } }],
    ["says too much", { says: { success: false, errorReason: "insufficient_funds", ...LONG } }],
    ["leads elsewhere", { says: "", status: 302 }],
    ["says yes in a text", yes({ success: "true" })],
    ["says yes with 500", yes({}, 500)],
    ["says yes without a transaction", yes({ transaction: "" })],
    ["says yes with no hash", yes({ transaction: "0x12" })],
    ["says yes of another network", yes({ network: "eip155:8453" })],
    ["says yes of another payer", yes({ payer: OTHER })],
    ["says yes of a payer that is none", yes({ payer: { address: OTHER } })],
    ["says no without a reason", no()],
    ["says no for a reason that is not known", no("because")],
    ["says no with 500", no("insufficient_funds", {}, 500)],
    ["says no with 429", no("insufficient_funds", {}, 429)],
    ["says no in a text", no("insufficient_funds", { success: "false" })],
    ["says no and names a transaction", no("insufficient_funds", { transaction: HASH })],
    ["says no of another network", no("insufficient_funds", { network: "eip155:8453" })],
    ["says no of another payer", no("insufficient_funds", { payer: OTHER })],
    ...[
      "unexpected_settle_error",
      "settlement_pending",
      "invalid_transaction_state",
      "invalid_exact_evm_transaction_failed",
      "invalid_exact_evm_transaction_simulation_failed",
      "invalid_exact_evm_transfer_event_mismatch",
      "invalid_exact_evm_nonce_already_used",
      "invalid_exact_evm_payload_authorization_valid_before",
      "smart_wallet_deployment_failed",
    ].map((reason) => [`says ${reason}`, no(reason)] as const),
  ],
};

describe.each(Object.entries(SETTLE))("%s: a facilitator that, asked to settle,", (outcome, faults) => {
  test.each(faults)("%s", async (_, fault) => {
    devnet.facilitator.faults.settle = fault;
    const expected = outcome === "refused" ? { outcome, reason: "insufficient_funds" } : { outcome };
    expect(await settle(await payOn(devnet, buyer))).toEqual(expected);
  });
});

const VERIFY: Readonly<Record<"valid" | "invalid" | "silent", readonly (readonly [string, Fault])[]>> = {
  valid: [["names no payer", { says: { isValid: true } }]],
  invalid: [
    ["says why", { says: { isValid: false, invalidReason: "insufficient_funds" } }],
    ["says why, with 400", { says: { isValid: false, invalidReason: "insufficient_funds" }, status: 400 }],
  ],
  silent: [
    ["drops the connection", "drop"],
    ["says a page", { says: PAGE }],
    ["says nothing", { says: "" }],
    ["says null", { says: "null" }],
    ["says yes in a text", { says: { isValid: "yes" } }],
    ["says yes with 402", { says: { isValid: true }, status: 402 }],
    ["says yes with 500", { says: { isValid: true }, status: 500 }],
    ["says no with 500", { says: { isValid: false, invalidReason: "insufficient_funds" }, status: 500 }],
    ["says yes of another payer", { says: { isValid: true, payer: OTHER } }],
    ["says no of another payer", { says: { isValid: false, invalidReason: "insufficient_funds", payer: OTHER } }],
    ["says that it failed itself", { says: { isValid: false, invalidReason: "unexpected_verify_error" } }],
    ["says too much", { says: { isValid: true, ...LONG } }],
  ],
};

describe.each(Object.entries(VERIFY))("%s: a facilitator that, asked to verify,", (verdict, faults) => {
  test.each(faults)("%s", async (_, fault) => {
    devnet.facilitator.faults.verify = fault;
    const said = await verify(await payOn(devnet, buyer)).catch((thrown) => thrown);
    if (verdict === "silent") expect(said).toBeInstanceOf(FacilitatorUnreachable);
    else if (verdict === "valid") expect(said).toEqual({ isValid: true });
    else expect(said).toEqual({ isValid: false, reason: "insufficient_funds" });
  });
});

test("an unknown reason is refused_by_facilitator", async () => {
  devnet.facilitator.faults.verify = { says: { isValid: false, invalidReason: "<script>alert(1)</script>" } };
  expect(await verify(await payOn(devnet, buyer))).toEqual({ isValid: false, reason: "refused_by_facilitator" });
});

const ours = { x402Version: 2, scheme: "exact", network: "eip155:31337" };
describe("the networks that it serves", () => {
  test.each([
    [true, [{ x402Version: 1 }, ours]],
    [true, [{ ...ours, network: "eip155:*" }]],
    [false, []],
    [
      false,
      [
        { ...ours, x402Version: 1 },
        { ...ours, scheme: "upto" },
        { ...ours, network: "eip155:1" },
      ],
    ],
    [false, [null, 7, "exact", []]],
  ])("%s: %j", async (serves, kinds) => {
    devnet.facilitator.faults.supported = { says: { kinds } };
    expect(await facilitator.serves("eip155:31337")).toBe(serves);
  });

  test.each([
    ["a page", { says: PAGE }],
    ["no kinds", { says: { kinds: "all" } }],
    ["a list", { says: [ours] }],
    ["500", { says: { kinds: [ours] }, status: 500 }],
    ["nothing", "drop"],
  ] as readonly (readonly [string, Fault])[])("FacilitatorSilent: the answer has %s", async (_, fault) => {
    devnet.facilitator.faults.supported = fault;
    await expect(facilitator.serves("eip155:31337")).rejects.toThrow(FacilitatorUnreachable);
  });
});

test("FacilitatorSilent: nothing listens at its address", async () => {
  const { url, close } = await listen(() => undefined);
  await close();
  const away = httpFacilitator(url, http);
  const paid = await payOn(devnet, buyer);
  await expect(away.verify(paid, paid.accepted)).rejects.toThrow(FacilitatorUnreachable);
  await expect(away.serves("eip155:31337")).rejects.toThrow(FacilitatorUnreachable);
  expect(await away.settle(paid, paid.accepted)).toEqual({ outcome: "unknown" });
});

test("each request has a time limit and a size limit of its own", async () => {
  const asked: ApiRequest[] = [];
  const slow = {
    callApi: async (request: ApiRequest) => {
      asked.push(request);
      throw new ApiFailure("timeout", true);
    },
  } as unknown as HttpClient;
  const tardy = httpFacilitator("https://facilitator.example/v2", slow);
  const paid = await payOn(devnet, buyer);
  await expect(tardy.verify(paid, paid.accepted)).rejects.toThrow(FacilitatorUnreachable);
  expect(await tardy.settle(paid, paid.accepted)).toEqual({ outcome: "unknown" });
  await expect(tardy.serves("eip155:31337")).rejects.toThrow(FacilitatorUnreachable);
  expect(asked.map(({ url, timeMs, maxBytes }) => [url, timeMs, maxBytes])).toEqual([
    ["https://facilitator.example/v2/verify", 10_000, 262_144],
    ["https://facilitator.example/v2/settle", 30_000, 262_144],
    ["https://facilitator.example/v2/supported", 5_000, 262_144],
  ]);
  const { x402Version, paymentPayload, paymentRequirements } = JSON.parse(asked[0]!.body!);
  expect([x402Version, paymentPayload, paymentRequirements]).toEqual([2, paid, paid.accepted]);
});
