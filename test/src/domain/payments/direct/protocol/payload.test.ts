import { x402Client } from "@x402/core/client";
import { decodePaymentRequiredHeader } from "@x402/core/http";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import fc from "fast-check";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readPayload } from "../../../../../../src/domain/payments/direct/protocol/payload.ts";
import { REASONS } from "../../../../../../src/domain/payments/direct/protocol/reasons.ts";
import { expectedPayment, type SettlementDeps } from "../../../../../../src/domain/payments/direct/settlement/deps.ts";
import { PACKS } from "../../../../../../src/domain/payments/orders/packs.ts";
import { MINUTE } from "../../../../../../src/platform/clock.ts";
import { fuzzRuns } from "../../../../../support/checks/fuzz-runs.ts";
import { DirectWorld, type Signed } from "../../../../../support/payments/direct-world.ts";
import { CHAIN } from "../../../../../support/payments/memory-token.ts";
import { asHeader, MemoryWallet } from "../../../../../support/payments/memory-wallet.ts";

const world = await DirectWorld.open();
let account: string;
beforeAll(async () => {
  account = await world.account();
});
afterAll(() => world.store.close());

const SECONDS = Math.floor(world.clock.now() / 1000);
/** Funds that nobody has: what is let through by mistake still buys nothing. */
const poor = new MemoryWallet("poor");
const sign = (fields = {}) => world.sign(fields, poor);

/** A payment of which something in `accepted` is otherwise. */
const accepting = (change: object): unknown => {
  const signed = sign();
  return { ...signed, accepted: { ...signed.accepted, ...change } };
};
/** A payment of which something in `payload` is otherwise. */
const carrying = (change: object): unknown => {
  const signed = sign();
  return { ...signed, payload: { ...signed.payload, ...change } };
};
const signature = (text: string) => carrying({ signature: text });
const raw = (text: string) => Buffer.from(text).toString("base64");
const without = (field: keyof Signed["payload"]["authorization"]) => {
  const { [field]: _, ...authorization } = sign().payload.authorization;
  return carrying({ authorization });
};
const resource = { url: world.terms.url, description: "x", mimeType: "application/json" };

