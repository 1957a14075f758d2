import type { Services } from "../../../contract/call.ts";
import { HEARING } from "../../../domain/credentials/listener.ts";
import { requireMayAct } from "../../../domain/credentials/may-act.ts";
import { consumeLimit } from "../../../domain/limits/window.ts";
import { tellOfChannel } from "../../../domain/notices/channel-made.ts";
import { readEvents, startAt, type Wanted } from "../../../domain/subscriptions/positions.ts";
import { saveSubscription } from "../../../domain/subscriptions/save.ts";
import { logSubscription } from "../../../domain/subscriptions/security-log.ts";
import {
  deleteSubscriptions,
  findSubscription,
  hasAllItMay,
  hasAt,
  hasAtOrigin,
  type SubscriptionKey,
  subscriptionIdOf,
} from "../../../domain/subscriptions/subscriptions.ts";
import { SUBSCRIPTION_TERMS } from "../../../domain/subscriptions/terms.ts";
import { refuseUnreachable } from "../../../domain/webhooks/webhook-url.ts";
import { iso, SECOND } from "../../../platform/clock.ts";
import { secretBoxOf } from "../../../platform/config/secrets-key.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { doerOf, type Principal } from "../../../platform/principal.ts";
import type { EventCalls } from "../caller.ts";
import { cursorOf, positionOf } from "./cursor.ts";
import { deliveryStatusOf } from "./delivery-status.ts";
import { occurrenceOf } from "./occurrence.ts";
import { grantedTtl, PARAMS, paramsOf, receiverUrl, refuseBadSecret, subjectOf } from "./params.ts";
import { refuseUnwilling } from "./receiver.ts";
import { eventsError } from "./wire.ts";

export type EventServices = Pick<Services, "db" | "clock" | "http" | "config">;

/** Events that an answer of `events/poll` has, and has at most. */
const POLLED = { usual: 50, most: 200 };

/** When a client that polls should come again, in ms. */
const NEXT_POLL_MS = 15 * SECOND;

/** The methods of MCP Events that are answered at once, for one caller. */
export class EventMethods implements EventCalls {
  readonly #services: EventServices;
  readonly #principal: Principal;

  constructor(services: EventServices, principal: Principal) {
    this.#services = services;
    this.#principal = principal;
  }

