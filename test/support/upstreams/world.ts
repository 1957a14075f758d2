import type { KeyObject } from "node:crypto";
import { SUBMISSION_PROVIDERS } from "../../../src/indexing/engines/live/submit/index.ts";
import { isIndexed } from "../../../src/indexing/engines/sandbox/fate.ts";
import { dayIn } from "../../../src/indexing/providers/calendar.ts";
import type { Clock } from "../../../src/platform/clock.ts";
import { DAY } from "../../../src/platform/clock.ts";
import type { Fault, Received, Reply } from "./fake.ts";
import { StripeAccount } from "./stripe-account.ts";

export interface Submission {
  readonly provider: string;
  readonly url: string;
  /** Service ms. */
  readonly at: number;
}

export interface GooglePerson {
  readonly subject: string;
  /** Properties with the permission. */
  readonly properties: Map<string, string>;
  /** Claims of the ID token in place of the right ones. */
  readonly claims?: object;
}

/**
 * State that all fake providers share: submissions, what Google has indexed, the credentials that are accepted, quotas,
 * and faults to simulate. Times are service time.
 */
export class World {
  readonly clock: Clock;
  /** The API key, token or password that a provider accepts. A provider without one here accepts none. */
  readonly keys = new Map<string, string>();
  /** Properties of the service account in Search Console, with its permission: `siteOwner`, `siteFullUser`, … */
  readonly properties = new Map<string, string>();
  /** Public keys of service accounts by their e-mail address. */
  readonly serviceAccounts = new Map<string, KeyObject>();
  /** People with a Google account, by their address: their properties are their own. */
  readonly googlePeople = new Map<string, GooglePerson>();
  /** Access tokens of Google: of a person, or of the service account. */
  readonly googleTokens = new Map<string, { readonly scope: string; readonly person: string | null }>();
  readonly googleRefreshTokens = new Map<string, { readonly scope: string; readonly person: string }>();
  /** Whose access was revoked, in order. */
  readonly googleRevoked: string[] = [];
  /** Sites of other Bing accounts, by their API key. */
  readonly bingAccounts = new Map<string, ReadonlySet<string>>();
  /** Sites of the Bing account, e.g. `https://example.com/`. */
  readonly bingSites = new Set<string>();
  /** What Bing has of pages, where it is not what Google has. */
  readonly bingPages = new Map<string, "indexed" | "crawled" | "unknown_to_bing">();
  /** Fields of `indexStatusResult` that URL Inspection answers for a page besides the usual ones. */
  readonly inspections = new Map<string, Readonly<Record<string, unknown>>>();
  /** Hosts of the Yandex account, e.g. `https:example.com:443`, and whether they are verified. */
  readonly yandexHosts = new Map<string, boolean>();
  /** Units a day by provider; without an entry there is no limit. */
  readonly quotas = new Map<string, number>();
  /** Credits left at a provider; without an entry there is no limit. */
  readonly credits = new Map<string, number>();
  /** URLs that providers refuse as invalid. */
  readonly invalid = new Set<string>();
  /** Runs on real time, as money does. */
  readonly stripe = new StripeAccount(() => Math.floor(this.clock.now() / 1000));
  readonly submissions: Submission[] = [];
  readonly #submittedAt = new Map<string, number>();
  readonly #decided = new Map<string, boolean | null>();
  readonly #taken = new Map<string, number>();
  readonly #faults: (Fault & { provider: string; left: number })[] = [];

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Records a submission of URLs to a provider. */
  recordSubmission(provider: string, urls: readonly string[]): void {
    const at = this.clock.service();
    for (const url of urls) {
      this.submissions.push({ provider, url, at });
      const isForGoogle = SUBMISSION_PROVIDERS[provider]?.lane === "google";
      if (isForGoogle && !this.#submittedAt.has(url)) this.#submittedAt.set(url, at);
    }
  }

  /** The URLs submitted to one provider, in order, with repetitions. */
  urlsSubmittedTo(provider: string): string[] {
    return this.submissions.filter((one) => one.provider === provider).map(({ url }) => url);
  }

  /** Decides whether Google has a URL; null: there is no reliable answer. */
  setIndexed(url: string, isInIndex: boolean | null): void {
    this.#decided.set(url, isInIndex);
  }

  /** Whether it was submitted to Google, or decided by `setIndexed`. */
  isKnown(url: string): boolean {
    return this.#decided.has(url) || this.#submittedAt.has(url);
  }

  /**
   * Whether Google has the URL now; null: there is no reliable answer. As `setIndexed` says, or else by the URL's fate
   * in the sandbox since it was first submitted to Google. A URL that was never submitted is not indexed, unless it
   * holds `?sandbox=`: then it counts as submitted 400 days ago.
   */
  isIndexed(url: string): boolean | null {
    const decided = this.#decided.get(url);
    if (decided !== undefined) return decided;
    const submittedAt = this.#submittedAt.get(url);
    if (submittedAt !== undefined) return isIndexed(url, this.clock.service() - submittedAt);
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

  /** Units left of today's quota. */
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
  faultOf({ provider, path, body, query }: Received): Fault | null {
    const text = [body, ...query.values()].join(" ");
    const fault = this.#faults.find(
      (one) =>
        one.provider === provider && one.left > 0 && path.includes(one.path ?? "") && text.includes(one.holding ?? ""),
    );
    if (!fault) return null;
    fault.left -= 1;
    return fault;
  }
}
