import { type Clock, SECOND } from "../../platform/clock.ts";
import type { HttpClient } from "../../platform/http-client/http-client.ts";
import { Lru } from "../../platform/lru.ts";
import { HostThrottle, PACE, type Pace } from "./host-throttle.ts";
import { PageCheck, type PreflightDeps } from "./page-check.ts";
import { FactsCache } from "./page-facts.ts";
import type { PageReader } from "./report.ts";
import { Robots } from "./robots.ts";

export interface PageReaderOptions {
  readonly http: HttpClient;
  readonly clock: Clock;
  /** Whether checks also look for structured data, so that `isEligible` need not fetch the page again. */
  readonly seeksPostings?: boolean;
  readonly pace?: Partial<Pace>;
  /** Time limit for one page, in ms. */
  readonly pageMs?: number;
  /** Pause before a missing page is requested once more, in ms. */
  readonly recheckMs?: number;
}

/** A page reader that also knows which pages the Google Indexing API accepts. */
export interface EligiblePageReader extends PageReader {
  /**
   * Whether a page is a job posting or a live video. False if it cannot be read. Right after a check of the page
   * nothing is fetched.
   */
  isEligible(url: string): Promise<boolean>;
}

const ONE_PAGE_MS = 30 * SECOND;

/**
 * Checks pages before they are sent, and when a verdict depends on whether a page refuses indexing. A process has one
 * reader, because the limits for a host apply to all checks together.
 */
export function createPageReader(options: PageReaderOptions): EligiblePageReader {
  const { http, clock, seeksPostings = true, pageMs = 15 * SECOND, recheckMs = 5 * SECOND } = options;
  const throttle = new HostThrottle({ ...PACE, ...options.pace });
  const facts = new FactsCache(clock);
  const restingHosts = new Lru<true>(clock, { entries: 5_000, weight: 1_000_000 });
  const robots = new Robots(http, throttle, clock);
  const deps: PreflightDeps = { http, clock, throttle, robots, facts, restingHosts, pageMs, recheckMs };
  return {
    check: (urls, deadline) => new PageCheck(deps, deadline, seeksPostings).run(urls),
    async isEligible(url) {
      if (typeof facts.of(url)?.isEligible !== "boolean")
        await new PageCheck(deps, clock.now() + ONE_PAGE_MS, true).run([url]);
      return facts.of(url)?.isEligible ?? false;
    },
  };
}
