import { Challenge, Receipt } from "mppx";
import { charge } from "mppx/evm/client";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { challengeHeader, newChallenge } from "../../../../../../src/domain/payments/direct/protocol/challenge.ts";
import { challengeSecret } from "../../../../../../src/domain/payments/direct/protocol/challenge-secret.ts";
import { readCredential } from "../../../../../../src/domain/payments/direct/protocol/credential.ts";
import type { REASONS } from "../../../../../../src/domain/payments/direct/protocol/reasons.ts";
import { PACKS } from "../../../../../../src/domain/payments/orders/packs.ts";
import { HOUR, MINUTE } from "../../../../../../src/platform/clock.ts";
import { DirectWorld } from "../../../../../support/payments/direct-world.ts";
import { credentialOf, parametersOf, presentCredential } from "../../../../../support/payments/memory-credential.ts";
import { CHAIN } from "../../../../../support/payments/memory-token.ts";
import { MemoryWallet } from "../../../../../support/payments/memory-wallet.ts";

const world = await DirectWorld.open();
const poor = new MemoryWallet("poor");
let account: string;
beforeAll(async () => {
  account = await world.account();
});
afterAll(() => world.store.close());

const challenge = async (pack = world.pack) => parametersOf((await world.direct.price(pack))["WWW-Authenticate"]!);
type Said = Awaited<ReturnType<typeof challenge>>;
type Credential = ReturnType<typeof credentialOf>;

test("200: it buys as a payment of x402 does, and the answer has a receipt too", async () => {
  const presented = presentCredential(credentialOf(await challenge(), world.wallet));
  const { outcome, headers, order } = await world.buy(account, presented);
  expect(outcome).toBe("paid");
  const { hash } = JSON.parse(order!.transaction!);
  const receipt = {
    status: "success",
    method: "evm",
    timestamp: new Date(world.clock.now()).toISOString(),
    reference: hash,
  };
  expect(Receipt.deserialize(headers["Payment-Receipt"]!)).toEqual(receipt);
  expect(JSON.parse(atob(headers["PAYMENT-RESPONSE"]!))).toMatchObject({ success: true, transaction: hash });
  world.clock.pass(HOUR);
  expect(await world.buy(account, presented)).toMatchObject({ isReplay: true, order, headers });
});

test("200: the same payment by the other scheme is the same payment", async () => {
  const credential = credentialOf(await challenge(), world.wallet);
  const { order } = await world.buy(account, presentCredential(credential));
  const { type: _, signature, ...authorization } = credential.payload;
  const payment = { x402Version: 2, accepted: world.requirements, payload: { signature, authorization } };
  expect(await world.buy(account, payment)).toMatchObject({ isReplay: true, order });
});

test.each<[string, (credential: Credential, given: Said) => unknown]>([
  [
    "with its source",
    (one) => ({ ...one, source: `did:pkh:eip155:31337:${world.wallet.address.toUpperCase().replace("X", "x")}` }),
  ],
  ["without the header and the description", (one, { header, description, ...rest }) => ({ ...one, challenge: rest })],
  [
    "with another description, which binds nobody",
    (one, given) => ({ ...one, challenge: { ...given, description: "x" } }),
  ],
])("200: %s", async (_, change) => {
  const given = await challenge();
  const credential = change(credentialOf(given, world.wallet), given);
  expect((await world.buy(account, presentCredential(credential))).outcome).toBe("paid");
});

test("200: a payment by the stock client is accepted", async () => {
  const key = privateKeyToAccount(`0x${"22".repeat(32)}`);
  const method = charge({
    account: key,
    networks: [CHAIN.chainId],
    currencies: [CHAIN.asset],
    authorization: CHAIN.domain,
    decimals: 6,
    maxAmount: "10",
  } as Parameters<typeof charge>[0]);
  const header = (await world.direct.price(world.pack))["WWW-Authenticate"]!;
  const made = await method.createCredential({ challenge: Challenge.deserialize(header) } as never);
  const presented = readCredential(String(made).slice("Payment ".length));
  const secret = await challengeSecret(world.db);
  const expected = { terms: world.terms, requirements: world.requirements, secret, now: world.clock.now() };
  const { authorization } = presented.accept(expected).payload;
  expect(authorization).toMatchObject({ from: key.address, to: CHAIN.payTo, value: "9990000", validAfter: "0" });
});

