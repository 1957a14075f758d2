import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { encodePacked, keccak256 } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { expect } from "vitest";
import { createApp } from "../../src/app.ts";
import { audit } from "../../src/audit/audit.ts";
import type { Scope } from "../../src/context.ts";
import { createHttp } from "../../src/http.ts";
import { balanceOf } from "../../src/ledger/ledger.ts";
import { PATIENCE } from "../../src/payments/direct/patience.ts";
import { loadPayments } from "../../src/payments/open.ts";
import { KNOWN } from "../support/chain/accounts.ts";
import { type Devnet, directService, startDevnet } from "../support/devnet.ts";
import type { Answered } from "../support/request.ts";
import type { TestService } from "../support/service.ts";
import { type Between, between } from "./between.ts";
import { type TestChain, testChain } from "./chain.ts";
import {
  decoded,
  encoded,
  newWallet,
  type Otherwise,
  type Payment,
  type Price,
  pay,
  transferSigned,
} from "./wallet.ts";

/** A service that sells, on a chain of its own; between it and what it trusts there is somebody. */
export interface Shop extends Pick<TestService, "url" | "request"> {
  readonly service: TestService;
  readonly devnet: Devnet;
  readonly chain: TestChain;
  readonly facilitator: Between;
  readonly rpc: Between;
  /** An account that has never bought, with a wallet of 1,000 dollars. */
  buyer(wanted?: { dollars?: number; account?: PrivateKeyAccount; scopes?: readonly Scope[] }): Promise<Buyer>;
  /** Seconds since 1970. */
  now(): number;
  /** Lets seconds pass, here and on the chain. */
  pass(seconds: number): Promise<void>;
  reconcile(): Promise<void>;
  /** How often the facilitator was asked to settle. */
  settles(): number;
  /** How often it was asked to do anything with a payment. */
  asksFacilitator(): number;
  creditsOf(accountId: string): Promise<number>;
  price(pack: string): Promise<Price>;
  /** Another process over the same database and chain, for a while. @returns its address */
  twin(): Promise<string>;
  /** Takes scopes from the keys of an account. */
  narrow(accountId: string, scopes: readonly Scope[]): Promise<void>;
  close(): Promise<void>;
}

/** What a purchase changes. */
export interface Stand {
  /** Base units that the wallet has paid. */
  readonly onChain: bigint;
  readonly credits: number;
  /** Their statuses, oldest first. */
  readonly orders: readonly string[];
}

export interface Sent extends Answered {
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
  /** A payment by x402, signed as an honest client does, but for what is said. */
  pay(otherwise?: Otherwise, pack?: string): Promise<Payment>;
  /** A payment by the scheme Payment: what follows the word in the header. */
  payByChallenge(pack?: string, spoil?: (credential: Credential) => unknown): Promise<string>;
  send(payment: unknown, pack?: string): Promise<Sent>;
  /** Sends what must be refused with 402 and must change nothing; no facilitator is told to settle. */
  refused(headers: Record<string, string>, body?: object): Promise<Sent>;
  stand(): Promise<Stand>;
  revoke(): Promise<void>;
}

/** Of the scheme Payment, method evm. */
export interface Credential {
  readonly challenge: Readonly<Record<string, string>>;
  readonly source?: string;
  readonly payload: Readonly<Record<string, string>>;
}

const PATH = "/credits/x402";
const ASKED = "payment-required";

/** @param ownKey the service settles by itself, with a key of its own */
export async function openShop({ confirmations = 1, ownKey = false } = {}): Promise<Shop> {
  // Between two looks at the chain nothing happens here that is waited for.
  Object.assign(PATIENCE, { sleep: () => setImmediate() });
  const devnet = await startDevnet({ confirmations });
  const facilitator = await between(devnet.facilitator.url);
  const rpc = await between(devnet.rpcUrl);
  const by = ownKey ? { key: KNOWN.facilitator.key } : { url: facilitator.url };
  const settings = { rpcUrl: rpc.url, facilitator: by };
  const service = await directService(devnet, { settings });
  const chain = testChain(devnet);
  const { db, clock, request } = service;

  const creditsOf = (accountId: string) => balanceOf(db, accountId);
  const prices = new Map<string, Price>();
  const twins: Server[] = [];
  const shop: Shop = {
    url: service.url,
    request,
    service,
    devnet,
    chain,
    facilitator,
    rpc,
    now() {
      // The chain has the time of the machine, and does not wait for a test that takes long.
      clock.pass(Math.max(0, Date.now() - clock.now()));
      return Math.floor(clock.now() / 1000);
    },
    async pass(seconds) {
      clock.pass(seconds * 1000);
      await devnet.increaseTime(seconds);
    },
    reconcile: () => service.payments.direct!.reconcile(),
    settles: () => facilitator.asked.filter((what) => what.endsWith("/settle")).length,
    asksFacilitator: () => facilitator.asked.filter((what) => what.startsWith("POST")).length,
    creditsOf,
    async price(pack) {
      // It is the same for the whole run, and asking counts against the limits of requests.
      const price = prices.get(pack) ?? decoded((await request("GET", `${PATH}?pack=${pack}`)).headers.get(ASKED));
      prices.set(pack, price);
      return price;
    },
    async twin() {
      const { config } = service;
      const quiet = { error() {}, warn() {}, info() {} };
      const http = createHttp(config);
      const payments = (await loadPayments(config, quiet))({ db, clock, config, log: quiet });
      const mailer = { send() {}, stop: async () => undefined };
      const server = createApp({ db, clock, config, http, payments, log: quiet, mailer }).listen(0, "127.0.0.1");
      await once(server, "listening");
      twins.push(server);
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    narrow: (accountId, scopes) =>
      db.tx(async (tx) => {
        const { apiKeys } = tx.t;
        await tx.q
          .update(apiKeys)
          .set({ scopes: scopes.join(" ") })
          .where(eq(apiKeys.accountId, accountId));
      }),
    async buyer({ dollars = 1_000, account = newWallet(), scopes } = {}) {
      await chain.mint(account.address, dollars);
      const own = await service.account({ credits: 0, paid: false, ...(scopes ? { scopes } : {}) });
      return buyerOf(shop, account, own);
    },
    async close() {
      const { problems } = await audit(db);
      for (const twin of twins) twin.close();
      await service.close();
      await rpc.close();
      await facilitator.close();
      await devnet.stop();
      expect(problems).toEqual([]);
    },
  };
  return shop;
}

function buyerOf(shop: Shop, account: PrivateKeyAccount, { id, key }: { id: string; key: string }): Buyer {
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

/** What a signature must leave as it was, where nobody may pay with it. */
export async function untouchedBy(buyer: Buyer, attempt: (payment: Payment) => Promise<void>): Promise<void> {
  const payment = await buyer.pay();
  const before = [await buyer.stand(), buyer.shop.asksFacilitator()];
  await attempt(payment);
  expect([await buyer.stand(), buyer.shop.asksFacilitator()]).toEqual(before);
}

/** An answer that asks for a payment, in both dialects. */
export function expectPrice(headers: Headers, amount: string): void {
  const { accepts, x402Version } = decoded(headers.get(ASKED));
  expect([x402Version, accepts.length, accepts[0].amount]).toEqual([2, 1, amount]);
  expect(headers.get("www-authenticate")).toMatch(/^Payment id=".+method="evm".+intent="charge"/);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("payment-response")).toBeNull();
}

/** The parameters of `WWW-Authenticate: Payment`. */
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