  async subscribe(params: unknown): Promise<object> {
    const { db, clock, http, config } = this.#services;
    const { mode } = paramsOf(PARAMS.mode, params).delivery;
    if (mode !== "webhook") throw unsupportedMode(mode);
    const { name, arguments: narrowing, delivery, cursor, maxAgeMs, ttlMs } = paramsOf(PARAMS.subscribe, params);
    const subject = subjectOf({ name, arguments: narrowing });
    const key = { ...this.#owner, url: receiverUrl(delivery.url), ...subject };
    const { secret } = delivery;
    refuseBadSecret(secret);
    const wanted = wantedOf(key);
    const position = positionOf(wanted, cursor);
    await refuseUnreachable(http, key.url).catch(asCallbackError);
    if (!(await hasAt(db, key, clock.now()))) await this.#askReceiver(key, secret);
    const saved = await db.tx(async (tx) => {
      const now = clock.now();
      await requireMayAct(tx, this.#principal, { scopes: HEARING_SCOPES, now });
      const isKnownOrigin = await hasAtOrigin(tx, key, now);
      const expiresAt = now + grantedTtl(ttlMs);
      const wish = { secret, expiresAt, position, notBefore: notBeforeOf(maxAgeMs, now), now };
      const made = await saveSubscription(tx, secretBoxOf(config), key, wish);
      if (!made) throw tooMany();
      if (made.before) return made;
      await logSubscription(tx, "subscription_made", made.row, { doer: doerOf(this.#principal), now });
      const channel = { kind: "subscription", url: key.url, caller: this.#principal } as const;
      if (!isKnownOrigin) await tellOfChannel(tx, config, channel, now);
      return made;
    });
    return {
      id: saved.row.id,
      refreshBefore: iso(saved.row.expiresAt),
      cursor: cursorOf(wanted, saved.position),
      truncated: saved.isTruncated,
      ...(saved.before ? { deliveryStatus: deliveryStatusOf(saved.before) } : {}),
    };
  }

  async unsubscribe(params: unknown): Promise<object> {
    const { db, clock } = this.#services;
    const { delivery, ...rest } = paramsOf(PARAMS.unsubscribe, params);
    const key = { ...this.#owner, url: receiverUrl(delivery.url), ...subjectOf(rest) };
    await db.tx(async (tx) => {
      const now = clock.now();
      await requireMayAct(tx, this.#principal, { scopes: [], now });
      const row = await findSubscription(tx, key, now);
      const message = "There is no such subscription: it has ended, or was for another name, URL or other arguments.";
      if (!row) throw eventsError("NotFound", message, { kind: "subscription" });
      await deleteSubscriptions(tx, [row.id]);
      await logSubscription(tx, "subscription_ended", row, { doer: doerOf(this.#principal), now });
    });
    return {};
  }

  async poll(params: unknown): Promise<object> {
    const { db, clock } = this.#services;
    const { cursor, maxAgeMs, maxEvents, ...rest } = paramsOf(PARAMS.poll, params);
    const wanted = { accountId: this.#principal.accountId, ...subjectOf(rest) };
    const begin = { position: positionOf(wanted, cursor), notBefore: notBeforeOf(maxAgeMs, clock.now()) };
    const start = await startAt(db, wanted.accountId, begin);
    const most = Math.min(maxEvents ?? POLLED.usual, POLLED.most);
    const page = await readEvents(db, wanted, { after: start.after, upTo: start.newest, most });
    return {
      events: page.events.map(occurrenceOf),
      cursor: cursorOf(wanted, page.position),
      truncated: start.isTruncated,
      hasMore: page.hasMore,
      nextPollMs: NEXT_POLL_MS,
    };
  }

  get #owner() {
    return { accountId: this.#principal.accountId, maker: this.#principal.credential.id };
  }

  /** Asks a URL of which the maker has no subscription yet. A maker that has as many as it may asks nobody. */
  async #askReceiver(key: SubscriptionKey, secret: string): Promise<void> {
    const { db, clock, http } = this.#services;
    const now = clock.now();
    if (await hasAllItMay(db, key.maker, now)) throw tooMany();
    await consumeLimit(db, key.accountId, "receiver_checks", now);
    await refuseUnwilling(http, { url: key.url, secret, subscriptionId: subscriptionIdOf(key), now });
  }
}

const HEARING_SCOPES = [HEARING] as const;

export function wantedOf({ accountId, type, narrowing }: Wanted): Wanted {
  return { accountId, type, narrowing };
}

/** Real time of the oldest event that is wanted. */
export function notBeforeOf(maxAgeMs: number | null | undefined, now: number): number | undefined {
  return maxAgeMs === null || maxAgeMs === undefined ? undefined : now - maxAgeMs;
}

function unsupportedMode(value: string) {
  const message = "`delivery.mode` has to be webhook. For poll call events/poll, for push events/stream.";
  return eventsError("Unsupported", message, { feature: "deliveryMode", value });
}

function tooMany() {
  const max = SUBSCRIPTION_TERMS.perCredential;
  const message = `This credential has ${max} subscriptions, and that is the most. End one by events/unsubscribe first.`;
  return eventsError("ResourceExhausted", message, { limit: "subscriptions", max });
}

/** A host that has no address cannot be reached; another refusal is about the URL itself. */
function asCallbackError(thrown: unknown): never {
  if (!(thrown instanceof Refusal)) throw thrown;
  if (thrown.fields.reason === "unresolved")
    throw eventsError("CallbackEndpointError", thrown.message, { reason: "connection_refused" });
  throw eventsError("InvalidParams", `\`delivery.url\`: ${thrown.message}`);
}