/** What is otherwise in a credential, and why it is not taken. */
const TAMPERED: readonly (readonly [string, keyof typeof REASONS, (given: Said) => Promise<unknown> | unknown])[] = [
  ["nothing", "malformed", () => null],
  ["an array", "malformed", () => []],
  ["no challenge", "malformed", (given) => ({ payload: credentialOf(given, poor).payload })],
  ["a challenge that is a text", "malformed", (given) => ({ ...credentialOf(given, poor), challenge: "x" })],
  ["no payload", "malformed", (challenge) => ({ challenge })],
  ["a payload that is null", "malformed", (challenge) => ({ challenge, payload: null })],
  ["a payload of no type", "unsupported_payload", (challenge) => ({ challenge, payload: {} })],
  ["a payload of Permit2", "unsupported_payload", (challenge) => ({ challenge, payload: { type: "permit2" } })],
  [
    "a transaction",
    "unsupported_payload",
    (challenge) => ({ challenge, payload: { type: "transaction", signature: "0x00" } }),
  ],
  [
    "a hash",
    "unsupported_payload",
    (challenge) => ({ challenge, payload: { type: "hash", hash: `0x${"ab".repeat(32)}` } }),
  ],
  [
    "no nonce",
    "malformed_authorization",
    (given) => credentialOf(given, poor, { nonce: undefined as unknown as string }),
  ],
  ["a nonce of its own", "nonce_mismatch", (given) => credentialOf(given, poor, { nonce: `0x${"ab".repeat(32)}` })],
  [
    "the nonce of another challenge",
    "nonce_mismatch",
    async (given) => {
      const { nonce } = credentialOf(await challenge(), poor).payload;
      return credentialOf(given, poor, { nonce });
    },
  ],
  [
    "another identifier",
    "challenge_unknown",
    (given) => credentialOf({ ...given, id: `${given.id.slice(0, -1)}_` }, poor),
  ],
  ["an empty identifier", "challenge_unknown", (given) => credentialOf({ ...given, id: "" }, poor)],
  [
    "no identifier",
    "challenge_unknown",
    (given) => ({ ...credentialOf(given, poor), challenge: { ...given, id: undefined } }),
  ],
  [
    "an identifier that is no text",
    "challenge_unknown",
    (given) => ({ ...credentialOf(given, poor), challenge: { ...given, id: [given.id] } }),
  ],
  ["another realm", "challenge_unknown", (given) => credentialOf({ ...given, realm: "shop.test" }, poor)],
  ["another method", "challenge_unknown", (given) => credentialOf({ ...given, method: "tempo" }, poor)],
  ["another intent", "challenge_unknown", (given) => credentialOf({ ...given, intent: "session" }, poor)],
  [
    "a later end",
    "challenge_unknown",
    (given) => credentialOf({ ...given, expires: "2030-01-01T00:00:00.000Z" }, poor),
  ],
  [
    "no end",
    "challenge_unknown",
    (given) => ({ ...credentialOf(given, poor), challenge: { ...given, expires: undefined } }),
  ],
  ["other opaque data", "challenge_unknown", (given) => credentialOf({ ...given, opaque: "e30" }, poor)],
  ["a digest", "challenge_unknown", (given) => credentialOf({ ...given, digest: "sha-256=:AA==:" } as Said, poor)],
  ["another header", "challenge_unknown", (given) => credentialOf({ ...given, header: "X-Payment" }, poor)],
  [
    "a lower amount in the request",
    "challenge_unknown",
    (given) => credentialOf({ ...given, request: requestWith(given, { amount: "1" }) }, poor),
  ],
  [
    "another recipient in the request",
    "challenge_unknown",
    (given) => credentialOf({ ...given, request: requestWith(given, { recipient: poor.address }) }, poor),
  ],
  [
    "a challenge of another secret",
    "challenge_unknown",
    () => {
      const made = newChallenge(world.terms, world.requirements, world.clock.now());
      return credentialOf(parametersOf(challengeHeader(made, "x", "another secret")), poor);
    },
  ],
  ["a challenge of another realm", "challenge_mismatch", async () => ownWith({ realm: "elsewhere.test" })],
  ["a challenge of another method", "challenge_mismatch", async () => ownWith({ method: "tempo" })],
  ["a challenge of another intent", "challenge_mismatch", async () => ownWith({ intent: "session" })],
  ["the challenge of another pack", "challenge_mismatch", async () => credentialOf(await challenge(PACKS[3]), poor)],
  [
    "the source is another account",
    "source_mismatch",
    (given) => ({ ...credentialOf(given, poor), source: `did:pkh:eip155:31337:${world.wallet.address}` }),
  ],
  [
    "the source is on another chain",
    "source_mismatch",
    (given) => ({ ...credentialOf(given, poor), source: `did:pkh:eip155:1:${poor.address}` }),
  ],
  ["the source is no text", "source_mismatch", (given) => ({ ...credentialOf(given, poor), source: {} })],
  ["a lower value", "wrong_amount", (given) => credentialOf(given, poor, { value: "1" })],
  ["paid to somebody else", "wrong_recipient", (given) => credentialOf(given, poor, { to: poor.address })],
  ["valid for ever", "valid_too_long", (given) => credentialOf(given, poor, { validBefore: String(2n ** 256n - 1n) })],
  [
    "no signature",
    "malformed",
    (given) => {
      const { challenge, payload } = credentialOf(given, poor);
      return { challenge, payload: { ...payload, signature: undefined } };
    },
  ],
];

