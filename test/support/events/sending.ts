import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect } from "vitest";
import { principalOfKey } from "../../../src/domain/credentials/identify.ts";
import { createKey } from "../../../src/domain/credentials/keys.ts";
import { eventsOf } from "../../../src/domain/events/events.ts";
import { recordEvents } from "../../../src/domain/events/record.ts";
import { relayEvents } from "../../../src/domain/events/relay.ts";
import type { NewEvent } from "../../../src/domain/events/types.ts";
import { deliveriesOf } from "../../../src/domain/webhooks/list-deliveries.ts";
import { attemptsOf } from "../../../src/domain/webhooks/outcome.ts";
import { queueDeliveries } from "../../../src/domain/webhooks/queue.ts";
import { WebhookSender } from "../../../src/domain/webhooks/sender.ts";
import { webhookTargets } from "../../../src/domain/webhooks/webhook-targets.ts";
import { createWebhook, type WebhookFields } from "../../../src/domain/webhooks/webhooks.ts";
import {
  createHttpClient,
  type HttpClient,
  type HttpOverrides,
} from "../../../src/platform/http-client/http-client.ts";
import { SCOPES, type Scope } from "../../../src/platform/principal.ts";
import { SecretBox } from "../../../src/platform/secret-box.ts";
import { ownerOf } from "../database/people.ts";
import { testStore } from "../database/store.ts";
import { type HookReceiver, hookReceiver } from "../network/hook-receiver.ts";
import { eachTest } from "../service/each-test.ts";

const SETTINGS = { siteUrl: "http://beckon.test", contact: undefined, fetchAllowCidrs: [], fetchAllowPorts: [] };

/** The HTTP client of a sandbox on this machine, which reaches receivers here. */
export function localHttp(): HttpClient {
  return createHttpClient({ ...SETTINGS, mode: "sandbox", host: "127.0.0.1" });
}

/** The HTTP client of a live service. */
export function liveHttp(overrides: HttpOverrides): HttpClient {
  return createHttpClient({ ...SETTINGS, mode: "live", host: "0.0.0.0" }, overrides);
}

/** An event that every webhook gets. */
export function low(balance: number): NewEvent {
  return { type: "credits.low", data: { balance, threshold: 100 } };
}

/**
 * For each test a database with an account, a receiver on this machine, and what makes webhooks, records events and delivers
 * them. A message that cannot be sent for a reason of ours fails the test.
 */
export function sendingInEachTest() {
  const store = eachTest(testStore);
  const box = new SecretBox(() => [Buffer.alloc(32, 7)]);
  const errors: object[] = [];
  const opened: { http?: HttpClient; receiver?: HookReceiver; account?: string } = {};

  beforeEach(async () => {
    opened.http = localHttp();
    opened.receiver = await hookReceiver();
    opened.account = await store.account(150);
    await relay();
    errors.length = 0;
  });

  afterEach(async () => {
    await opened.receiver?.close();
    await opened.http?.close();
    expect(errors).toEqual([]);
  });

  const now = () => store.clock.now();
  const relay = () => relayEvents(store.db, [queueDeliveries], now);
  const record = (...events: NewEvent[]) => recordOf(opened.account!, ...events);
  const recordOf = (accountId: string, ...events: NewEvent[]) =>
    store.db.tx((tx) => recordEvents(tx, accountId, events, now()));
  const senderOf = (http: Pick<HttpClient, "postPublic"> = opened.http!) =>
    new WebhookSender({
      ...{ db: store.db, clock: store.clock, http: { ...opened.http!, ...http }, targets: [webhookTargets(box)] },
      log: { error: (details) => void errors.push(details) },
    });

  return {
    store,
    box,
    /** Of this machine. At first it answers 204. */
    get receiver(): HookReceiver {
      return opened.receiver!;
    },
    get http(): HttpClient {
      return opened.http!;
    },
    get account(): string {
      return opened.account!;
    },
    now,
    relay,
    record,
    recordOf,
    senderOf,
    /** Makes a webhook; default: of the person, for the receiver, with all events. */
    async make(fields: Partial<WebhookFields> & { maker?: string; accountId?: string } = {}) {
      const preset = { url: `${opened.receiver!.url}/hook`, types: null, description: "", status: "active" } as const;
      const accountId = fields.accountId ?? opened.account!;
      const owner = { accountId, maker: fields.maker ?? (await ownerOf(store.db, accountId)) };
      return store.db.tx((tx) => createWebhook(tx, box, { ...preset, ...fields, ...owner, now: now() }));
    },
    /** Records events, and makes all attempts that are due. */
    async deliver(...events: NewEvent[]): Promise<void> {
      if (events.length > 0) await record(...events);
      await relay();
      await senderOf().drain();
    },
    /** A new API key of the account, as the maker of webhooks. */
    async makeKey(scopes: readonly Scope[] = SCOPES) {
      const key = { accountId: opened.account!, name: "k", scopes, mode: "sandbox", now: now() } as const;
      const secret = await store.db.tx((tx) => createKey(tx, key));
      await relay();
      return (await principalOfKey(store.db, secret, now()))!.credential;
    },
    /** Deliveries of a webhook, newest event first. */
    async deliveries(id: string) {
      const { rows } = await deliveriesOf(store.db, id, { status: null, limit: 200, offset: 0 });
      return rows.map((row) => ({ ...row, attempts: attemptsOf(row) }));
    },
    async webhookRow(id: string) {
      const { webhooks } = store.db.t;
      const [row] = await store.db.q.select().from(webhooks).where(eq(webhooks.id, id));
      return row!;
    },
    /** Types of all events of the account, oldest first. */
    async typesOfEvents() {
      const all = { after: null, type: null, projectId: null, limit: 200 };
      return (await eventsOf(store.db, opened.account!, all)).rows.map(({ type }) => type);
    },
  };
}
