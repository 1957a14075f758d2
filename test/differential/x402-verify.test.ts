import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import fc from "fast-check";
import { getAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Facilitator } from "../../src/domain/payments/direct/facilitator/facilitator.ts";
import { requirePayerSignature } from "../../src/domain/payments/direct/facilitator/payer-signature.ts";
import { NotAccepted } from "../../src/domain/payments/direct/protocol/not-accepted.ts";
import { readPayload } from "../../src/domain/payments/direct/protocol/payload.ts";
import { reasonOf } from "../../src/domain/payments/direct/protocol/reasons.ts";
import { termsOf } from "../../src/domain/payments/direct/protocol/terms.ts";
import type { Requirements } from "../../src/domain/payments/direct/protocol/x402.ts";
import { altered, encoded, highS, type Payment, type PaymentChanges, pay, resigned } from "../payments/wallet.ts";
import { fuzzRuns } from "../support/checks/fuzz-runs.ts";
import { anyRequirements, hex } from "../support/payments/any-requirements.ts";

/**
 * src/domain/payments/direct/protocol checks what a payer has signed, and facilitator/payer-signature.ts by which key, before
 * a facilitator is asked. For a valid payment, and for one with a single thing wrong, the answer has to be the same as from
 * the facilitator of @x402/evm. What both ask the chain is not compared: the chain here takes every transfer.
 *
 * `difference` lists where ours is stricter on purpose, and the one spelling that it reads and the library does not. Ours
 * can go when the library is as strict.
 */
const NOW = Date.UTC(2026, 0, 1);
const SECONDS = NOW / 1000;
const SITE = "https://beckon.test";

beforeEach(() => {
  // The library reads the time from the process, ours is given it.
  vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
  return () => vi.useRealTimers();
});

const notAsked = async (): Promise<never> => {
  throw new Error("no transaction is made to verify a payment");
};
const library = new ExactEvmScheme({
  getAddresses: () => [],
  // Tokens are contracts, and so are other payers than these.
  getCode: async ({ address }) => (hasKey(address) ? undefined : "0x01"),
  readContract: async () => ERC1271_VALID,
  verifyTypedData: notAsked,
  writeContract: notAsked,
  sendTransaction: notAsked,
  waitForTransactionReceipt: notAsked,
});
const willing: Facilitator = {
  verify: async () => ({ isValid: true }),
  settle: notAsked,
  serves: notAsked,
};
const facilitator = requirePayerSignature(willing);

/** A signature that only a contract can read (ERC-1271). */
const CONTRACT_SIGNATURE = `0x${"ab".repeat(66)}`;
const ERC1271_VALID = "0x1626ba7e";

const payers = ["11", "22", "33"].map((byte) => privateKeyToAccount(`0x${byte.repeat(32)}`));
const stranger = privateKeyToAccount(`0x${"44".repeat(32)}`);
const hasKey = (address: string) => [...payers, stranger].some((one) => one.address === getAddress(address));

/** @returns "valid", or the reason of the refusal */
async function ours(payment: Payment, requirements: Requirements): Promise<string> {
  const { network, asset, payTo } = requirements;
  const chainId = Number(network.slice("eip155:".length));
  const terms = termsOf({ network, chainId, asset, payTo } as never, SITE);
  try {
    const payload = readPayload(encoded(payment)).accept({ requirements, terms, secret: "", now: NOW });
    const verdict = await facilitator.verify(payload, requirements);
    return verdict.isValid ? "valid" : verdict.reason;
  } catch (thrown) {
    if (thrown instanceof NotAccepted) return thrown.reason;
    throw thrown;
  }
}

async function theirs(payment: Payment, requirements: Requirements): Promise<string> {
  const { isValid, invalidReason } = await library.verify(payment as never, requirements as never);
  return isValid ? "valid" : reasonOf(invalidReason);
}

/** What a client is free to choose. */
const anyChoice = fc.record({
  validAfter: fc.integer({ min: 0, max: SECONDS - 1 }).map(String),
  validBefore: fc.integer({ min: SECONDS + 7, max: SECONDS + 900 }).map(String),
  nonce: hex(32),
});
const anyPayer = fc.nat({ max: payers.length - 1 }).map((index) => payers[index]!);

const priceOf = (offer: Requirements) =>
  ({
    x402Version: 2,
    resource: { url: `${SITE}/api/v1/credits/x402` },
    accepts: [offer as Payment["accepted"]],
  }) as const;