const HOSTILE: readonly (readonly [name: string, reason: keyof typeof REASONS, header: string])[] = [
  ["nothing", "malformed", ""],
  ["a space", "malformed", " "],
  ["no base64", "malformed", "not base64!"],
  ["base64url", "malformed", "eyJ4IjoiPz8_In0"],
  [
    "base64 of JSON that is no UTF-8",
    "malformed",
    Buffer.from('{"x402Version":1,"a":"\xff"}', "latin1").toString("base64"),
  ],
  ["base64 of no JSON", "malformed", raw("{")],
  ["base64 of two JSON texts", "malformed", raw("{}{}")],
  ["null", "malformed", raw("null")],
  ["an array", "malformed", raw("[]")],
  ["a number", "malformed", raw("9990000")],
  ["a text", "malformed", raw('"x"')],
  ["true", "malformed", raw("true")],
  ["an empty object", "unsupported_version", raw("{}")],
  ["__proto__ at the top", "malformed", raw('{"__proto__":{"x402Version":2}}')],
  ["__proto__ inside", "malformed", raw(JSON.stringify(sign()).replace('"from"', '"__proto__":{},"from"'))],
  [
    "10,000 arrays in one another",
    "malformed",
    raw(`{"x402Version":2,"payload":${"[".repeat(5_000)}${"]".repeat(5_000)}}`),
  ],
  ["more than 16 KB", "malformed", asHeader({ ...sign(), extensions: "x".repeat(13_000) })],
  ["version 1 of the protocol", "unsupported_version", asHeader({ ...sign(), x402Version: 1 })],
  [
    "version 1 in its own shape",
    "unsupported_version",
    asHeader({ x402Version: 1, scheme: "exact", network: "base", payload: sign().payload }),
  ],
  ["version 3", "unsupported_version", asHeader({ ...sign(), x402Version: 3 })],
  ["version as text", "unsupported_version", asHeader({ ...sign(), x402Version: "2" })],
  ["no payload", "malformed", asHeader({ ...sign(), payload: undefined })],
  ["a payload that is null", "malformed", asHeader({ ...sign(), payload: null })],
  ["an empty payload", "malformed", asHeader({ ...sign(), payload: {} })],
  [
    "a payload of Permit2",
    "unsupported_payload",
    asHeader({ ...sign(), payload: { signature: "0x", permit2Authorization: {} } }),
  ],
  ["a payload of Solana", "unsupported_payload", asHeader({ ...sign(), payload: { transaction: "AQ==" } })],
  ["an authorization that is a text", "malformed", asHeader(carrying({ authorization: "x" }))],
  ["no from", "malformed_authorization", asHeader(without("from"))],
  ["no to", "malformed_authorization", asHeader(without("to"))],
  ["no value", "malformed_authorization", asHeader(without("value"))],
  ["no validAfter", "malformed_authorization", asHeader(without("validAfter"))],
  ["no validBefore", "malformed_authorization", asHeader(without("validBefore"))],
  ["no nonce", "malformed_authorization", asHeader(without("nonce"))],
  ["from that is no address", "malformed_authorization", asHeader(sign({ from: "0x1" }))],
  ["from with a space", "malformed_authorization", asHeader(sign({ from: ` ${poor.address}` }))],
  ["to with 0X", "malformed_authorization", asHeader(sign({ to: CHAIN.payTo.replace("0x", "0X") }))],
  ["a value that is a number", "malformed_authorization", asHeader(sign({ value: 9990000 as unknown as string }))],
  ["a value with a space", "malformed_authorization", asHeader(sign({ value: " 9990000" }))],
  ["a value with a line feed", "malformed_authorization", asHeader(sign({ value: "9990000\n" }))],
  ["a value with a zero in front", "malformed_authorization", asHeader(sign({ value: "09990000" }))],
  ["a value with a sign", "malformed_authorization", asHeader(sign({ value: "+9990000" }))],
  ["a value below zero", "malformed_authorization", asHeader(sign({ value: "-1" }))],
  ["a value with a power of ten", "malformed_authorization", asHeader(sign({ value: "999e4" }))],
  ["a value in hexadecimal", "malformed_authorization", asHeader(sign({ value: "0x986f70" }))],
  ["a value with a point", "malformed_authorization", asHeader(sign({ value: "9990000.0" }))],
  ["a value in other digits", "malformed_authorization", asHeader(sign({ value: "٩٩٩٠٠٠٠" }))],
  ["a value of 79 digits", "malformed_authorization", asHeader(sign({ value: "9".repeat(79) }))],
  ["a nonce of 31 bytes", "malformed_authorization", asHeader(sign({ nonce: `0x${"ab".repeat(31)}` }))],
  ["a nonce of 33 bytes", "malformed_authorization", asHeader(sign({ nonce: `0x${"ab".repeat(33)}` }))],
  ["a nonce that is no hexadecimal", "malformed_authorization", asHeader(sign({ nonce: `0x${"zz".repeat(32)}` }))],
  ["a time below zero", "malformed_authorization", asHeader(sign({ validAfter: "-1" }))],
  ["nothing accepted", "malformed", asHeader({ ...sign(), accepted: undefined })],
  ["an array accepted", "malformed", asHeader({ ...sign(), accepted: [world.requirements] })],
  ["another scheme", "unsupported_scheme", asHeader(accepting({ scheme: "upto" }))],
  ["another network", "offer_mismatch", asHeader(accepting({ network: "eip155:1" }))],
  ["another token", "offer_mismatch", asHeader(accepting({ asset: CHAIN.payTo }))],
  ["a lower amount accepted", "offer_mismatch", asHeader(accepting({ amount: "1" }))],
  ["an amount that is a number", "offer_mismatch", asHeader(accepting({ amount: 9990000 }))],
  ["another recipient accepted", "offer_mismatch", asHeader(accepting({ payTo: poor.address }))],
  ["more time accepted", "offer_mismatch", asHeader(accepting({ maxTimeoutSeconds: 301 }))],
  ["another domain", "offer_mismatch", asHeader(accepting({ extra: { ...world.requirements.extra, name: "USDC" } }))],
  [
    "Permit2 accepted",
    "offer_mismatch",
    asHeader(accepting({ extra: { ...world.requirements.extra, assetTransferMethod: "permit2" } })),
  ],
  ["something added to the offer", "offer_mismatch", asHeader(accepting({ tip: "1" }))],
  ["no extra", "offer_mismatch", asHeader(accepting({ extra: undefined }))],
  [
    "another resource",
    "resource_mismatch",
    asHeader({ ...sign(), resource: { ...resource, url: "https://shop.test/" } }),
  ],
  [
    "our resource elsewhere",
    "resource_mismatch",
    asHeader({ ...sign(), resource: { ...resource, url: `${resource.url}/` } }),
  ],
  ["a resource that is a text", "malformed", asHeader({ ...sign(), resource: resource.url })],
  ["paid to somebody else", "wrong_recipient", asHeader(sign({ to: new MemoryWallet("friend").address }))],
  ["paid to the token", "wrong_recipient", asHeader(sign({ to: CHAIN.asset }))],
  ["a value below the price", "wrong_amount", asHeader(sign({ value: "9989999" }))],
  ["a value above the price", "wrong_amount", asHeader(sign({ value: "9990001" }))],
  ["a value of zero", "wrong_amount", asHeader(sign({ value: "0" }))],
  ["a value of cents", "wrong_amount", asHeader(sign({ value: "999" }))],
  ["a value of 2^256", "wrong_amount", asHeader(sign({ value: String(2n ** 256n) }))],
  ["from ourselves", "wrong_payer", asHeader(sign({ from: CHAIN.payTo.toLowerCase() }))],
  ["from the zero address", "wrong_payer", asHeader(sign({ from: `0x${"0".repeat(40)}` }))],
  ["not valid yet, by a second", "not_yet_valid", asHeader(sign({ validAfter: String(SECONDS) }))],
  ["never valid", "not_yet_valid", asHeader(sign({ validAfter: String(2n ** 256n - 1n) }))],
  ["expired", "expired", asHeader(sign({ validBefore: String(SECONDS - 1) }))],
  ["expired at zero", "expired", asHeader(sign({ validBefore: "0" }))],
  ["expiring in six seconds", "expired", asHeader(sign({ validBefore: String(SECONDS + 6) }))],
  ["valid for 901 seconds", "valid_too_long", asHeader(sign({ validBefore: String(SECONDS + 901) }))],
  ["valid until the year 5138", "valid_too_long", asHeader(sign({ validBefore: "99999999999" }))],
  ["valid for ever", "valid_too_long", asHeader(sign({ validBefore: String(2n ** 256n - 1n) }))],
  ["no signature", "malformed", asHeader(signature(undefined as unknown as string))],
  ["an empty signature", "malformed", asHeader(signature("0x"))],
  ["a signature of 64 bytes", "malformed", asHeader(signature(`0x${"ab".repeat(64)}`))],
  ["a signature that is no hexadecimal", "malformed", asHeader(signature(`0x${"zz".repeat(65)}`))],
  ["half a byte too much", "malformed", asHeader(signature(`0x${"ab".repeat(65)}a`))],
  ["a contract wallet's signature", "unsupported_signature", asHeader(signature(`0x${"ab".repeat(130)}`))],
  ["a signature of ERC-6492", "unsupported_signature", asHeader(signature(`0x${"ab".repeat(96)}${"6492".repeat(16)}`))],
];

