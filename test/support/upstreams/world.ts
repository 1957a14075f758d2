import type { KeyObject } from "node:crypto";
import { SUBMISSION_PROVIDERS } from "../../../src/indexing/engines/live/submit/index.ts";
import { isIndexed } from "../../../src/indexing/engines/sandbox/fate.ts";
import { dayIn } from "../../../src/indexing/providers/calendar.ts";
import type { Clock } from "../../../src/platform/clock.ts";
import { DAY } from "../../../src/platform/clock.ts";
import type { Fault, Reply } from "./fake.ts";
import { StripeAccount } from "./stripe-account.ts";

export interface Submission {
  readonly provider: string;
  readonly url: string;
  /** Service ms. */
  readonly at: number;
}

/**
 * What the fakes of the providers know together: who handed over what, what Google has, which credentials are good,
 * and what goes wrong. Times are those of the clock's service time.
 */
export class World {
  readonly clock: Clock;
  /** The API key, token or password that a provider takes. A provider without one here takes none. */
  readonly keys = new Map<string, string>();
  /** Properties of the service account in Search Console, with its permission: `siteOwner`, `siteFullUser`, … */
  readonly properties = new Map<string, string>();
  /** Public keys of service accounts by their e-mail address. */
  readonly serviceAccounts = new Map<string, KeyObject>();
  /** Sites of the Bing account, e.g. `https://example.com/`. */
  readonly bingSites = new Set<string>();
  /** Hosts of the Yandex account, e.g. `https:example.com:443`, and whether they are verified. */
  readonly yandexHosts = new Map<string, boolean>();
  /** Units a day by provider; one without an entry has no end. */
  readonly quotas = new Map<string, number>();
  /** Credits bought there by provider; one without an entry has no end. */
  readonly credits = new Map<string, number>();
  /** URLs that providers call invalid. */
  readonly invalid = new Set<string>();
  /** Runs on real time, as money does. */
  readonly stripe = new StripeAccount(() => Math.floor(this.clock.now() / 1000));
  readonly submissions: Submission[] = [];
  readonly #first = new Map<string, number>();
  readonly #known = new Map<string, boolean | null>();
  readonly #taken = new Map<string, number>();
  readonly #faults: (Fault & { provider: string; left: number })[] = [];

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Writes down that a provider was given URLs. */
  recordSubmission(provider: string, urls: readonly string[]): void {
    const at = this.clock.service();
    for (const url of urls) {
      this.submissions.push({ provider, url, at });
      const isForGoogle = SUBMISSION_PROVIDERS[provider]?.lane === "google";
      if (isForGoogle && !this.#first.has(url)) this.#first.set(url, at);
    }
  }

  /** The URLs handed over to one provider, in order, repeated ones too. */
  urlsSubmittedTo(provider: string): string[] {
    return this.submissions.filter((one) => one.provider === provider).map(({ url }) => url);
  }

  /** Settles by hand whether Google has a URL; null: no sound answer. */
  setIndexed(url: string, isThere: boolean | null): void {
    this.#known.set(url, isThere);
  }

  /** Whether it was handed over for Google, or settled by hand. */
  isKnown(url: string): boolean {
    return this.#known.has(url) || this.#first.has(url);
  }

  /**
   * Whether Google has the URL now; null: no sound answer. By hand (`know`); else by the fate of the sandbox, counted
   * from when it was first handed over for Google. One never handed over is not there, unless `?sandbox=` is written
   * in it: then it is as old as the hills.
   */
  isIndexed(url: string): boolean | null {
    const known = this.#known.get(url);
    if (known !== undefined) return known;
    const first = this.#first.get(url);
    if (first !== undefined) return isIndexed(url, this.clock.service() - first);
    return /[?&]sandbox=/.test(url) ? isIndexed(url, 400 * DAY) : false;
  }

  /** Takes units from a day's quota. @returns how many of `wanted` there were */
  takeQuota(provider: string, zone: string, wanted: number): number {
    const day = `${provider} ${dayIn(zone, this.clock.service())}`;
    const taken = this.#taken.get(day) ?? 0;
    const now = Math.min(wanted, (this.quotas.get(provider) ?? Number.POSITIVE_INFINITY) - taken);
    this.#taken.set(day, taken + now);
    return now;
  }

  /** What is left of today's quota. */
  quotaLeft(provider: string, zone: string): number {
    const day = `${provider} ${dayIn(zone, this.clock.service())}`;
    return (this.quotas.get(provider) ?? Number.POSITIVE_INFINITY) - (this.#taken.get(day) ?? 0);
  }

  /** Pays with credits. @returns whether there were enough; without enough none are taken */
  pay(provider: string, price: number): boolean {
    const left = this.credits.get(provider) ?? Number.POSITIVE_INFINITY;
    if (left < price) return false;
    this.credits.set(provider, left - price);
    return true;
  }

  /** From now on the provider fails like this, `times` times or until it is healed. The oldest fault shows first. */
  fail(provider: string, fault: Fault): void {
    this.#faults.push({ ...fault, provider, left: fault.times ?? Number.POSITIVE_INFINITY });
  }

  /** A documented answer in place of the work; the same as `fail` with an answer before acting. */
  answer(provider: string, answer: Reply, times = Number.POSITIVE_INFINITY): void {
    this.fail(provider, { answer, times });
  }

  /** Takes the faults of one provider away, or all of them. */
  heal(provider?: string): void {
    for (const fault of this.#faults) if (provider === undefined || fault.provider === provider) fault.left = 0;
  }

  /** The fault that a request meets; it is used up by that. For the server only. */
  faultOf(provider: string, path: string): Fault | null {
    const fault = this.#faults.find(
      (one) => one.provider === provider && one.left > 0 && (one.path === undefined || path.includes(one.path)),
    );
    if (!fault) return null;
    fault.left -= 1;
    return fault;
  }
}