function requestWith({ request }: Said, change: object): string {
  const decoded = JSON.parse(Buffer.from(request, "base64url").toString());
  return Buffer.from(JSON.stringify({ ...decoded, ...change })).toString("base64url");
}

/** A challenge that our own secret has signed, for something else. */
async function ownWith(change: object) {
  const made = { ...newChallenge(world.terms, world.requirements, world.clock.now()), ...change };
  return credentialOf(parametersOf(challengeHeader(made, "x", await challengeSecret(world.db))), poor);
}

describe("402 payment_invalid: no facilitator is called, and nothing is stored", () => {
  test.each(TAMPERED)("%s: %s", async (_, reason, make) => {
    const [rows, asked] = [await world.rows(), world.facilitator.verified.length];
    const { refusal } = await world.buy(account, presentCredential(await make(await challenge())));
    expect([refusal?.code, refusal?.fields.reason]).toEqual(["payment_invalid", reason]);
    expect([await world.rows(), world.facilitator.verified.length]).toEqual([rows, asked]);
  });

  test.each(["", "!", "eyJ4Ijoi", "e30=e30", "A".repeat(20_000)])(
    "a text that is not a payment: %.20s",
    async (text) => {
      expect((await world.buy(account, { scheme: "payment", text })).outcome).toBe("malformed");
    },
  );

  test("challenge_expired: after five minutes", async () => {
    const given = await challenge();
    const validBefore = String(Math.floor(world.clock.now() / 1000) + 600);
    world.clock.pass(5 * MINUTE - 1);
    expect((await world.buy(account, presentCredential(credentialOf(given, poor, { validBefore })))).outcome).toBe(
      "insufficient_funds",
    );
    world.clock.pass(1);
    expect((await world.buy(account, presentCredential(credentialOf(given, poor, { validBefore })))).outcome).toBe(
      "challenge_expired",
    );
  });
});

test("a submitted payment is completed, even if its challenge has expired since", async () => {
  world.facilitator.behaviour = "loses answer";
  world.chain.automine = false;
  const presented = presentCredential(credentialOf(await challenge(), world.wallet));
  const direct = world.start({ timeouts: { ...world.timeouts, sleep: async () => undefined } });
  expect((await world.buy(account, presented, { direct })).outcome).toBe("settlement_pending");
  world.chain.mine();
  world.clock.pass(6 * MINUTE);
  const { outcome, headers } = await world.buy(account, presented);
  expect(outcome).toBe("paid");
  expect(headers["Payment-Receipt"]).toBeDefined();
});
