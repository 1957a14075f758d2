import { expect, test } from "vitest";
import type { Facilitator, Verdict } from "../../../../../../src/domain/payments/direct/facilitator/facilitator.ts";
import { requirePayerSignature } from "../../../../../../src/domain/payments/direct/facilitator/payer-signature.ts";
import type { Payload } from "../../../../../../src/domain/payments/direct/protocol/x402.ts";
import {
  altered,
  highS,
  newWallet,
  type Offered,
  type PaymentChanges,
  pay,
  resigned,
} from "../../../../../payments/wallet.ts";

const OFFER: Offered = {
  scheme: "exact",
  network: "eip155:8453",
  amount: "9990000",
  asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  payTo: newWallet().address,
  maxTimeoutSeconds: 300,
  extra: { name: "USD Coin", version: "2", assetTransferMethod: "eip3009" },
};
const PRICE = { x402Version: 2, resource: { url: "https://beckon.test" }, accepts: [OFFER] } as const;

const payer = newWallet();
const signed = async (otherwise: PaymentChanges = {}) => (await pay(payer, PRICE, 1_800_000_000, otherwise)) as Payload;

/** A facilitator that says yes to all, or what it is told to say, and remembers what it was asked. */
function facilitatorWith(verdict: Verdict = { isValid: true }) {
  const payloads: Payload[] = [];
  const facilitator: Facilitator = {
    serves: async () => true,
    verify: async (payload) => {
      payloads.push(payload);
      return verdict;
    },
    settle: async (payload) => {
      payloads.push(payload);
      return { outcome: "done" };
    },
  };
  return { payloads, own: requirePayerSignature(facilitator) };
}

test("a valid signature is passed on in the form that every library accepts", async () => {
  const payload = await signed();
  const { from, to, nonce } = payload.payload.authorization;
  const upper = (hex: string) => `0x${hex.slice(2).toUpperCase()}`;
  for (const spell of [(hex: string) => hex, upper, (hex: string) => hex.toLowerCase()]) {
    const { own, payloads } = facilitatorWith();
    const changes = { from: spell(from), to: spell(to), nonce: spell(nonce) };
    const spelt = altered(payload as never, changes) as unknown as Payload;
    expect(await own.verify(spelt, spelt.accepted)).toEqual({ isValid: true });
    expect(await own.settle(spelt, spelt.accepted)).toEqual({ outcome: "done" });
    expect(payloads).toEqual([payload, payload]);
  }
});

const NOT_SIGNED: readonly (readonly [name: string, make: () => Promise<unknown>])[] = [
  ["another key", () => signed({ signer: newWallet() })],
  ["another chain", () => signed({ domain: { chainId: 1 } })],
  ["another token", () => signed({ domain: { verifyingContract: newWallet().address } })],
  ["another value", async () => altered((await signed()) as never, { value: "1" })],
  ["a later end", async () => altered((await signed()) as never, { validBefore: "1900000000" })],
  ["the upper half of s", async () => spoilt(highS)],
  ["a v of 0 or 1", async () => spoilt((hex) => `0x${hex.slice(2, 130)}${hex.endsWith("1b") ? "00" : "01"}`)],
  ["an r of nothing", async () => spoilt((hex) => `0x${"00".repeat(32)}${hex.slice(66)}`)],
  ["nothing", async () => spoilt(() => `0x${"00".repeat(65)}`)],
];

test.each(NOT_SIGNED)("invalid_signature: %s; no facilitator is called", async (_, make) => {
  const { own, payloads } = facilitatorWith();
  const payload = (await make()) as Payload;
  expect(await own.verify(payload, payload.accepted)).toEqual({ isValid: false, reason: "invalid_signature" });
  expect(await own.settle(payload, payload.accepted)).toEqual({ outcome: "refused", reason: "invalid_signature" });
  expect(payloads).toEqual([]);
});

test("a facilitator that denies a valid signature is treated as refusing the payment", async () => {
  const { own } = facilitatorWith({ isValid: false, reason: "invalid_signature" });
  const payload = await signed();
  expect(await own.verify(payload, payload.accepted)).toEqual({ isValid: false, reason: "refused_by_facilitator" });
  const poor = facilitatorWith({ isValid: false, reason: "insufficient_funds" });
  expect(await poor.own.verify(payload, payload.accepted)).toEqual({ isValid: false, reason: "insufficient_funds" });
});

async function spoilt(change: (signature: `0x${string}`) => string) {
  const payload = await signed();
  return resigned(payload as never, change(payload.payload.signature as `0x${string}`));
}