/** One thing that is wrong with a payment: what is signed otherwise, or what is changed after. */
type Wrong = (offer: Requirements) => {
  readonly sign?: PaymentChanges;
  readonly change?: (payment: Payment) => Payment;
};
const more = (whole: string) => String(BigInt(whole) + 1n);
const altering = (fields: Parameters<typeof altered>[1]) => ({
  change: (payment: Payment) => altered(payment, fields),
});
const WRONG: Readonly<Record<string, Wrong>> = {
  "another key": () => ({ sign: { signer: stranger } }),
  "another chain": () => ({ sign: { domain: { chainId: 100_001 } } }),
  "another token": () => ({ sign: { domain: { verifyingContract: stranger.address } } }),
  "another name of the token": ({ extra }) => ({ sign: { domain: { name: `${extra.name}.` } } }),
  "another version of the token": () => ({ sign: { domain: { version: "3" } } }),
  "another payer than the key": () => altering({ from: stranger.address }),
  "another recipient": () => ({ sign: { authorization: { to: stranger.address } } }),
  "the recipient after another was signed": ({ payTo }) => ({
    sign: { authorization: { to: stranger.address } },
    ...altering({ to: payTo }),
  }),
  "a value above the amount": ({ amount }) => ({ sign: { authorization: { value: more(amount) } } }),
  "no value": () => ({ sign: { authorization: { value: "0" } } }),
  "the amount after another was signed": ({ amount }) => ({
    sign: { authorization: { value: more(amount) } },
    ...altering({ value: amount }),
  }),
  "a start to come": () => ({ sign: { authorization: { validAfter: String(SECONDS + 1) } } }),
  "an end that has passed": () => ({ sign: { authorization: { validBefore: String(SECONDS) } } }),
  "an end in five seconds": () => ({ sign: { authorization: { validBefore: String(SECONDS + 5) } } }),
  "another end after signing": () => ({
    sign: { authorization: { validBefore: String(SECONDS + 60) } },
    ...altering({ validBefore: String(SECONDS + 61) }),
  }),
  "another nonce after signing": () => altering({ nonce: `0x${"5a".repeat(32)}` }),
  "an empty signature": () => ({ change: (payment) => resigned(payment, `0x${"00".repeat(65)}`) }),
};

test("law: a payment is valid here if the library finds it valid", async () => {
  const any = fc.asyncProperty(anyRequirements, anyChoice, anyPayer, async (offer, authorization, payer) => {
    const payment = await pay(payer, priceOf(offer), SECONDS, { authorization });
    expect([await ours(payment, offer), await theirs(payment, offer)]).toEqual(["valid", "valid"]);
  });
  await fc.assert(any, { numRuns: fuzzRuns(25), seed: 1 });
});

test.each(Object.entries(WRONG))("law: refused with the library's reason: %s", async (_, wrong) => {
  const any = fc.asyncProperty(anyRequirements, anyChoice, anyPayer, async (offer, chosen, payer) => {
    const { sign = {}, change = (payment) => payment } = wrong(offer);
    const authorization = { ...chosen, ...sign.authorization };
    const payment = change(await pay(payer, priceOf(offer), SECONDS, { ...sign, authorization }));
    const reason = await theirs(payment, offer);
    expect(reason).not.toBe("valid");
    expect(await ours(payment, offer)).toBe(reason);
  });
  await fc.assert(any, { numRuns: fuzzRuns(4), seed: 1 });
});

const OFFER: Requirements = {
  scheme: "exact",
  network: "eip155:8453",
  amount: "9990000",
  asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  payTo: stranger.address,
  maxTimeoutSeconds: 300,
  extra: { name: "USD Coin", version: "2", assetTransferMethod: "eip3009" },
};
const signed = (authorization: PaymentChanges["authorization"] = {}, offer = OFFER) =>
  pay(payers[0]!, priceOf(offer), SECONDS, { authorization });
const contract = "0x00000000000000000000000000000000000c0de5";
const withYParity = (signature: string) => `0x${signature.slice(2, 130)}${signature.endsWith("1b") ? "00" : "01"}`;
const upperCased = (address: string) => `0x${address.slice(2).toUpperCase()}`;

const TO_ITSELF = { ...OFFER, payTo: payers[0]!.address };

async function changed(change: (signature: Payment["payload"]["signature"]) => string): Promise<Payment> {
  const payment = await signed();
  return resigned(payment, change(payment.payload.signature));
}

async function accepting(change: object): Promise<Payment> {
  const payment = await signed();
  return { ...payment, accepted: { ...payment.accepted, ...change } };
}

describe("difference", () => {
  test.each<[reason: string, name: string, make: () => Promise<Payment>, offer?: Requirements]>([
    // The token takes neither form, though viem recovers its signer.
    ["invalid_signature", "an s in the upper half", async () => changed(highS)],
    ["invalid_signature", "a v of 0 or 1", async () => changed(withYParity)],
    // Its word can change between two looks.
    [
      "unsupported_signature",
      "a wallet that is a contract",
      async () => resigned(await signed({ from: contract }), CONTRACT_SIGNATURE),
    ],
    // Both times are exclusive in EIP-3009.
    ["not_yet_valid", "a start in this second", () => signed({ validAfter: String(SECONDS) })],
    ["expired", "an end in six seconds", () => signed({ validBefore: String(SECONDS + 6) })],
    // Every payment is decided soon.
    ["valid_too_long", "an end in more than 900 seconds", () => signed({ validBefore: String(SECONDS + 901) })],
    [
      "malformed_authorization",
      "a zero in front of a number",
      async () => altered(await signed(), { value: "09990000" }),
    ],
    ["wrong_payer", "a payer that pays itself", () => signed({}, TO_ITSELF), TO_ITSELF],
    ["offer_mismatch", "another offer with the same words signed", async () => accepting({ maxTimeoutSeconds: 301 })],
    [
      "resource_mismatch",
      "another resource",
      async () => ({ ...(await signed()), resource: { url: "https://example.com/" } }),
    ],
  ])("%s here, and valid there: %s", async (reason, _, make, offer = OFFER) => {
    const payment = await make();
    expect([await ours(payment, offer), await theirs(payment, offer)]).toEqual([reason, "valid"]);
  });

  test.each(["from", "to"] as const)(
    "an address with a wrong checksum is accepted here, but not there: %s",
    async (name) => {
      const payment = await signed();
      const spelt = altered(payment, { [name]: upperCased(payment.payload.authorization[name]) });
      expect([await ours(spelt, OFFER), await theirs(spelt, OFFER)]).toEqual(["valid", "invalid_signature"]);
    },
  );
});
