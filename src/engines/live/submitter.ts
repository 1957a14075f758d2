import {
  type JournalledCall,
  type OwnedSite,
  type SendBatch,
  type SendOutcome,
  type Submitter,
  UpstreamFailure,
} from "../engine.ts";
import type { Channel, Taken, Target } from "./channel.ts";
import { inTurns } from "./in-turns.ts";
import { Turnstile } from "./turnstile.ts";

/**
 * Hands URLs to an engine by the first of its channels that takes them and has budget left. Every call is in the
 * journal before it is made. What none can take now, but some could later, is deferred; what none ever takes is
 * skipped, with the reason.
 */
export function liveSubmitter(channels: readonly Channel[]): Submitter {
  const gates = channels.map((channel): Gate => ({ channel, turnstile: new Turnstile(channel.atOnce) }));
  return {
    send: (batch) => new HandOver(gates, batch).run([]),
    resume: async (batch) => new HandOver(gates, batch).run(await batch.journal.earlier()),
  };
}

interface Gate {
  readonly channel: Channel;
  readonly turnstile: Turnstile;
}

class HandOver {
  readonly #gates: readonly Gate[];
  readonly #batch: SendBatch;
  readonly #targets: readonly Target[];
  /** What is known of each URL; a deferred one may still be taken by another channel. */
  readonly #outcomes: (SendOutcome | null)[];
  /** Why a channel never takes a URL; the first word counts, unless the host is to blame. */
  readonly #reasons: (string | null)[];

  constructor(gates: readonly Gate[], batch: SendBatch) {
    this.#gates = gates;
    this.#batch = batch;
    const { mode, sitemapUrl, sites } = batch;
    this.#targets = batch.urls.map((url) => ({ url, site: sites(url), mode, sitemapUrl }));
    this.#outcomes = batch.urls.map(() => null);
    this.#reasons = batch.urls.map(() => null);
  }

  async run(earlier: readonly JournalledCall[]): Promise<SendOutcome[]> {
    for (const call of earlier) await this.#takeUp(call);
    for (const gate of this.#gates) {
      const open = this.#targets.flatMap((_, index) => (this.#isOpen(index) ? [index] : []));
      if (open.length === 0) break;
      await this.#through(gate, await this.#taken(gate.channel, open));
    }
    return this.#outcomes.map((outcome, index) => outcome ?? this.#skipped(index));
  }

