import { beforeAll, expect, test } from "vitest";
import { allTests } from "../support/service/each-test.ts";
import type { Buyer } from "./buyer.ts";
import { openShop } from "./shop.ts";
import { altered, encoded, highS, newNonce, newWallet, type Payment, type PaymentChanges, resigned } from "./wallet.ts";

const shop = allTests(openShop);
let buyer: Buyer;
beforeAll(async () => {
  buyer = await shop.buyer();
});

const STRANGER = newWallet();

/** Signed honestly by the buyer, for something else than what is asked for. */
const SIGNED_OTHERWISE: readonly (readonly [name: string, reason: string, otherwise: () => PaymentChanges])[] = [
  ["a value one unit short", "wrong_amount", () => ({ authorization: { value: "9989999" } })],
  ["a value of nothing", "wrong_amount", () => ({ authorization: { value: "0" } })],
  ["a value one unit over", "wrong_amount", () => ({ authorization: { value: "9990001" } })],
  ["a value in dollars", "wrong_amount", () => ({ authorization: { value: "10" } })],
  ["a payment to the payer", "wrong_recipient", () => ({ authorization: { to: buyer.account.address } })],
  ["a payment to a stranger", "wrong_recipient", () => ({ authorization: { to: STRANGER.address } })],
  ["a window that is over", "expired", () => window(-1_000, -1)],
  ["a window that is over this very second", "expired", () => window(-1_000, 0)],
  ["a window that is over in a moment", "expired", () => window(-1_000, 3)],
  ["a window that has not begun", "not_yet_valid", () => window(60, 200)],
  ["a window that ends before it begins", "not_yet_valid", () => window(200, -60)],
  ["a window until next month", "valid_too_long", () => window(-600, 30 * 86_400)],
  ["a window until the year 5138", "valid_too_long", () => ({ authorization: { validBefore: "99999999999" } })],
  [
    "a window until the end of uint256",
    "valid_too_long",
    () => ({ authorization: { validBefore: `${2n ** 256n - 1n}` } }),
  ],
  ["another token's name in the domain", "invalid_signature", () => ({ domain: { name: "USD Coin" } })],
  ["another version in the domain", "invalid_signature", () => ({ domain: { version: "1" } })],
  ["another chain in the domain", "invalid_signature", () => ({ domain: { chainId: 8453 } })],
  ["another contract in the domain", "invalid_signature", () => ({ domain: { verifyingContract: STRANGER.address } })],
  ["a stranger's key", "invalid_signature", () => ({ signer: STRANGER })],
];

test.each(SIGNED_OTHERWISE)("402 payment_invalid: %s", async (_, reason, otherwise) => {
  const payment = await buyer.pay(otherwise());
  expect((await buyer.refused({ "PAYMENT-SIGNATURE": encoded(payment) })).reason).toBe(reason);
});

/** Signed rightly, and changed afterwards. */
const CHANGED: readonly (readonly [name: string, reason: string, change: (payment: Payment) => unknown])[] = [
  ["the recipient", "wrong_recipient", (payment) => altered(payment, { to: STRANGER.address })],
  ["the payer", "invalid_signature", (payment) => altered(payment, { from: STRANGER.address })],
  ["the value, up to the price", "invalid_signature", lowered],
  ["the end of the window", "invalid_signature", (payment) => altered(payment, { validBefore: later(payment) })],
  ["the nonce", "invalid_signature", (payment) => altered(payment, { nonce: newNonce() })],
  ["one bit of the signature", "invalid_signature", (payment) => resigned(payment, bitFlipped(payment))],
  ["the signature, to zeros", "invalid_signature", (payment) => resigned(payment, `0x${"00".repeat(65)}`)],
  ["the signature, to ones", "invalid_signature", (payment) => resigned(payment, `0x${"ff".repeat(65)}`)],
  [
    "the signature, to one of a contract wallet",
    "unsupported_signature",
    (payment) => resigned(payment, wrapped(payment)),
  ],
  [
    "the signature, to one of 66 bytes",
    "unsupported_signature",
    (payment) => resigned(payment, `${signatureOf(payment)}00`),
  ],
  ["the amount of the offer", "offer_mismatch", (payment) => offer(payment, { amount: "1" })],
  ["the amount of the offer, by its type", "offer_mismatch", (payment) => offer(payment, { amount: 9990000 })],
  ["the token of the offer", "offer_mismatch", (payment) => offer(payment, { asset: STRANGER.address })],
  ["the recipient of the offer", "offer_mismatch", (payment) => offer(payment, { payTo: STRANGER.address })],
  ["the network of the offer", "offer_mismatch", (payment) => offer(payment, { network: "eip155:8453" })],
  ["the network of the offer, to one of version 1", "offer_mismatch", (payment) => offer(payment, { network: "base" })],
  ["the scheme of the offer", "unsupported_scheme", (payment) => offer(payment, { scheme: "upto" })],
  ["the domain in the offer", "offer_mismatch", (payment) => offer(payment, { extra: { name: "USDC", version: "2" } })],
  ["the way of transfer in the offer", "offer_mismatch", permit2],
  ["the address of the resource", "resource_mismatch", (payment) => resource(payment, "https://other.example/x402")],
  ["the resource, to another operation here", "resource_mismatch", (payment) => resource(payment, projects(payment))],
];

