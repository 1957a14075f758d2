import { setMaxListeners } from "node:events";
import { type Clock, MINUTE } from "../../platform/clock.ts";
import type { HttpClient } from "../../platform/http-client/http-client.ts";
import type { Lru } from "../../platform/lru.ts";
import type { HostThrottle } from "./host-throttle.ts";
import { readPage } from "./page.ts";
import { type FactsCache, onlyWarnings, type PageFacts, refused } from "./page-facts.ts";
import { pause } from "./pause.ts";
import type { PageReport } from "./report.ts";
import type { Robots } from "./robots.ts";

/** What all page checks of one process share. */
export interface PreflightDeps {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly throttle: HostThrottle;
  readonly robots: Robots;
  readonly facts: FactsCache;
  /** Hosts that asked to be left alone. */
  readonly restingHosts: Lru<true>;
  /** For one page, redirects and body included, in ms. */
  readonly pageMs: number;
  /** Between two answers that a page is not there, in ms. */
  readonly recheckMs: number;
}

/** A host within one check, with its port where it is not the default one. */
interface Host {
  /** Once the host is given up: what is reported for its pages that were not fetched. */
  verdict: PageFacts | null;
  /** Aborted when the host is given up, or the check has ended. */
  readonly ended: AbortController;
  /** Requests in a row that got no answer. */
  failures: number;
}

/** After so many requests in a row without an answer the host counts as down for this check. */
const MOST_FAILURES = 3;
const LONGEST_REST = 10 * MINUTE;
const LONGEST_TIMER = 2 ** 31 - 1;
const NOT_LOOKED_AT: PageReport = { refusal: null, warnings: ["not_looked_at"] };

type Tell = (facts: PageFacts) => void;

/** Checks a list of pages, until its deadline at the latest. */
export class PageCheck {
  readonly #deps: PreflightDeps;
  readonly #deadline: number;
  readonly #seeksPosting: boolean;
  readonly #over = new AbortController();
  readonly #hosts = new Map<string, Host>();

  /** @param deadline real ms */
  constructor(deps: PreflightDeps, deadline: number, seeksPosting: boolean) {
    this.#deps = deps;
    this.#deadline = deadline;
    this.#seeksPosting = seeksPosting;
    setMaxListeners(0, this.#over.signal);
  }

  async run(urls: readonly string[]): Promise<PageReport[]> {
    const reports: PageReport[] = urls.map(() => NOT_LOOKED_AT);
    const left = this.#deadline - this.#deps.clock.now();
    if (left <= 0) return reports;
    let timer: NodeJS.Timeout | undefined;
    const end = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.min(left, LONGEST_TIMER));
    });
    const pages = urls.map((url, index) =>
      this.#page(url, ({ refusal, warnings }) => {
        reports[index] = { refusal, warnings };
      }),
    );
    try {
      await Promise.race([Promise.all(pages), end]);
      // A copy, because reports that arrive later must not change what was returned.
      return [...reports];
    } finally {
      clearTimeout(timer);
      this.#over.abort();
      for (const { ended } of this.#hosts.values()) ended.abort();
    }
  }

  /** Calls `tell` with what is known of a page, and again when more is known. */
  async #page(url: string, tell: Tell): Promise<void> {
    const address = new URL(url);
    const host = this.#host(address.host);
    let isTold = false;
    const tellOnce: Tell = (facts) => {
      isTold = true;
      tell(facts);
    };
    try {
      this.#settle(url, await this.#facts(url, address, host, tellOnce), tell);
    } catch (thrown) {
      if (!host.ended.signal.aborted) throw thrown;
      if (host.verdict && !isTold) this.#settle(url, host.verdict, tell);
    }
  }

  #settle(url: string, facts: PageFacts, tell: Tell): void {
    if (this.#over.signal.aborted) return;
    this.#deps.facts.keep(url, facts);
    tell(facts);
  }

  async #facts(url: string, address: URL, host: Host, tell: Tell): Promise<PageFacts> {
    if (host.verdict) return host.verdict;
    const { rules, isReached } = await this.#deps.robots.of(address);
    if (!rules.allows(address.pathname + address.search)) return refused("robots_disallowed");
    const first = await this.#visit(url, address, host);
    const facts = isGone(first) ? await this.#again(first, url, address, host, tell) : first;
    const isClear = isReached || facts.refusal !== null || facts.status === null;
    return isClear ? facts : { ...facts, warnings: [...facts.warnings, "robots_unreachable"] };
  }

  /** A page may be missing for a moment, while it is published or its server restarts: only a second request decides. */
  async #again(first: PageFacts, url: string, address: URL, host: Host, tell: Tell): Promise<PageFacts> {
    const once: PageFacts = { ...first, refusal: null, warnings: ["http_404"] };
    if (this.#deps.clock.now() + this.#deps.recheckMs >= this.#deadline) return once;
    tell(once);
    await pause(this.#deps.recheckMs, host.ended.signal);
    // Before pages never looked at: half the list decided is worth more than all of it half decided.
    const second = await this.#visit(url, address, host, true);
    const isThere = second.status !== null && second.status < 300;
    return second.refusal || isThere ? second : { ...second, warnings: ["http_404", ...second.warnings] };
  }

  #visit(url: string, address: URL, host: Host, isUrgent = false): Promise<PageFacts> {
    const { http, clock, throttle, pageMs } = this.#deps;
    const work = async () => {
      const signal = this.#over.signal;
      const facts = await readPage(http, url, { clock, timeMs: pageMs, signal, seeksPosting: this.#seeksPosting });
      if (!signal.aborted) this.#learn(host, address.host, facts);
      return facts;
    };
    return throttle.run(address.hostname, work, { signal: host.ended.signal, isUrgent });
  }

  /** Gives a host up where one page's answer was about all of them. */
  #learn(host: Host, name: string, facts: PageFacts): void {
    host.failures = facts.isHostDown ? host.failures + 1 : 0;
    if (facts.warnings.includes("http_429")) {
      if (facts.restMs) this.#deps.restingHosts.set(name, true, Math.min(facts.restMs, LONGEST_REST));
      this.#giveUp(host, onlyWarnings("http_429"));
    } else if (facts.refusal === "host_not_public" || host.failures >= MOST_FAILURES) this.#giveUp(host, facts);
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