  #isOpen(index: number): boolean {
    const outcome = this.#outcomes[index];
    return outcome === null || outcome?.kind === "deferred";
  }

  #skipped(index: number): SendOutcome {
    return { kind: "skipped", provider: "none", detail: this.#reasons[index] ?? "no_provider" };
  }

  /** A call of an earlier attempt: its outcome where that is known, else what a look-up says. */
  async #takeUp(call: JournalledCall): Promise<void> {
    const { provider, indices } = call;
    if (call.outcomes) {
      this.#settle(indices, call.outcomes);
      return;
    }
    const gate = this.#gates.find(({ channel }) => channel.name === provider);
    const outcome = gate ? await this.#lookUp(gate.channel, call) : this.#lost(provider);
    const outcomes = indices.map(() => outcome);
    await this.#batch.journal.end(call, outcomes);
    this.#settle(indices, outcomes);
  }

  /** Those of `open` that the channel takes; of the others the reason is kept. */
  async #taken(channel: Channel, open: readonly number[]): Promise<number[]> {
    const taken: number[] = [];
    await inTurns(open, 8, async (index) => {
      const reason = await channel.refuses(this.#targets[index]!);
      if (reason === null) taken.push(index);
      else if (this.#reasons[index] === null || reason === "host_not_verified") this.#reasons[index] = reason;
    });
    return taken.sort((a, b) => a - b);
  }

  async #through({ channel, turnstile }: Gate, indices: readonly number[]): Promise<void> {
    const closed = new Map<string, number>();
    const isUrgent = this.#batch.mode === "instant";
    await inTurns(this.#callsOf(channel, indices), channel.atOnce, async (part) => {
      const { name } = channel.pool(this.#targets[part[0]!]!);
      for (let left = part; left.length > 0; ) {
        const until = closed.get(name);
        const done = until === undefined ? await turnstile.pass(isUrgent, () => this.#call(channel, left)) : { until };
        if ("until" in done) {
          closed.set(name, done.until);
          this.#defer(left, channel.name, done.until);
          return;
        }
        left = left.filter((index) => !done.indices.includes(index));
      }
    });
  }

  /** A call for as many of the URLs as the budget allows; until when there is none otherwise. */
  async #call(channel: Channel, indices: readonly number[]): Promise<JournalledCall | { until: number }> {
    const pool = channel.pool(this.#targets[indices[0]!]!);
    const begun = await this.#batch.journal.begin({ provider: channel.name, pool, indices });
    if (!("until" in begun)) await this.#make(channel, begun);
    return begun;
  }

  /** Parts of at most a call's size, of one host each where the channel wants it. */
  #callsOf(channel: Channel, indices: readonly number[]): number[][] {
    const groups = new Map<OwnedSite | null, number[]>();
    for (const index of indices) {
      const key = channel.perHost ? this.#targets[index]!.site : null;
      groups.set(key, [...(groups.get(key) ?? []), index]);
    }
    const parts: number[][] = [];
    for (const group of groups.values()) {
      for (let at = 0; at < group.length; at += channel.batch) parts.push(group.slice(at, at + channel.batch));
    }
    return parts;
  }

  async #make(channel: Channel, call: JournalledCall): Promise<void> {
    const { journal } = this.#batch;
    try {
      const taken = await channel.send(this.#callFor(channel, call));
      const outcomes = taken.map((one) => named(one, channel.name));
      await journal.end(call, outcomes);
      this.#settle(call.indices, outcomes);
    } catch (thrown) {
      if (!(thrown instanceof UpstreamFailure)) throw thrown;
      const outcome = thrown.mayHaveArrived ? await this.#lookUp(channel, call) : this.#notTaken(thrown);
      const outcomes = call.indices.map(() => outcome);
      await journal.end(call, outcomes, thrown);
      this.#settle(call.indices, outcomes);
    }
  }

  #callFor(channel: Channel, { indices, reference }: JournalledCall) {
    const { mode, sitemapUrl } = this.#batch;
    const urls = indices.map((index) => this.#targets[index]!.url);
    return { urls, site: channel.perHost ? this.#targets[indices[0]!]!.site : null, mode, sitemapUrl, reference };
  }

  /** What became of a call whose answer was lost; it is never made again unless the provider says it never came. */
  async #lookUp(channel: Channel, call: JournalledCall): Promise<SendOutcome> {
    const provider = channel.name;
    const arrived = await Promise.resolve(channel.lookUp?.(this.#callFor(channel, call)) ?? null).catch((thrown) => {
      if (thrown instanceof UpstreamFailure) return null;
      throw thrown;
    });
    if (arrived === null) return this.#lost(provider);
    return arrived
      ? { kind: "accepted", provider, detail: "looked_up" }
      : { kind: "deferred", provider, detail: "not_arrived" };
  }

  #lost(provider: string): SendOutcome {
    return { kind: "uncertain", provider, detail: "answer_lost" };
  }

  #notTaken({ provider, kind, until }: UpstreamFailure): SendOutcome {
    return { kind: "deferred", provider, detail: kind, ...(until === undefined ? {} : { until }) };
  }

  #defer(indices: readonly number[], provider: string, until: number): void {
    const outcome: SendOutcome = { kind: "deferred", provider, until, detail: "held" };
    this.#settle(
      indices,
      indices.map(() => outcome),
    );
  }

  /** Of several channels that may take a URL later, the earliest counts. */
  #settle(indices: readonly number[], outcomes: readonly SendOutcome[]): void {
    indices.forEach((index, at) => {
      const before = this.#outcomes[index];
      const outcome = outcomes[at]!;
      const isLater = before?.kind === "deferred" && outcome.kind === "deferred" && when(before) <= when(outcome);
      if (!isLater) this.#outcomes[index] = outcome;
    });
  }
}

/** A deferral without a time is tried again after our own backoff, which begins with a minute. */
function when(outcome: SendOutcome & { kind: "deferred" }): number {
  return outcome.until ?? 0;
}

function named(taken: Taken, provider: string): SendOutcome {
  return { ...taken, provider };
}