test.each(CHANGED)("402 payment_invalid: changed after signing: %s", async (_, reason, change) => {
  const payment = change(await buyer.pay(LOWER.get(change)));
  expect((await buyer.refused({ "PAYMENT-SIGNATURE": encoded(payment) })).reason).toBe(reason);
});

test.each(["pro", "premium", "agency"])("402 payment_invalid: a payment of basic for %s", async (pack) => {
  const payment = await buyer.pay();
  const { reason } = await buyer.refused({ "PAYMENT-SIGNATURE": encoded(payment) }, { pack });
  expect(reason).toBe("offer_mismatch");
});

test("402 payment_invalid: the offer of agency, signed with the value of basic", async () => {
  const payment = await buyer.pay({ authorization: { value: "9990000" } }, "agency");
  const { reason } = await buyer.refused({ "PAYMENT-SIGNATURE": encoded(payment) }, { pack: "agency" });
  expect(reason).toBe("wrong_amount");
});

test("402 payment_invalid: the high-s form of a right signature, and then 200 for the right one", async () => {
  const payment = await buyer.pay();
  const malleated = resigned(payment, highS(signatureOf(payment)));
  const { reason } = await buyer.refused({ "PAYMENT-SIGNATURE": encoded(malleated) });
  expect(["invalid_signature", "transfer_failed", "refused_by_facilitator"]).toContain(reason);
  expect((await buyer.send(payment)).status).toBe(200);
});

test("402 payment_invalid: a wallet without money, and then 200 when it has some", async () => {
  const poor = await shop.buyer({ dollars: 9 });
  const payment = await poor.pay();
  expect((await poor.refused({ "PAYMENT-SIGNATURE": encoded(payment) })).reason).toBe("insufficient_funds");
  await shop.chain.mint(poor.account.address, 1);
  expect((await poor.send(payment)).status).toBe(200);
});

test("402 payment_invalid: a contract wallet, whose owner has signed", async () => {
  const wallet = await shop.chain.contractWallet(buyer.account.address);
  await shop.chain.mint(wallet, 100);
  const payment = await buyer.pay({ authorization: { from: wallet } });
  const answer = await buyer.refused({ "PAYMENT-SIGNATURE": encoded(payment) });
  expect(["invalid_signature", "unsupported_signature", "refused_by_facilitator"]).toContain(answer.reason);
});

test("402 payment_invalid: a payment by the recipient to itself", async () => {
  const { payTo } = (await buyer.price()).accepts[0]!;
  const payment = await buyer.pay({ authorization: { from: payTo } });
  expect((await buyer.refused({ "PAYMENT-SIGNATURE": encoded(payment) })).reason).toBe("wrong_payer");
});

test("200: addresses and nonce in whatever case", async () => {
  const payment = await buyer.pay();
  const { from, to, nonce } = payment.payload.authorization;
  const upper = (hex: string) => `0x${hex.slice(2).toUpperCase()}`;
  const shouted = altered(payment, { from: upper(from), to: upper(to), nonce: upper(nonce) });
  const answer = await buyer.send(shouted);
  expect([answer.status, answer.reason]).toEqual([200, null]);
});

test("200: an honest payment without the resource, which x402 lets a client leave out", async () => {
  const { resource: _, ...payment } = await buyer.pay();
  expect((await buyer.send(payment)).status).toBe(200);
});

function window(from: number, until: number): PaymentChanges {
  const now = shop.now();
  return { authorization: { validAfter: String(now + from), validBefore: String(now + until) } };
}

/** Signs less than the price, which is then said to be the price. */
function lowered(payment: Payment): Payment {
  return altered(payment, { value: "9990000" });
}
const LOWER = new Map<unknown, PaymentChanges>([[lowered, { authorization: { value: "1" } }]]);

function later({ payload }: Payment): string {
  return String(Number(payload.authorization.validBefore) + 1);
}

function signatureOf({ payload }: Payment) {
  return payload.signature;
}

function bitFlipped(payment: Payment): string {
  const signature = signatureOf(payment);
  const flipped = (Number.parseInt(signature[10]!, 16) ^ 1).toString(16);
  return `${signature.slice(0, 10)}${flipped}${signature.slice(11)}`;
}

/** The shape of ERC-6492: factory, its call, the signature, and 32 magic bytes. */
function wrapped(payment: Payment): string {
  const word = (hex: string) => hex.padStart(64, "0");
  const head = [
    word("0"),
    word("60"),
    word("80"),
    word("0"),
    word("41"),
    signatureOf(payment).slice(2).padEnd(192, "0"),
  ];
  return `0x${head.join("")}${"6492".repeat(16)}`;
}

function offer(payment: Payment, changes: object) {
  return { ...payment, accepted: { ...payment.accepted, ...changes } };
}

function permit2(payment: Payment) {
  return offer(payment, { extra: { ...payment.accepted.extra, assetTransferMethod: "permit2" } });
}

function resource(payment: Payment, url: string) {
  return { ...payment, resource: { ...payment.resource, url } };
}

function projects({ resource: { url } }: Payment): string {
  return url.replace("/credits/x402", "/projects");
}
