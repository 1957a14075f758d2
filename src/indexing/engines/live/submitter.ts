import type { EngineDetail } from "../../../domain/projects/evidence-codes.ts";
import { type Clock, DAY } from "../../../platform/clock.ts";
import { eachLimit, Semaphore } from "../../../platform/concurrency.ts";
import type { Hold } from "../../providers/book.ts";
import { AnswerPending, type FinalKind, isFinal, UpstreamFailure } from "../../providers/failure.ts";
import { holderOf } from "../../providers/quota.ts";
import type { JournalledCall, SendBatch, SendOutcome, Submitter } from "../engine.ts";
import type { Channel, Target } from "./channel.ts";

/**
 * Submits URLs to an engine through the first of its channels that accepts them and has quota left. Every call is
 * written to the journal before it is made. A URL is deferred if no channel accepts it now but one could later. A URL
 * that no channel ever accepts is skipped, with the reason.
 */
export function liveSubmitter(channels: readonly Channel[], clock: Clock): Submitter {
  const limited = channels.map(
    (channel): LimitedChannel => ({ channel, semaphore: new Semaphore(channel.concurrency) }),
  );
  return {
    send: (batch) => new BatchSubmission(limited, batch, clock).run([]),
    resume: async (batch) => new BatchSubmission(limited, batch, clock).run(await batch.journal.earlier()),
  };
}

/** How long a call whose answer was lost is looked up, in service ms. After that it counts as uncertain. */
const LOOK_UP_FOR = DAY;

/** Most calls for what was to be one. They are enough to find dozens of refused URLs among 500 and to send the others. */
const MAX_CALLS = 40;

/** A channel with the semaphore that limits its concurrent calls. */
interface LimitedChannel {
  readonly channel: Channel;
  readonly semaphore: Semaphore;
}

class BatchSubmission {
  readonly #channels: readonly LimitedChannel[];
  readonly #batch: SendBatch;
  readonly #clock: Clock;
  readonly #targets: readonly Target[];
  /** The outcome of each URL so far. Another channel may still accept a deferred or rejected URL. */
  readonly #outcomes: (SendOutcome | null)[];
  /** URLs of calls whose outcome is not known yet. */
  readonly #pending = new Set<number>();
  /** The URLs that a channel has rejected, as `channel index`. */
  readonly #rejected = new Set<string>();
  /** Why no channel accepts a URL: the first reason, but `host_not_verified` before any other. */
  readonly #reasons: (EngineDetail | null)[];

  constructor(channels: readonly LimitedChannel[], batch: SendBatch, clock: Clock) {
    this.#channels = channels;
    this.#clock = clock;
    this.#batch = batch;
    const { mode, sitemapUrl, sites } = batch;
    this.#targets = batch.urls.map((url) => ({ url, site: sites(url), mode, sitemapUrl }));
    this.#outcomes = batch.urls.map(() => null);
    this.#reasons = batch.urls.map(() => null);
  }

