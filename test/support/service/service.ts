import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Engine } from "../../../db/engine.ts";
import { openDatabase } from "../../../db/open.ts";
import { createAccount } from "../../../src/domain/accounts/accounts.ts";
import { createKey } from "../../../src/domain/accounts/keys.ts";
import { post } from "../../../src/domain/ledger/ledger.ts";
import type { Mail, Mailer } from "../../../src/domain/mail/mailer.ts";
import { bookSandboxOrder } from "../../../src/domain/payments/cards/sandbox/book-order.ts";
import { loadPayments } from "../../../src/domain/payments/open.ts";
import { PACKS } from "../../../src/domain/payments/orders/prices.ts";
import type { Payments } from "../../../src/domain/payments/payments.ts";
import { type Config, readConfig } from "../../../src/platform/config/config.ts";
import { createHttpClient, type HttpOverrides } from "../../../src/platform/http-client/http-client.ts";
import type { Scope } from "../../../src/platform/principal.ts";
import { type AppParts, createApp } from "../../../src/process/app.ts";
import { testDatabase } from "../database/database.ts";
import { rehearsed } from "../database/rehearsal.ts";
import { type SitemapServer, sitemapServer } from "../network/sitemap-server.ts";
import { TestClock } from "./clock.ts";
import { type Answered, type Requested, requester } from "./request.ts";

export interface TestService {
  /** As DATABASE_URL, for another service on the same database. */
  readonly database: string;
  /** Where it listens, which is not `config.siteUrl`: that one is the same in every run. */
  readonly url: string;
  readonly db: Engine;
  readonly clock: TestClock;
  readonly config: Config;
  readonly payments: Payments;
  /** What was logged as an error. */
  readonly errors: object[];
  /** Mail that was sent, oldest first. */
  readonly outbox: Mail[];
  /** A web site that it may fetch from. */
  readonly site: SitemapServer;
  /** A new account with one key; by default it is paid and holds 150 credits. */
  account(wanted?: {
    credits?: number;
    paid?: boolean;
    scopes?: readonly Scope[];
  }): Promise<{ id: string; key: string }>;
  /** A request of the REST API, whose answer must be one that the OpenAPI document declares. */
  request(method: string, path: string, more?: Requested): Promise<Answered>;
  close(): Promise<void>;
}

export interface TestParts extends Partial<Pick<AppParts, "executor" | "bodyTimeMs" | "payments">> {
  readonly config?: Partial<Config>;
  /** Publishes the address where it listens, for clients that find everything by what is published. */
  readonly atHome?: boolean;
  /** What its visits of the web meet in place of the world. */
  readonly outside?: HttpOverrides;
  /** Another service's: both are nodes on one database then, of one time. */
  readonly beside?: Pick<TestService, "database" | "clock">;
  /** Comes between the service and its database. */
  readonly engine?: (db: Engine) => Engine;
}

/** The whole service in this process, on a port of its own, over a database that is thrown away. */
export async function testService(given: TestParts = {}): Promise<TestService> {
  const { config: wanted, atHome, outside, beside, engine = (opened) => opened, ...parts } = given;
  const database = beside ? { url: beside.database, drop: async () => undefined } : await testDatabase();
  const db = engine(rehearsed(await openDatabase(database.url, { durable: false })));
  const clock = beside?.clock ?? new TestClock();
  const site = await sitemapServer();
  const reachable = { fetchAllowCidrs: ["127.0.0.0/8"], fetchAllowPorts: [site.port] };
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = { ...readConfig({ SITE_URL: atHome ? url : "http://beckon.test" }), ...reachable, ...wanted };
  const errors: object[] = [];
  const log = { error: (fields: object) => void errors.push(fields) };
  const quiet = { ...log, info() {}, warn() {} };
  const http = createHttpClient(config, outside);
  const outbox: Mail[] = [];
  const payments = parts.payments ?? (await loadPayments(config, quiet))({ db, clock, config, log: quiet });
  const mailer: Mailer = { send: (mail) => void outbox.push(mail), stop: async () => undefined };
  createApp({ db, clock, config, http, log, mailer, server, ...parts, payments });
  return {
    database: database.url,
    url,
    db,
    clock,
    config,
    payments,
    errors,
    outbox,
    site,
    account: (account = {}) => db.tx((tx) => openAccount(tx, account, clock.now())),
    request: requester(url, config),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      await http.close();
      await site.close();
      await db.close();
      await database.drop();
    },
  };
}

async function openAccount(
  tx: Parameters<Parameters<Engine["tx"]>[0]>[0],
  { credits = 150, paid = true, scopes }: { credits?: number; paid?: boolean; scopes?: readonly Scope[] },
  now: number,
) {
  const { id } = await createAccount(tx, { email: `${randomUUID()}@example.com`, now });
  if (paid) await bookSandboxOrder(tx, { accountId: id, pack: PACKS[0], credits, now });
  else if (credits !== 0) {
    await post(tx, { accountId: id, kind: "adjustment", credits, source: "test", description: "Test", now });
  }
  const key = await createKey(tx, { accountId: id, name: "test", mode: "sandbox", now, ...(scopes ? { scopes } : {}) });
  return { id, key };
}
