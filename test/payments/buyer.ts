import { eq } from "drizzle-orm";
import { encodePacked, keccak256 } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { expect } from "vitest";
import type { ApiResponse } from "../support/service/request.ts";
import type { Shop } from "./shop.ts";
import { decoded, encoded, type Payment, type PaymentChanges, type Price, pay, transferSigned } from "./wallet.ts";

/** The state that a purchase changes. */
export interface Stand {
  /** Base units that the wallet has paid. */
  readonly onChain: bigint;
  readonly credits: number;
  /** Statuses of the orders, oldest first. */
  readonly orders: readonly string[];
}

export interface Sent extends ApiResponse {
  readonly code: string | null;
  readonly reason: string | null;
}

/** An account and a wallet. */
export interface Buyer {
  readonly shop: Shop;
  readonly id: string;
  readonly key: string;
  readonly account: PrivateKeyAccount;
  price(pack?: string): Promise<Price>;
  /** Signs an x402 payment as an honest client does, with changes. */
  pay(otherwise?: PaymentChanges, pack?: string): Promise<Payment>;
  /** Makes a credential of the scheme Payment, as it follows the scheme in the header. */
  payByChallenge(pack?: string, spoil?: (credential: Credential) => unknown): Promise<string>;
  send(payment: unknown, pack?: string): Promise<Sent>;
  /** Sends a payment that must be refused with 402, without any effect and without a call to settle. */
  refused(headers: Record<string, string>, body?: object): Promise<Sent>;
  stand(): Promise<Stand>;
  revoke(): Promise<void>;
}

/** A credential of the scheme Payment, method evm. */
export interface Credential {
  readonly challenge: Readonly<Record<string, string>>;
  readonly source?: string;
  readonly payload: Readonly<Record<string, string>>;
}

const PATH = "/credits/x402";
const ASKED = "payment-required";

export function buyerOf(shop: Shop, account: PrivateKeyAccount, { id, key }: { id: string; key: string }): Buyer {
  const { db } = shop.service;
  const buyer: Buyer = {
    shop,
    id,
    key,
    account,
    price: (pack = "basic") => shop.price(pack),
    pay: async (otherwise = {}, pack = "basic") => pay(account, await buyer.price(pack), shop.now(), otherwise),
    async payByChallenge(pack = "basic", spoil = (credential) => credential) {
      const challenge = challengeIn((await ask(pack)).headers.get("www-authenticate"));
      const credential = await credentialOf(account, challenge, (await buyer.price(pack)).accepts[0]!);
      return Buffer.from(JSON.stringify(spoil(credential))).toString("base64url");
    },
    send: (payment, pack = "basic") => post({ "PAYMENT-SIGNATURE": encoded(payment) }, { pack }),
    async refused(headers, body = { pack: "basic" }) {
      const [before, settles] = [await buyer.stand(), shop.settles()];
      const sent = await post(headers, body);
      expect([sent.status, sent.code]).toEqual([402, "payment_invalid"]);
      expect(sent.headers.get("cache-control")).toBe("no-store");
      expect(decoded(sent.headers.get(ASKED)).accepts).toHaveLength(1);
      expect(sent.headers.get("www-authenticate")).toMatch(/^Payment /);
      expect([await buyer.stand(), shop.settles()]).toEqual([before, settles]);
      return sent;
    },
    async stand() {
      const { orders } = db.t;
      const rows = await db.q
        .select()
        .from(orders)
        .where(eq(orders.accountId, id))
        .orderBy(orders.createdAt, orders.id);
      return {
        onChain: await shop.chain.paidBy(account.address),
        credits: await shop.creditsOf(id),
        orders: rows.map(({ status }) => status),
      };
    },
    revoke: () =>
      db.tx(async (tx) => {
        const { apiKeys } = tx.t;
        await tx.q.update(apiKeys).set({ revokedAt: shop.service.clock.now() }).where(eq(apiKeys.accountId, id));
      }),
  };
  const ask = (pack: string) => shop.request("POST", PATH, { key, body: { pack } });
  async function post(headers: Record<string, string>, body: object): Promise<Sent> {
    const answered = await shop.request("POST", PATH, { key, body, headers });
    const { code = null, reason = null } = answered.json?.error ?? {};
    return { ...answered, code, reason };
  }
  return buyer;
}

/** Checks that an attempt with a payment changes nothing, and does not reach the facilitator. */
export async function untouchedBy(buyer: Buyer, attempt: (payment: Payment) => Promise<void>): Promise<void> {
  const payment = await buyer.pay();
  const before = [await buyer.stand(), buyer.shop.asksFacilitator()];
  await attempt(payment);
  expect([await buyer.stand(), buyer.shop.asksFacilitator()]).toEqual(before);
}

/** Expects 503 settlement_pending, which must not make the payer sign another payment. */
export async function expectPending(buyer: Buyer, payment: Payment): Promise<void> {
  const { status, code, headers } = await buyer.send(payment);
  expect([status, code]).toEqual([503, "settlement_pending"]);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get(ASKED)).toBeNull();
  expect(headers.get("www-authenticate")).toBeNull();
}

/** Expects a demand for payment, in both schemes. */
export function expectPrice(headers: Headers, amount: string): void {
  const { accepts, x402Version } = decoded(headers.get(ASKED));
  expect([x402Version, accepts.length, accepts[0].amount]).toEqual([2, 1, amount]);
  expect(headers.get("www-authenticate")).toMatch(/^Payment id=".+method="evm".+intent="charge"/);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("payment-response")).toBeNull();
}

/** Reads the parameters of `WWW-Authenticate: Payment`. */
export function challengeIn(header: string | null): Record<string, string> {
  return Object.fromEntries([...(header ?? "").matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
}

async function credentialOf(
  account: PrivateKeyAccount,
  { description: _, ...challenge }: Record<string, string>,
  offer: Price["accepts"][number],
): Promise<Credential> {
  const { id, realm, expires } = challenge;
  const nonce = keccak256(encodePacked(["string", "string"], [id!, realm!]));
  const validBefore = String(Math.floor(Date.parse(expires!) / 1000));
  const signed = { from: account.address, to: offer.payTo, value: offer.amount, validAfter: "0", validBefore, nonce };
  const signature = await transferSigned(account, offer, signed);
  return {
    challenge,
    source: `did:pkh:${offer.network}:${account.address}`,
    payload: { type: "authorization", ...signed, signature },
  };
}