describe("402 payment_invalid, nobody is asked and nothing is kept", () => {
  test.each(HOSTILE)("%s: %s", async (_, reason, text) => {
    const { refusal, headers } = await world.buy(account, { scheme: "x402", text });
    expect([refusal?.code, refusal?.fields.reason]).toEqual(["payment_invalid", reason]);
    expect(decodePaymentRequiredHeader(headers["PAYMENT-REQUIRED"]!).error).toBe(reason);
    expect(headers["WWW-Authenticate"]).toMatch(/^Payment id=/);
    expect([world.facilitator.verified, await world.rows()]).toEqual([[], []]);
    expect(await world.db.q.select().from(world.db.t.windows)).toEqual([]);
  });

  test.each(PACKS.slice(1))("a payment of basic for $id", async (pack) => {
    expect((await world.buy(account, sign(), { pack })).outcome).toBe("offer_mismatch");
    const accepted = { ...world.requirements, amount: `${pack.amountCents}0000` };
    expect((await world.buy(account, { ...sign(), accepted }, { pack })).outcome).toBe("wrong_amount");
  });
});

describe("what a stock client makes is taken", () => {
  const client = new x402Client();
  const key = privateKeyToAccount(`0x${"11".repeat(32)}`);
  client.register("eip155:*", new ExactEvmScheme(key));
  client.setSpendControls({
    allowedAssets: [{ network: CHAIN.network, asset: CHAIN.asset, maxAmountPerPayment: "9990000" }],
  });

  test("with what it echoes of resource and extensions", async () => {
    const required = decodePaymentRequiredHeader((await world.direct.price(world.pack))["PAYMENT-REQUIRED"]!);
    const payload = await client.createPaymentPayload(required);
    const works = { ...world, terms: world.terms, domain: async () => CHAIN.domain } as unknown as SettlementDeps;
    const expected = { ...(await expectedPayment(works, world.pack)), now: Date.now() };
    const presented = readPayload(asHeader(payload));
    expect(presented.accept(expected).payload).toEqual(payload.payload);
    expect(presented.signed.from).toBe(key.address);
  });
});