  async run(earlier: readonly JournalledCall[]): Promise<SendOutcome[]> {
    for (const call of earlier) await this.#resume(call);
    for (const limited of this.#channels) {
      const isOpen = (index: number) => this.#isOpen(index) && !this.#rejected.has(`${limited.channel.name} ${index}`);
      const open = this.#targets.flatMap((_, index) => (isOpen(index) ? [index] : []));
      await this.#submitThrough(limited, await this.#accepted(limited.channel, open));
    }
    if (this.#pending.size > 0) throw new AnswerPending();
    return this.#outcomes.map((outcome, index) => outcome ?? this.#skipped(index));
  }

  /** Whether another channel may still be tried. Another channel may accept a URL that one rejects or defers. */
  #isOpen(index: number): boolean {
    if (this.#pending.has(index)) return false;
    const outcome = this.#outcomes[index];
    return outcome === null || outcome?.kind === "deferred" || outcome?.kind === "rejected";
  }

  #skipped(index: number): SendOutcome {
    return { kind: "skipped", provider: "none", detail: this.#reasons[index] ?? "no_provider" };
  }

  /** Settles a call of an earlier attempt by its outcomes. If they are not known, it looks the call up. */
  async #resume(call: JournalledCall): Promise<void> {
    const { provider, indices } = call;
    if (call.outcomes) {
      this.#settle(indices, call.outcomes);
      return;
    }
    const channel = this.#channels.find((limited) => limited.channel.name === provider)?.channel;
    const known = { ...call, quota: channel?.quota(this.#targets[indices[0]!]!) ?? null };
    const outcome = channel ? await this.#lookUp(channel, known) : this.#lost(provider);
    if (outcome === "pending") return;
    await this.#end(known, outcome);
  }

  /** The URLs of `open` that the channel accepts. The reasons for refusing the others are kept. */
  async #accepted(channel: Channel, open: readonly number[]): Promise<number[]> {
    const accepted: number[] = [];
    await eachLimit(open, 8, async (index) => {
      const reason = await channel.refuses(this.#targets[index]!);
      if (reason === null) accepted.push(index);
      else if (reason === "no_provider") return;
      else if (this.#reasons[index] === null || reason === "host_not_verified") this.#reasons[index] = reason;
    });
    return accepted.sort((a, b) => a - b);
  }

  async #submitThrough({ channel, semaphore }: LimitedChannel, indices: readonly number[]): Promise<void> {
    const holds = new Map<string, Hold>();
    const isUrgent = this.#batch.mode === "instant";
    await eachLimit(this.#callsOf(channel, indices), channel.concurrency, async (whole) => {
      const holder = holderOf(channel.quota(this.#targets[whole[0]!]!), "access");
      const parts: (readonly number[])[] = [whole];
      for (let calls = 0; parts.length > 0; calls++) {
        if (calls === MAX_CALLS) return this.#held(parts.flat(), channel.name, {});
        const part = parts[0]!;
        const done = holds.get(holder) ?? (await semaphore.run(() => this.#call(channel, part), { isUrgent }));
        if ("until" in done) {
          holds.set(holder, done);
          return this.#held(parts.flat(), channel.name, done);
        }
        const left = part.filter((index) => !done.indices.includes(index));
        parts.splice(0, 1, ...done.again, ...(left.length > 0 ? [left] : []));
      }
    });
  }

  /**
   * Makes one call, for as many of the URLs as the quota allows. @returns its URLs, and the parts of them that are to
   * be sent again; or why no call may be made now
   */
  async #call(
    channel: Channel,
    indices: readonly number[],
  ): Promise<Hold | { indices: readonly number[]; again: readonly (readonly number[])[] }> {
    const quota = channel.quota(this.#targets[indices[0]!]!);
    const begun = await this.#batch.journal.begin({ provider: channel.name, quota, indices });
    return "until" in begun ? begun : { indices: begun.indices, again: await this.#make(channel, begun) };
  }

  /** Splits URLs into calls of at most the channel's batch size, and of one host and credential each if the channel requires it. */
  #callsOf(channel: Channel, indices: readonly number[]): number[][] {
    const size = (this.#batch.mode === "instant" ? channel.instantBatchSize : undefined) ?? channel.batchSize;
    const groups = new Map<string, number[]>();
    for (const index of indices) {
      const key = channel.perHost ? this.#holderOf(channel, index) : "";
      groups.set(key, [...(groups.get(key) ?? []), index]);
    }
    const parts: number[][] = [];
    for (const group of groups.values()) {
      for (let at = 0; at < group.length; at += size) parts.push(group.slice(at, at + size));
    }
    return parts;
  }

  /** In whose name a URL is sent, and by which credential: URLs of one call have the same. */
  #holderOf(channel: Channel, index: number): string {
    const target = this.#targets[index]!;
    return `${target.site?.host} ${holderOf(channel.quota(target), "access")}`;
  }

  /** @returns the parts in which the URLs are to be sent again, because smaller calls may be accepted */
  async #make(channel: Channel, call: JournalledCall): Promise<readonly (readonly number[])[]> {
    const { name: provider } = channel;
    try {
      const detail = await channel.send(this.#callFor(channel, call));
      await this.#end(call, { kind: "accepted", provider, ...(detail === null ? {} : { detail }) });
      return [];
    } catch (thrown) {
      if (!(thrown instanceof UpstreamFailure)) throw thrown;
      if (thrown.mayHaveArrived) {
        const outcome = await this.#lookUp(channel, call);
        if (outcome !== "pending") await this.#end(call, outcome, thrown);
        return [];
      }
      const parts = partsOf(call.indices, thrown);
      const divided: SendOutcome = { kind: "deferred", provider, detail: "divided" };
      if (parts.length === 0) await this.#end(call, notTaken(thrown), thrown);
      else await this.#batch.journal.end(call, new Array(call.indices.length).fill(divided));
      return parts;
    }
  }

  async #end(call: JournalledCall, outcome: SendOutcome, failure?: UpstreamFailure): Promise<void> {
    const outcomes = call.indices.map(() => outcome);
    await this.#batch.journal.end(call, outcomes, failure);
    this.#settle(call.indices, outcomes);
  }

  #callFor(channel: Channel, { indices, reference }: JournalledCall) {
    const { mode, sitemapUrl } = this.#batch;
    const urls = indices.map((index) => this.#targets[index]!.url);
    return { urls, site: channel.perHost ? this.#targets[indices[0]!]!.site : null, mode, sitemapUrl, reference };
  }

  /**
   * Looks up a call whose answer was lost. The call is made again only if the provider says that it never arrived.
   * While the provider cannot be asked, the whole batch waits, for a day at most.
   */
  async #lookUp(channel: Channel, call: JournalledCall): Promise<SendOutcome | "pending"> {
    const provider = channel.name;
    let arrived: boolean | null;
    try {
      arrived = (await channel.lookUp?.(this.#callFor(channel, call))) ?? null;
    } catch (thrown) {
      if (!(thrown instanceof UpstreamFailure)) throw thrown;
      await this.#batch.journal.failed(call, thrown);
      if (this.#clock.service() - call.begunAt >= LOOK_UP_FOR) return this.#lost(provider);
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

  #held(indices: readonly number[], provider: string, { until, reason = null }: Partial<Hold>): void {
    const outcome: SendOutcome = isFinal(reason)
      ? { kind: "rejected", provider, detail: reason }
      : { kind: "deferred", provider, detail: "held", ...(until === undefined ? {} : { until }) };
    this.#settle(
      indices,
      indices.map(() => outcome),
    );
  }

  /**
   * Stores outcomes. A URL that one channel defers is not refused, whatever another one says. If several channels
   * deferred it, the earliest time counts.
   */
  #settle(indices: readonly number[], outcomes: readonly SendOutcome[]): void {
    indices.forEach((index, at) => {
      const before = this.#outcomes[index];
      const outcome = outcomes[at]!;
      if (outcome.kind === "rejected") this.#rejected.add(`${outcome.provider} ${index}`);
      if (before?.kind !== "deferred" || isBetter(outcome, before)) this.#outcomes[index] = outcome;
    });
  }
}

function isBetter(outcome: SendOutcome, before: SendOutcome & { kind: "deferred" }): boolean {
  if (outcome.kind === "deferred") return retryTime(outcome) < retryTime(before);
  return outcome.kind !== "rejected";
}

/**
 * When a deferred URL is tried again. A deferral without a time comes first: our own backoff begins with a minute.
 */
function retryTime(outcome: SendOutcome & { kind: "deferred" }): number {
  return outcome.until ?? 0;
}

function notTaken({ provider, kind, retry, until }: UpstreamFailure): SendOutcome {
  if (retry === "never") return { kind: "rejected", provider, detail: kind as FinalKind };
  return { kind: "deferred", provider, detail: kind, ...(until === undefined ? {} : { until }) };
}

/**
 * The parts in which refused URLs are sent again: halves, to find the one that is refused, or as many as the quota
 * has left, and the others. None if smaller calls would be refused too.
 */
function partsOf(indices: readonly number[], { kind, concerns, left }: UpstreamFailure): (readonly number[])[] {
  const { length } = indices;
  const isQuota = kind === "quota";
  if (length === 1 || (!isQuota && concerns !== "url") || (isQuota && left === 0)) return [];
  const size = isQuota && left !== undefined && left < length ? left : Math.ceil(length / 2);
  return [indices.slice(0, size), indices.slice(size)];
}
