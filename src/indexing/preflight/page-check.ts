import { setMaxListeners } from "node:events";
import { type Clock, MINUTE } from "../../platform/clock.ts";
import type { HttpClient } from "../../platform/http-client/http-client.ts";
import type { Lru } from "../../platform/lru.ts";
import { accessOf, keepsAgentsOut } from "./access.ts";
import type { HostThrottle } from "./host-throttle.ts";
import { readPage } from "./page.ts";
import { type FactsCache, onlyWarnings, type PageFacts, refused } from "./page-facts.ts";
import { pause } from "./pause.ts";
import type { PageReport } from "./report.ts";
import type { Robots } from "./robots.ts";
import type { PageWarning } from "./warnings.ts";

/** What all page checks of a process share. */
export interface PreflightDeps {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly throttle: HostThrottle;
  readonly robots: Robots;
  readonly facts: FactsCache;
  /** Hosts that answered 429 with Retry-After. They rest until the time that they named. */
  readonly restingHosts: Lru<true>;
  /** Time limit for one page, redirects and body included, in ms. */
  readonly pageMs: number;
  /** Pause before a missing page is requested once more, in ms. */
  readonly recheckMs: number;
}

/** A host within one check. Its name has a port where it is not the default. */
interface Host {
  /** The report for its pages that were not fetched. Set once the host is given up. */
  verdict: PageFacts | null;
  /** Aborted when the host is given up, or when the check has ended. */
  readonly ended: AbortController;
  /** Requests in a row without an answer. */
  failures: number;
}

/** After so many requests in a row without an answer, the host counts as down for this check. */
const MAX_FAILURES = 3;
const MAX_REST_MS = 10 * MINUTE;
const MAX_TIMER_MS = 2 ** 31 - 1;
const NOT_FETCHED: PageReport = { refusal: null, warnings: ["not_looked_at"] };

type Report = (facts: PageFacts) => void;

/** Checks a list of pages until a deadline. */
export class PageCheck {
  readonly #deps: PreflightDeps;
  readonly #deadline: number;
  readonly #seeksPosting: boolean;
  readonly #ended = new AbortController();
  readonly #hosts = new Map<string, Host>();

  /** @param deadline real ms */
  constructor(deps: PreflightDeps, deadline: number, seeksPosting: boolean) {
    this.#deps = deps;
    this.#deadline = deadline;
    this.#seeksPosting = seeksPosting;
    setMaxListeners(0, this.#ended.signal);
  }

  async run(urls: readonly string[]): Promise<PageReport[]> {
    const reports: PageReport[] = urls.map(() => NOT_FETCHED);
    const left = this.#deadline - this.#deps.clock.now();
    if (left <= 0) return reports;
    let timer: NodeJS.Timeout | undefined;
    const end = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.min(left, MAX_TIMER_MS));
    });
    const pages = urls.map((url, index) =>
      this.#page(url, ({ refusal, warnings, access, changedAt }) => {
        reports[index] = { refusal, warnings, ...(access && { access }), ...(changedAt && { changedAt }) };
      }),
    );
    try {
      await Promise.race([Promise.all(pages), end]);
      // A copy, because reports that arrive later must not change what was returned.
      return [...reports];
    } finally {
      clearTimeout(timer);
      this.#ended.abort();
      for (const { ended } of this.#hosts.values()) ended.abort();
    }
  }

  /** Calls `report` with the facts of a page, and again if a second request changes them. */
  async #page(url: string, report: Report): Promise<void> {
    const address = new URL(url);
    const host = this.#host(address.host);
    let isReported = false;
    const reportFirst: Report = (facts) => {
      isReported = true;
      report(facts);
    };
    try {
      this.#settle(url, await this.#facts(url, address, host, reportFirst), report);
    } catch (thrown) {
      if (!host.ended.signal.aborted) throw thrown;
      if (host.verdict && !isReported) this.#settle(url, host.verdict, report);
    }
  }

  #settle(url: string, facts: PageFacts, report: Report): void {
    if (this.#ended.signal.aborted) return;
    this.#deps.facts.store(url, facts);
    report(facts);
  }

  async #facts(url: string, address: URL, host: Host, report: Report): Promise<PageFacts> {
    if (host.verdict) return host.verdict;
    const robots = await this.#deps.robots.of(address);
    const path = address.pathname + address.search;
    if (!robots.rules.allows(path)) return { ...refused("robots_disallowed"), access: accessOf(robots, path, null) };
    const first = await this.#fetch(url, address, host);
    const facts = isGone(first) ? await this.#recheck(first, url, address, host, report) : first;
    const access = accessOf(robots, path, facts);
    const isClear = robots.isReached || facts.refusal !== null || facts.status === null;
    const more: PageWarning[] = [
      ...(isClear ? [] : ["robots_unreachable" as const]),
      ...(keepsAgentsOut(access) && facts.refusal === null ? ["agents_kept_out" as const] : []),
    ];
    return { ...facts, access, warnings: [...facts.warnings, ...more] };
  }

  /**
   * Requests a missing page once more. It may have been missing for a moment, while it was published or its server
   * restarted.
   */
  async #recheck(first: PageFacts, url: string, address: URL, host: Host, report: Report): Promise<PageFacts> {
    const once: PageFacts = { ...first, refusal: null, warnings: ["http_404"] };
    if (this.#deps.clock.now() + this.#deps.recheckMs >= this.#deadline) return once;
    report(once);
    await pause(this.#deps.recheckMs, host.ended.signal);
    // The second request goes before pages that were not requested yet: it is better to decide half of the list than
    // to half-decide all of it.
    const second = await this.#fetch(url, address, host, true);
    const isThere = second.status !== null && second.status < 300;
    return second.refusal || isThere ? second : { ...second, warnings: ["http_404", ...second.warnings] };
  }

  #fetch(url: string, address: URL, host: Host, isUrgent = false): Promise<PageFacts> {
    const { http, clock, throttle, pageMs } = this.#deps;
    const work = async () => {
      const signal = this.#ended.signal;
      const facts = await readPage(http, url, { clock, timeMs: pageMs, signal, seeksPosting: this.#seeksPosting });
      if (!signal.aborted) this.#updateHost(host, address.host, facts);
      return facts;
    };
    return throttle.run(address.hostname, work, { signal: host.ended.signal, isUrgent });
  }

  /** Gives a host up when the answer for one page is about all its pages. */
  #updateHost(host: Host, name: string, facts: PageFacts): void {
    host.failures = facts.isHostDown ? host.failures + 1 : 0;
    if (facts.warnings.includes("http_429")) {
      if (facts.restMs) this.#deps.restingHosts.set(name, true, Math.min(facts.restMs, MAX_REST_MS));
      this.#giveUp(host, onlyWarnings("http_429"));
    } else if (facts.refusal === "host_not_public" || host.failures >= MAX_FAILURES) this.#giveUp(host, facts);
  }

  #giveUp(host: Host, verdict: PageFacts): void {
    host.verdict ??= verdict;
    host.ended.abort();
  }

  #host(name: string): Host {
    const known = this.#hosts.get(name);
    if (known) return known;
    const verdict = this.#deps.restingHosts.get(name) ? onlyWarnings("http_429") : null;
    const host: Host = { verdict, ended: new AbortController(), failures: 0 };
    setMaxListeners(0, host.ended.signal);
    this.#hosts.set(name, host);
    return host;
  }
}

function isGone({ refusal }: PageFacts): boolean {
  return refusal === "http_404" || refusal === "http_410";
}
