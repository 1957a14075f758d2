import { afterAll, afterEach, beforeEach, expect } from "vitest";
import { recordEvents } from "../../../src/domain/events/record.ts";
import { relayEvents } from "../../../src/domain/events/relay.ts";
import type { NewEvent } from "../../../src/domain/events/types.ts";
import { queueForSubscriptions } from "../../../src/domain/subscriptions/queue.ts";
import { WebhookSender } from "../../../src/domain/webhooks/sender.ts";
import { secretBoxOf } from "../../../src/platform/config/secrets-key.ts";
import { createHttpClient } from "../../../src/platform/http-client/http-client.ts";
import { subscriptionTargets } from "../../../src/surfaces/mcp/events/targets.ts";
import type { TestService } from "../service/service.ts";
import { type EventReceiver, eventReceiver } from "./event-receiver.ts";
import { message, modern, poster } from "./post.ts";

/** An event of a project. */
export function settled(project = "prj_0123456789abc"): NewEvent {
  const links = { indexed: [], not_indexed: [], failed: [] };
  const data = { project_id: project, counts: { indexed: 0, not_indexed: 0, failed: 0 }, links, credits_returned: 0 };
  return { type: "links.settled", projectId: project, data };
}

export const low: NewEvent = { type: "credits.low", data: { balance: 88, threshold: 100 } };

/** For each test an account with a key, a receiver, and what calls the methods of MCP Events and delivers events. */
export function eventsInEachTest(service: TestService) {
  const { db, clock, config } = service;
  const http = createHttpClient(config);
  const errors: object[] = [];
  const log = { error: (details: object) => void errors.push(details) };
  const sender = new WebhookSender({ db, clock, http, targets: [subscriptionTargets(secretBoxOf(config))], log });
  const opened: { receiver?: EventReceiver; account?: { id: string; key: string } } = {};
  beforeEach(async () => {
    opened.receiver = await eventReceiver();
    opened.account = await service.account();
  });
  afterEach(async () => {
    await opened.receiver?.close();
    expect(errors).toEqual([]);
  });
  afterAll(() => http.close());

  const call = async (method: string, params: object = {}, key: string | undefined = opened.account!.key) => {
    const { body, headers } = modern(message(`events/${method}`, params));
    const { status, json } = await poster(service.url)(body, { ...(key === "" ? {} : { key }), headers });
    return { status, result: json.result, error: json.error };
  };
  return {
    get receiver(): EventReceiver {
      return opened.receiver!;
    },
    get account() {
      return opened.account!;
    },
    call,
    /** Asks for events at the receiver, with a new secret; default: all of `links.settled`. */
    subscribe(params: Record<string, unknown> = {}, key?: string) {
      const delivery = { mode: "webhook", url: opened.receiver!.url, secret: opened.receiver!.secret() };
      const { delivery: changed = {}, ...rest } = params;
      const asked = { name: "links.settled", arguments: {}, delivery: { ...delivery, ...(changed as object) } };
      return call("subscribe", { ...asked, ...rest }, key);
    },
    unsubscribe(params: Record<string, unknown> = {}, key?: string) {
      const { url } = opened.receiver!;
      return call("unsubscribe", { name: "links.settled", arguments: {}, delivery: { url }, ...params }, key);
    },
    record: (events: readonly NewEvent[], accountId = opened.account!.id) =>
      db.tx((tx) => recordEvents(tx, accountId, events, clock.now())),
    /** Hands on the events that wait, and makes all attempts that are due. */
    async deliver(): Promise<void> {
      await relayEvents(db, [queueForSubscriptions], () => clock.now());
      await sender.drain();
    },
    rows: () => db.q.select().from(db.t.eventSubscriptions),
    deliveries: () => db.q.select().from(db.t.webhookDeliveries),
  };
}
