import { type Clock, SECOND } from "../../platform/clock.ts";
import type { HttpClient } from "../../platform/http-client/http-client.ts";
import { Lru } from "../../platform/lru.ts";
import { Look, type Means } from "./page-check.ts";
import { FactsKept } from "./page-facts.ts";
import { PACE, type Pace, Politeness } from "./politeness.ts";
import type { PageReader } from "./report.ts";
import { Robots } from "./robots.ts";

export interface PageReaderParts {
  readonly http: HttpClient;
  readonly clock: Clock;
  /** Whether looks go on behind the head of a page for what isEligible asks; without, it fetches pages anew. */
  readonly seeksPostings?: boolean;
  readonly pace?: Partial<Pace>;
  /** For one page, in ms. */
  readonly pageMs?: number;
  /** Between two answers that a page is not there, in ms. */
  readonly againMs?: number;
}

/** Reads pages, and tells of them what the Google Indexing API wants to know. */
export interface EligiblePageReader extends PageReader {
  /**
   * Whether a page is a job posting or a live video; false also where it cannot be read. Right after a look at the
   * page nothing is fetched for it.
   */
  isEligible(url: string): Promise<boolean>;
}

const FOR_ONE_PAGE = 30 * SECOND;

/**
 * Looks at pages before they are sent, and when a verdict needs to know whether a page refuses indexing. One per
 * process: hosts are spared by all its looks together.
 */
export function createPageReader(parts: PageReaderParts): EligiblePageReader {
  const { http, clock, seeksPostings = true, pageMs = 15 * SECOND, againMs = 5 * SECOND } = parts;
  const politeness = new Politeness({ ...PACE, ...parts.pace });
  const facts = new FactsKept(clock);
  const resting = new Lru<true>(clock, { entries: 5_000, weight: 1_000_000 });
  const robots = new Robots(http, politeness, clock);
  const means: Means = { http, clock, politeness, robots, facts, resting, pageMs, againMs };
  return {
    look: (urls, deadline) => new Look(means, deadline, seeksPostings).at(urls),
    async isEligible(url) {
      if (typeof facts.of(url)?.isEligible !== "boolean")
        await new Look(means, clock.now() + FOR_ONE_PAGE, true).at([url]);
      return facts.of(url)?.isEligible ?? false;
    },
  };
}
