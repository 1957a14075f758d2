import { randomUUID } from "node:crypto";
import { and, inArray } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";
import { type Clock, iso, MINUTE } from "../../platform/clock.ts";
import type { HttpClient } from "../../platform/http-client/http-client.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { type EventRow, eventId } from "../events/events.ts";
import { attemptDelivery } from "./attempt.ts";
import { hasAccess } from "./maker-access.ts";
import { recordAttempt } from "./outcome.ts";
import { claimDeliveries, type DeliveryRow, releaseDelivery } from "./queue.ts";
import { disableWebhook, secretsOf, type WebhookRow } from "./webhooks.ts";

/** Attempts that a process makes at a time: in all, to hosts that are slow, to one host, and for one account. */
const AT_ONCE = { all: 64, slow: 32, host: 8, account: 16 } as const;

/** A host whose last attempt took longer is slow, in ms. */
const SLOW_MS = 2_000;

/** How long a claim lasts; longer than any attempt. In ms. */
const LEASE = MINUTE;

export interface SenderDeps {
  readonly db: Engine;
  readonly clock: Clock;
  readonly http: HttpClient;
  readonly secretBox: SecretBox;
  readonly log: { error(details: object, message: string): void };
}

/**
 * Makes the attempts that are due. An attempt is noted after it was made: a process that is killed in between makes it
 * again, with the same id. A receiver that hangs holds up no other, since each host and each account has so many attempts
 * in hand, and slow hosts together have half of all.
 */
export class WebhookSender {
  readonly #deps: SenderDeps;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #hosts = new Map<string, number>();
  readonly #accounts = new Map<string, number>();
  readonly #slowHosts = new Set<string>();
  #draining: Promise<void> | null = null;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
  }

  /** Makes attempts until none is due, those included that become due meanwhile. */
  drain(): Promise<void> {
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = null;
    });
    return this.#draining;
  }

  /** Cuts off the attempts under way; other processes can make them at once. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#draining?.catch(() => undefined);
  }

  async #drain(): Promise<void> {
    try {
      while (!this.#stopping.signal.aborted) {
        const claimed = await this.#claim();
        if (claimed.length > 0) await this.#start(claimed);
        else if (this.#running.size === 0) return;
        else await Promise.race(this.#running);
      }
    } finally {
      await Promise.allSettled(this.#running);
    }
  }

  async #claim(): Promise<DeliveryRow[]> {
    const limit = AT_ONCE.all - this.#running.size;
    if (limit <= 0) return [];
    const { db, clock } = this.#deps;
    const now = clock.now();
    const areSlowFull = sum([...this.#slowHosts].map((host) => this.#hosts.get(host) ?? 0)) >= AT_ONCE.slow;
    const roomOf = ({ host, accountId }: { host: string; accountId: string }) =>
      Math.min(AT_ONCE.host - (this.#hosts.get(host) ?? 0), AT_ONCE.account - (this.#accounts.get(accountId) ?? 0));
    return claimDeliveries(db, {
      lease: randomUUID(),
      leaseUntil: now + LEASE,
      now,
      limit,
      roomOf,
      fullHosts: [...keysFrom(this.#hosts, AT_ONCE.host), ...(areSlowFull ? this.#slowHosts : [])],
      fullAccounts: keysFrom(this.#accounts, AT_ONCE.account),
    });
  }

  async #start(claimed: readonly DeliveryRow[]): Promise<void> {
    const { webhooks, events } = await this.#load(claimed);
    for (const delivery of claimed) {
      const webhook = webhooks.get(delivery.webhookId);
      const event = events.get(keyOf(delivery.accountId, delivery.eventNo));
      if (!webhook || !event) continue;
      const attempt = this.#attempt(webhook, delivery, event).finally(() => {
        this.#running.delete(attempt);
        add(this.#hosts, delivery.host, -1);
        add(this.#accounts, delivery.accountId, -1);
      });
      this.#running.add(attempt);
      add(this.#hosts, delivery.host, 1);
      add(this.#accounts, delivery.accountId, 1);
    }
  }

  async #load(claimed: readonly DeliveryRow[]) {
    const { q, t } = this.#deps.db;
    const ids = [...new Set(claimed.map(({ webhookId }) => webhookId))];
    const accounts = [...new Set(claimed.map(({ accountId }) => accountId))];
    const numbers = [...new Set(claimed.map(({ eventNo }) => eventNo))];
    const [webhooks, events] = await Promise.all([
      q.select().from(t.webhooks).where(inArray(t.webhooks.id, ids)),
      q
        .select()
        .from(t.events)
        .where(and(inArray(t.events.accountId, accounts), inArray(t.events.no, numbers))),
    ]);
    return {
      webhooks: new Map(webhooks.map((row) => [row.id, row])),
      events: new Map(events.map((row) => [keyOf(row.accountId, row.no), row])),
    };
  }

  async #attempt(webhook: WebhookRow, delivery: DeliveryRow, event: EventRow): Promise<void> {
    const { db, clock, http, secretBox, log } = this.#deps;
    const now = () => clock.now();
    try {
      if (!(await hasAccess(db, webhook, now()))) {
        await db.tx((tx) => disableWebhook(tx, webhook, "credential_ended", now()));
        return;
      }
      const at = now();
      const message = { id: eventId(event.accountId, event.no), at, body: bodyOf(event) };
      const secrets = secretsOf(secretBox, webhook, at);
      const { signal } = this.#stopping;
      const result = await attemptDelivery({ http, now }, { url: webhook.url, secrets, message, signal });
      if (signal.aborted && result.reason !== null) {
        await db.tx((tx) => releaseDelivery(tx, delivery));
        return;
      }
      this.#noteSpeed(delivery.host, result.ms);
      await db.tx((tx) => recordAttempt(tx, { webhook, delivery, result }, now()));
    } catch (err) {
      log.error({ err, webhook: webhook.id }, "a webhook was not delivered; it is tried again in a minute");
    }
  }

  #noteSpeed(host: string, ms: number): void {
    if (ms <= SLOW_MS) this.#slowHosts.delete(host);
    else if (this.#slowHosts.size < MAX_SLOW_HOSTS) this.#slowHosts.add(host);
  }
}

/** Slow hosts that are remembered. */
const MAX_SLOW_HOSTS = 10_000;

/** The body of Standard Webhooks 1.0. */
export function bodyOf({ type, at, data }: Pick<EventRow, "type" | "at" | "data">): string {
  return `{"type":${JSON.stringify(type)},"timestamp":"${iso(at)}","data":${data}}`;
}

function keyOf(accountId: string, no: number): string {
  return `${accountId} ${no}`;
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

function keysFrom(counts: ReadonlyMap<string, number>, least: number): string[] {
  return [...counts].filter(([, count]) => count >= least).map(([key]) => key);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
