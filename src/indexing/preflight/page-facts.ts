import type { Access, Agent } from "../../domain/projects/access.ts";
import { type Clock, MINUTE } from "../../platform/clock.ts";
import { Lru } from "../../platform/lru.ts";
import type { ContentSignal } from "./content-signal.ts";
import type { PageRefusal } from "./report.ts";
import type { PageWarning } from "./warnings.ts";

/** What is known about a page after fetching it, in our words. It contains none of the page's text. */
export interface PageFacts {
  /** HTTP status; null when no answer came. */
  readonly status: number | null;
  readonly refusal: PageRefusal | null;
  readonly warnings: readonly PageWarning[];
  /**
   * Whether the Google Indexing API accepts the page, as a job posting or a live video. Null if that was not checked.
   */
  readonly isEligible: boolean | null;
  /** What the page says of its indexing by crawlers; absent where no page was read. */
  readonly index?: {
    readonly noIndexFor: ReadonlySet<Agent>;
    /** Whether all of its rules were read, so that a crawler without one is let in. */
    readonly isRead: boolean;
    readonly signals: readonly ContentSignal[];
  };
  /** Whom robots.txt or the page keeps out. */
  readonly access?: Access;
  /** When the page was last changed, by its header Last-Modified. */
  readonly changedAt?: number;
  /** With `http_429`: the host's Retry-After, in ms. */
  readonly restMs?: number;
  /** Whether no answer came at all. The host's other pages probably give none either. */
  readonly isHostDown?: boolean;
}

export function refused(refusal: PageRefusal, status: number | null = null): PageFacts {
  return { status, refusal, warnings: [], isEligible: false };
}

export function onlyWarnings(...warnings: PageWarning[]): PageFacts {
  return { status: null, refusal: null, warnings, isEligible: false };
}

const TTL_MS = 10 * MINUTE;

/** The latest facts by URL, for `isEligible` right after a check. A new check fetches the page again. */
export class FactsCache {
  readonly #facts: Lru<PageFacts>;

  constructor(clock: Clock) {
    // URLs can be long, so their characters are limited too.
    this.#facts = new Lru(clock, { entries: 5_000, weight: 2_000_000 });
  }

  of(url: string): PageFacts | undefined {
    return this.#facts.get(url);
  }

  store(url: string, facts: PageFacts): void {
    this.#facts.set(url, facts, TTL_MS);
  }
}
