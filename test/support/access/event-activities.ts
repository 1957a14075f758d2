import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { recordEvents } from "../../../src/domain/events/record.ts";
import { relayEvents } from "../../../src/domain/events/relay.ts";
import { queueForSubscriptions } from "../../../src/domain/subscriptions/queue.ts";
import { saveSubscription } from "../../../src/domain/subscriptions/save.ts";
import { WebhookSender } from "../../../src/domain/webhooks/sender.ts";
import { DAY } from "../../../src/platform/clock.ts";
import { secretBoxOf } from "../../../src/platform/config/secrets-key.ts";
import { Refusal } from "../../../src/platform/errors/errors.ts";
import { createHttpClient } from "../../../src/platform/http-client/http-client.ts";
import { EventMethods } from "../../../src/surfaces/mcp/events/calls.ts";
import { subscriptionTargets } from "../../../src/surfaces/mcp/events/targets.ts";
import { eventReceiver } from "../mcp/event-receiver.ts";
import type { Stage } from "./activities.ts";
import type { Actor } from "./actors.ts";

const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;

/** A subscription to MCP Events, by which an event may come. */
export async function beginSubscribed({ service, receiver }: Stage, { accountId, principal }: Actor) {
  const { db, clock, config } = service;
  const [box, path] = [secretBoxOf(config), `/${randomUUID()}`];
  const key = { accountId, maker: principal.credential.id, url: `${receiver.url}${path}`, narrowing: {} };
  const wish = { secret, expiresAt: clock.now() + 1_000 * DAY, position: null, now: clock.now() };
  await db.tx((tx) => saveSubscription(tx, box, { ...key, type: "credits.low" }, wish));
  return async () => {
    const event = { type: "credits.low", data: { balance: 1, threshold: 100 } } as const;
    await db.tx((tx) => recordEvents(tx, accountId, [event], clock.now()));
    await relayEvents(db, [queueForSubscriptions], () => clock.now());
    const http = createHttpClient(config);
    const log = { error: (details: object) => expectNone(details) };
    await new WebhookSender({ db, clock, http, targets: [subscriptionTargets(box)], log }).drain();
    await http.close();
    return receiver.received.some((one) => one.path === path);
  };
}

function expectNone(details: object): never {
  throw new Error(`a message was not delivered: ${JSON.stringify(details)}`);
}

/** A call of `events/subscribe` that was admitted, and has yet to write its subscription. */
export async function beginAskingForEvents({ service }: Stage, { accountId, principal }: Actor) {
  const { db, clock, config } = service;
  const http = createHttpClient(config);
  const willing = await eventReceiver();
  const delivery = { mode: "webhook", url: willing.url, secret };
  return async () => {
    const asked = new EventMethods({ db, clock, config, http }, principal).subscribe({ name: "credits.low", delivery });
    await asked.catch((thrown) => {
      if (!(thrown instanceof Refusal)) throw thrown;
    });
    await willing.close();
    await http.close();
    const { eventSubscriptions: of } = db.t;
    return (await db.q.select().from(of).where(eq(of.accountId, accountId))).length > 0;
  };
}
