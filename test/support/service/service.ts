import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Engine } from "../../../db/engine.ts";
import { createAccount } from "../../../src/domain/accounts/accounts.ts";
import { createKey } from "../../../src/domain/credentials/keys.ts";
import { post } from "../../../src/domain/ledger/ledger.ts";
import type { Mail, Mailer } from "../../../src/domain/mail/mailer.ts";
import { bookSandboxOrder } from "../../../src/domain/payments/cards/sandbox/book-order.ts";
import { loadPayments } from "../../../src/domain/payments/open.ts";
import { PACKS } from "../../../src/domain/payments/orders/packs.ts";
import type { Payments } from "../../../src/domain/payments/payments.ts";
import { type Config, readConfig } from "../../../src/platform/config/config.ts";
import { secretBoxOf } from "../../../src/platform/config/secrets-key.ts";
import { createHttpClient, type HttpOverrides } from "../../../src/platform/http-client/http-client.ts";
import type { Scope } from "../../../src/platform/principal.ts";
import { type AppOptions, createApp, httpServer } from "../../../src/process/app.ts";
// What the first request for it would load: here each module is compiled first, which no test should wait for.
import "../../../src/process/site.ts";
import "../../../src/surfaces/mcp/http.ts";
import "../../../a2a/agent/agent.ts";
import "../../../a2a/bindings/http.ts";
import { withForcedRetries } from "../database/forced-retries.ts";
import { openEmpty } from "../database/open-empty.ts";
import { type SitemapServer, sitemapServer } from "../network/sitemap-server.ts";
import { TestClock } from "./clock.ts";
import { outboxOver } from "./outbox.ts";
import { type ApiRequestOptions, type ApiResponse, requester } from "./request.ts";

export interface TestService {
  /** DATABASE_URL, for another service on the same database. */
  readonly database: string;
  /** Address where it listens. `config.siteUrl` is another one, which is the same in every run. */
  readonly url: string;
  readonly db: Engine;
  readonly clock: TestClock;
  readonly config: Config;
  readonly payments: Payments;
  /** Fields of the errors that were logged. */
  readonly errors: object[];
  readonly mailer: Mailer;
  /** Mail that was sent, oldest first. A transaction that queues some returns when it is here. */
  readonly outbox: Mail[];
  /** A website that it may fetch from. */
  readonly site: SitemapServer;
  /** Creates an account with one key; by default it has paid and holds 150 credits. */
  account(wanted?: {
    credits?: number;
    paid?: boolean;
    scopes?: readonly Scope[];
  }): Promise<{ id: string; key: string }>;
  /** Sends a REST request. The response must be one that the OpenAPI document declares. */
  request(method: string, path: string, more?: ApiRequestOptions): Promise<ApiResponse>;
  close(): Promise<void>;
}

export interface TestServiceOptions
  extends Partial<Pick<AppOptions, "executor" | "bodyTimeMs" | "every" | "payments" | "advanceClock">> {
  readonly config?: Partial<Config>;
  /** Publishes the address where it listens, for clients that discover the service by its documents. */
  readonly publishUrl?: boolean;
  /** Replaces name resolution and connections of its requests to the web. */
  readonly httpOverrides?: HttpOverrides;
  /** Another service whose database and clock it shares: both are nodes of one cluster then. */
  readonly sharedWith?: Pick<TestService, "database" | "clock">;
  /** Wraps the database with this URL that the service works on. */
  readonly engine?: (db: Engine, url: string) => Engine;
}

/** Starts the whole service in this process, on a free port, over a temporary database. */
export async function testService(given: TestServiceOptions = {}): Promise<TestService> {
  const { config: wanted, publishUrl, httpOverrides, sharedWith, engine = (opened) => opened, ...parts } = given;
  const shared = sharedWith && Promise.resolve({ url: sharedWith.database, drop: async () => undefined });
  const database = await openEmpty(shared);
  const opened = withForcedRetries(database.db);
  const clock = sharedWith?.clock ?? new TestClock();
  const site = await sitemapServer();
  const reachable = {
    fetchAllowCidrs: ["127.0.0.0/8"],
    fetchAllowPorts: [site.port],
    secretsKeys: [Buffer.alloc(32, 1).toString("base64")],
  };
  const server = httpServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = { ...readConfig({ SITE_URL: publishUrl ? url : "http://beckon.test" }), ...reachable, ...wanted };
  const errors: object[] = [];
  const log = { error: (fields: object) => void errors.push(fields) };
  const quiet = { ...log, info() {}, warn() {} };
  const http = createHttpClient(config, httpOverrides);
  const sent = outboxOver(opened, { secretBox: secretBoxOf(config), now: () => clock.now() });
  const { mailer, outbox } = sent;
  // Outside of the outbox: a copy of a database does not fail where a test switches it off.
  const db = engine(sent.db, database.url);
  const payments =
    parts.payments ?? (await loadPayments(config, { db, log: quiet }))({ db, clock, config, log: quiet });
  createApp({ db, clock, config, http, log, mailer, server, ...parts, payments });
  return {
    database: database.url,
    url,
    db,
    clock,
    config,
    payments,
    errors,
    mailer,
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
      await database.release();
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
