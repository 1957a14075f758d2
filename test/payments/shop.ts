import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { eq } from "drizzle-orm";
import type { PrivateKeyAccount } from "viem/accounts";
import { expect } from "vitest";
import { audit } from "../../src/domain/audit/audit.ts";
import { balanceOf } from "../../src/domain/ledger/ledger.ts";
import { RETRY } from "../../src/domain/payments/direct/chain/evm-rpc.ts";
import { TIMEOUTS } from "../../src/domain/payments/direct/settlement/timeouts.ts";
import { loadPayments } from "../../src/domain/payments/open.ts";
import { createHttpClient } from "../../src/platform/http-client/http-client.ts";
import type { Scope } from "../../src/platform/principal.ts";
import { createApp } from "../../src/process/app.ts";
import { type Devnet, type DevnetOptions, directService, startDevnet } from "../support/payments/direct-service.ts";
import type { TestService } from "../support/service/service.ts";
import { type Buyer, buyerOf } from "./buyer.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { type TestChain, testChain } from "./test-chain.ts";
import { decoded, newWallet, type Price } from "./wallet.ts";

/** A service that takes payments on its own chain, with fault proxies in front of the facilitator and the nodes. */
export interface Shop extends Pick<TestService, "url" | "request"> {
  readonly service: TestService;
  readonly devnet: Devnet;
  readonly chain: TestChain;
  readonly facilitator: FaultProxy;
  /** Proxy in front of the first node. */
  readonly rpc: FaultProxy;
  /** Proxies of all nodes; behind all of them is the same chain. */
  readonly nodes: readonly FaultProxy[];
  /** Creates an account without orders, and a wallet with 1,000 dollars. */
  buyer(wanted?: { dollars?: number; account?: PrivateKeyAccount; scopes?: readonly Scope[] }): Promise<Buyer>;
  /** Seconds since 1970. */
  now(): number;
  /** Moves the time of the service and of the chain. */
  pass(seconds: number): Promise<void>;
  reconcile(): Promise<void>;
  /** Number of calls of the facilitator to settle. */
  settles(): number;
  /** Number of all calls of the facilitator about payments. */
  asksFacilitator(): number;
  creditsOf(accountId: string): Promise<number>;
  price(pack: string): Promise<Price>;
  /** Starts another process over the same database and chain. @returns its address */
  twin(): Promise<string>;
  /** Takes scopes from the keys of an account. */
  narrow(accountId: string, scopes: readonly Scope[]): Promise<void>;
  close(): Promise<void>;
}

interface ShopOptions extends Pick<DevnetOptions, "confirmations" | "finalDepth"> {
  /** Default: 1. */
  readonly nodes?: number;
}

export async function openShop({ nodes: count = 1, ...chainOptions }: ShopOptions = {}): Promise<Shop> {
  // Nothing here has to be waited for between two checks of the chain, or two questions to a node.
  Object.assign(TIMEOUTS, { sleep: () => setImmediate() });
  Object.assign(RETRY, { pauseMs: 0 });
  const devnet = await startDevnet(chainOptions);
  const facilitator = await startFaultProxy(devnet.facilitator.url);
  const nodes = await Promise.all(Array.from({ length: count }, () => startFaultProxy(devnet.rpcUrl)));
  const rpc = nodes[0]!;
  const settings = { rpcUrls: nodes.map(({ url }) => url), facilitatorUrl: facilitator.url };
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
    nodes,
    now() {
      // The clock of the service must not fall behind the chain, which has the time of the machine.
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
      // The price never changes, and requests count against the rate limits.
      const price =
        prices.get(pack) ??
        decoded((await request("GET", `/credits/x402?pack=${pack}`)).headers.get("payment-required"));
      prices.set(pack, price);
      return price;
    },
    async twin() {
      const { config } = service;
      const quiet = { error() {}, warn() {}, info() {} };
      const http = createHttpClient(config);
      const payments = (await loadPayments(config, { db, log: quiet }))({ db, clock, config, log: quiet });
      const mailer = { queue: async () => undefined };
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
      for (const node of nodes) await node.close();
      await facilitator.close();
      await devnet.stop();
      expect(problems).toEqual([]);
    },
  };
  return shop;
}
