import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { setImmediate as nextTick } from "node:timers/promises";
import type { Engine } from "../../../db/engine.ts";
import { type Clock, HOUR, MINUTE } from "../../platform/clock.ts";
import type { HttpClient } from "../../platform/http-client/http-client.ts";
import { listenerOf } from "../credentials/listener.ts";
import { attemptDelivery } from "./attempt.ts";
import { type FinishedAttempt, recordAttempt } from "./outcome.ts";
import { claimDeliveries, type DeliveryRow, releaseDelivery } from "./queue.ts";
import type { DeliveryTarget, FindTargets } from "./target.ts";

/**
 * Most attempts that a process makes at a time: in all; to all hosts together that have not proved to be fast; to one such
 * host; to a host that has proved to be fast; for one account.
 */
const AT_ONCE = { all: 64, unproven: 32, unprovenHost: 2, host: 8, account: 16 } as const;

/** A host has proved to be fast when its last attempt took at most this long, in ms. */
const FAST_MS = 2_000;

/** How long a claim lasts; longer than any attempt. In ms. */
const LEASE = MINUTE;

export interface SenderDeps {
  readonly db: Engine;
  readonly clock: Clock;
  readonly http: HttpClient;
  /** The kinds of targets. */
  readonly targets: readonly FindTargets[];
  readonly log: { error(details: object, message: string): void };
}

/**
 * Makes the attempts that are due. An attempt is noted after it was made: a process that is killed in between makes it again,
 * with the same id. A receiver that hangs holds up no other, because the attempts to a host that has not proved to be fast, to
 * all such hosts, and for an account are limited (AT_ONCE).
 */
export class WebhookSender {
  readonly #deps: SenderDeps;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  /** Attempts that have ended so far. */
  #ended = 0;
  readonly #hosts = new Map<string, number>();
  readonly #accounts = new Map<string, number>();
  readonly #fastHosts = new Set<string>();
  readonly #finished: FinishedAttempt[] = [];
  #writing: Promise<void> | null = null;
  #draining: Promise<void> | null = null;
  /** Ends the wait for an attempt to end, because something may be due. */
  #wake: () => void = () => undefined;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
    // Each attempt under way listens.
    setMaxListeners(0, this.#stopping.signal);
  }

  /**
   * Makes attempts until none is due, including attempts that become due meanwhile. While attempts are under way, another call
   * looks at once for what has become due since.
   */
  drain(): Promise<void> {
    this.#wake();
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = null;
    });
    return this.#draining;
  }

  /** Cuts off the attempts under way; other processes can make them at once. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    await this.#draining?.catch(() => undefined);
  }

  async #drain(): Promise<void> {
    try {
      while (!this.#stopping.signal.aborted) {
        const ended = this.#ended;
        const woken = new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        const claimed = await this.#claim();
        if (claimed.length > 0) await this.#start(claimed);
        // An attempt that ended while the claim looked for room has made room that it did not see.
        else if (this.#ended !== ended) continue;
        else if (this.#running.size === 0) return;
        else await Promise.race([woken, ...this.#running]);
        // Attempts that were noted together end together, so that one claim follows for all of them.
        await nextTick();
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
    const unproven = [...this.#hosts].filter(([host]) => !this.#fastHosts.has(host));
    const leftForUnproven = AT_ONCE.unproven - sum(unproven.map(([, count]) => count));
    const mostOf = (host: string) => (this.#fastHosts.has(host) ? AT_ONCE.host : AT_ONCE.unprovenHost);
    const roomOf = ({ host, accountId }: { host: string; accountId: string }) =>
      Math.min(mostOf(host) - (this.#hosts.get(host) ?? 0), AT_ONCE.account - (this.#accounts.get(accountId) ?? 0));
    return claimDeliveries(db, {
      lease: randomUUID(),
      leaseUntil: now + LEASE,
      now,
      limit,
      roomOf,
      isUnproven: (host) => !this.#fastHosts.has(host),
      leftForUnproven,
      provenHosts: [...this.#fastHosts].filter((host) => (this.#hosts.get(host) ?? 0) < AT_ONCE.host),
      fullHosts: [...this.#hosts].filter(([host, count]) => count >= mostOf(host)).map(([host]) => host),
      fullAccounts: [...this.#accounts].filter(([, count]) => count >= AT_ONCE.account).map(([id]) => id),
    });
  }

  async #start(claimed: readonly DeliveryRow[]): Promise<void> {
    const { db, targets } = this.#deps;
    const found = await Promise.all(targets.map((find) => find(db, claimed)));
    for (const delivery of claimed) {
      const target = found.flatMap((one) => one.get(delivery.id) ?? [])[0];
      if (!target) continue;
      const attempt = this.#attempt(target, delivery).finally(() => {
        this.#running.delete(attempt);
        this.#ended += 1;
        add(this.#hosts, delivery.host, -1);
        add(this.#accounts, delivery.accountId, -1);
      });
      this.#running.add(attempt);
      add(this.#hosts, delivery.host, 1);
      add(this.#accounts, delivery.accountId, 1);
    }
  }

  async #attempt(target: DeliveryTarget, delivery: DeliveryRow): Promise<void> {
    const { db, clock, http, log } = this.#deps;
    const now = () => clock.now();
    try {
      const at = now();
      const { accountId } = delivery;
      const listener = await listenerOf(db, { accountId, maker: target.maker }, at);
      if (listener === "leaving") {
        // The owner may keep the account within a week.
        await db.tx((tx) => releaseDelivery(tx, delivery, at + HOUR));
        return;
      }
      const message = typeof listener === "string" ? null : await target.messageAt(at, listener);
      if (!message) {
        await db.tx((tx) => target.end(tx, now()));
        return;
      }
      const { signal } = this.#stopping;
      const result = await attemptDelivery({ http, now }, { url: target.url, at, ...message, signal });
      if (signal.aborted && result.reason !== null) {
        await db.tx((tx) => releaseDelivery(tx, delivery));
        return;
      }
      this.#noteSpeed(delivery.host, result.ms);
      await this.#write({ target, delivery, result });
    } catch (err) {
      log.error({ err, target: target.id }, "a message was not delivered; it is tried again in a minute");
    }
  }

  #noteSpeed(host: string, ms: number): void {
    if (ms > FAST_MS) this.#fastHosts.delete(host);
    else if (this.#fastHosts.size < MAX_FAST_HOSTS) this.#fastHosts.add(host);
  }

  /** Writes the result of an attempt, together with all attempts that end while others are being written. */
  async #write(finished: FinishedAttempt): Promise<void> {
    this.#finished.push(finished);
    while (this.#finished.includes(finished)) {
      this.#writing ??= this.#writeFinished().finally(() => {
        this.#writing = null;
      });
      await this.#writing;
    }
  }

  async #writeFinished(): Promise<void> {
    const { db, clock } = this.#deps;
    const finished = [...this.#finished];
    try {
      await db.tx(async (tx) => {
        for (const one of finished) await recordAttempt(tx, one, clock.now());
      });
    } finally {
      // What could not be written is attempted again when its claim ends.
      this.#finished.splice(0, finished.length);
    }
  }
}

/** Most fast hosts that are remembered. A claim asks for the fast hosts that have room. */
const MAX_FAST_HOSTS = 5_000;

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
