import { type Clock, DAY } from "../../../platform/clock.ts";
import { eachLimit, Semaphore } from "../../../platform/concurrency.ts";
import { AnswerPending, UpstreamFailure } from "../../providers/failure.ts";
import type { JournalledCall, OwnedSite, SendBatch, SendOutcome, Submitter } from "../engine.ts";
import type { Channel, ChannelOutcome, Target } from "./channel.ts";

/**
 * Hands URLs to an engine by the first of its channels that takes them and has budget left. Every call is in the
 * journal before it is made. What none can take now, but some could later, is deferred; what none ever takes is
 * skipped, with the reason.
 */
export function liveSubmitter(channels: readonly Channel[], clock: Clock): Submitter {
  const gates = channels.map((channel): Gate => ({ channel, semaphore: new Semaphore(channel.concurrency) }));
  return {
    send: (batch) => new BatchSubmission(gates, batch, clock).run([]),
    resume: async (batch) => new BatchSubmission(gates, batch, clock).run(await batch.journal.earlier()),
  };
}

/** How long a provider that cannot be asked is waited for, in service ms; then its calls count as uncertain. */
const LOOKED_UP_FOR = DAY;

interface Gate {
  readonly channel: Channel;
  readonly semaphore: Semaphore;
}

class BatchSubmission {
  readonly #gates: readonly Gate[];
  readonly #batch: SendBatch;
  readonly #clock: Clock;
  readonly #targets: readonly Target[];
  /** What is known of each URL; a deferred one may still be taken by another channel. */
  readonly #outcomes: (SendOutcome | null)[];
  /** URLs of calls of which nobody knows yet what became. */
  readonly #pending = new Set<number>();
  /** Channels and the URLs that they rejected. */
  readonly #rejected = new Set<string>();
  /** Why a channel never takes a URL; the first word counts, unless the host is to blame. */
  readonly #reasons: (string | null)[];

  constructor(gates: readonly Gate[], batch: SendBatch, clock: Clock) {
    this.#gates = gates;
    this.#clock = clock;
    this.#batch = batch;
    const { mode, sitemapUrl, sites } = batch;
    this.#targets = batch.urls.map((url) => ({ url, site: sites(url), mode, sitemapUrl }));
    this.#outcomes = batch.urls.map(() => null);
    this.#reasons = batch.urls.map(() => null);
  }

  async run(earlier: readonly JournalledCall[]): Promise<SendOutcome[]> {
    for (const call of earlier) await this.#takeUp(call);
    for (const gate of this.#gates) {
      const isOpen = (index: number) => this.#isOpen(index) && !this.#rejected.has(`${gate.channel.name} ${index}`);
      const open = this.#targets.flatMap((_, index) => (isOpen(index) ? [index] : []));
      await this.#through(gate, await this.#taken(gate.channel, open));
    }
    if (this.#pending.size > 0) throw new AnswerPending();
    return this.#outcomes.map((outcome, index) => outcome ?? this.#skipped(index));
  }

  /** What one channel rejects, another may take. */
  #isOpen(index: number): boolean {
    if (this.#pending.has(index)) return false;
    const outcome = this.#outcomes[index];
    return outcome === null || outcome?.kind === "deferred" || outcome?.kind === "rejected";
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
    const channel = this.#gates.find((gate) => gate.channel.name === provider)?.channel;
    const known = { ...call, quota: channel?.quota(this.#targets[indices[0]!]!) ?? null };
    const outcome = channel ? await this.#lookUp(channel, known) : this.#lost(provider);
    if (outcome === "pending") return;
    const outcomes = indices.map(() => outcome);
    await this.#batch.journal.end(known, outcomes);
    this.#settle(indices, outcomes);
  }

  /** Those of `open` that the channel takes; of the others the reason is kept. */
  async #taken(channel: Channel, open: readonly number[]): Promise<number[]> {
    const taken: number[] = [];
    await eachLimit(open, 8, async (index) => {
      const reason = await channel.refuses(this.#targets[index]!);
      if (reason === null) taken.push(index);
      else if (this.#reasons[index] === null || reason === "host_not_verified") this.#reasons[index] = reason;
    });
    return taken.sort((a, b) => a - b);
  }

  async #through({ channel, semaphore }: Gate, indices: readonly number[]): Promise<void> {
    const closed = new Map<string, number>();
    const isUrgent = this.#batch.mode === "instant";
    await eachLimit(this.#callsOf(channel, indices), channel.concurrency, async (part) => {
      const { name } = channel.quota(this.#targets[part[0]!]!);
      for (let left = part; left.length > 0; ) {
        const until = closed.get(name);
        const done =
          until === undefined ? await semaphore.run(() => this.#call(channel, left), { isUrgent }) : { until };
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
    const quota = channel.quota(this.#targets[indices[0]!]!);
    const begun = await this.#batch.journal.begin({ provider: channel.name, quota, indices });
    if (!("until" in begun)) await this.#make(channel, begun);
    return begun;
  }

  /** Parts of at most a call's size, of one host each where the channel wants it. */
  #callsOf(channel: Channel, indices: readonly number[]): number[][] {
    const size = (this.#batch.mode === "instant" ? channel.instantBatchSize : undefined) ?? channel.batchSize;
    const groups = new Map<OwnedSite | null, number[]>();
    for (const index of indices) {
      const key = channel.perHost ? this.#targets[index]!.site : null;
      groups.set(key, [...(groups.get(key) ?? []), index]);
    }
    const parts: number[][] = [];
    for (const group of groups.values()) {
      for (let at = 0; at < group.length; at += size) parts.push(group.slice(at, at + size));
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
      if (outcome === "pending") return;
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

  /**
   * What became of a call whose answer was lost; it is never made again unless the provider says it never came. While
   * the provider cannot be asked, the whole batch waits, for a day at most.
   */
  async #lookUp(channel: Channel, call: JournalledCall): Promise<SendOutcome | "pending"> {
    const provider = channel.name;
    let arrived: boolean | null;
    try {
      arrived = (await channel.lookUp?.(this.#callFor(channel, call))) ?? null;
    } catch (thrown) {
      if (!(thrown instanceof UpstreamFailure)) throw thrown;
      await this.#batch.journal.failed(call, thrown);
      if (this.#clock.service() - call.begunAt >= LOOKED_UP_FOR) return this.#lost(provider);
      for (const index of call.indices) this.#pending.add(index);
      return "pending";
    }
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
      if (outcome.kind === "rejected") this.#rejected.add(`${outcome.provider} ${index}`);
      const isLater = before?.kind === "deferred" && outcome.kind === "deferred" && when(before) <= when(outcome);
      if (!isLater) this.#outcomes[index] = outcome;
    });
  }
}

/** A deferral without a time is tried again after our own backoff, which begins with a minute. */
function when(outcome: SendOutcome & { kind: "deferred" }): number {
  return outcome.until ?? 0;
}

function named(taken: ChannelOutcome, provider: string): SendOutcome {
  return { ...taken, provider };
}