describe("at the edges of what is taken", () => {
  test.each([
    ["a resource that is ours", () => ({ ...world.sign(), resource })],
    ["extensions", () => ({ ...world.sign(), extensions: { bazaar: {} } })],
    ["nulls for what is optional", () => ({ ...world.sign(), resource: null, extensions: null })],
    [
      "fields of the offer in another order",
      () => {
        const signed = world.sign();
        return { ...signed, accepted: Object.fromEntries(Object.entries(signed.accepted).reverse()) };
      },
    ],
    ["valid for a second", () => world.sign({ validAfter: String(SECONDS - 1) })],
    ["valid for seven seconds", () => world.sign({ validBefore: String(SECONDS + 7) })],
    ["valid for 900 seconds", () => world.sign({ validBefore: String(SECONDS + 900) })],
    ["an address in upper case", () => world.sign({ to: `0x${CHAIN.payTo.slice(2).toUpperCase()}` })],
  ])("%s", async (_, make) => {
    expect((await world.buy(account, make())).outcome).toBe("paid");
  });
});

describe("law: whatever is sent, it is payment_invalid and leaves nothing", () => {
  const isRefused = async (text: string) => {
    // Beyond the limit of failures, which is another matter.
    world.clock.pass(10 * MINUTE);
    const before = await world.rows();
    const { refusal, outcome } = await world.buy(account, { scheme: "x402", text });
    expect(refusal?.code).toBe("payment_invalid");
    expect(Object.keys(REASONS)).toContain(outcome);
    expect(await world.rows()).toEqual(before);
  };

  test("any text", async () => {
    await fc.assert(fc.asyncProperty(fc.string({ unit: "binary" }), isRefused), { numRuns: fuzzRuns(100), seed: 1 });
  });

  test("any JSON", async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), (json) => isRefused(raw(json))),
      { numRuns: fuzzRuns(100), seed: 1 },
    );
  });

  test("a payment with any value in any place", async () => {
    const places = ["x402Version", "accepted", "payload", "payload.signature", "payload.authorization"];
    const fields = Object.keys(sign().payload.authorization).map((name) => `payload.authorization.${name}`);
    const offer = Object.keys(world.requirements).map((name) => `accepted.${name}`);
    const place = fc.constantFrom(...places, ...fields, ...offer, "resource");
    await fc.assert(
      fc.asyncProperty(place, fc.jsonValue(), (path, value) => {
        const payment = JSON.parse(JSON.stringify(sign()));
        const names = path.split(".");
        const last = names.pop()!;
        names.reduce((object, name) => object[name], payment)[last] = value;
        return isRefused(asHeader(payment));
      }),
      { numRuns: fuzzRuns(100), seed: 1 },
    );
  });

  test("a header with any byte changed", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(255), (at, byte) => {
        const bytes = Buffer.from(JSON.stringify(sign()));
        bytes[at % bytes.length] = byte;
        return isRefused(bytes.toString("base64"));
      }),
      { numRuns: fuzzRuns(100), seed: 1 },
    );
  });
});
