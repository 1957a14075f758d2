import { type Clock, MINUTE } from "../../platform/clock.ts";
import { Lru } from "../../platform/lru.ts";
import type { PageRefusal } from "./report.ts";
import type { PageWarning } from "./warnings.ts";

/** What was found out about a page, in our words; none of the page's own text. */
export interface PageFacts {
  /** Null when no answer came. */
  readonly status: number | null;
  readonly refusal: PageRefusal | null;
  readonly warnings: readonly PageWarning[];
  /** Whether it is a job posting or a live video, which alone the Google Indexing API takes; null: not looked for. */
  readonly isEligible: boolean | null;
  /** With `http_429`: how long the host wants to be left alone. */
  readonly restMs?: number;
  /** Nothing came back at all, which is likely to hold for the host's other pages too. */
  readonly isHostDown?: boolean;
}

export function refused(refusal: PageRefusal, status: number | null = null): PageFacts {
  return { status, refusal, warnings: [], isEligible: false };
}

export function onlyWarnings(...warnings: PageWarning[]): PageFacts {
  return { status: null, refusal: null, warnings, isEligible: false };
}

const AGE = 10 * MINUTE;

/** The latest facts by URL, for `isEligible` right after a check. A new check fetches the page again. */
export class FactsCache {
  readonly #facts: Lru<PageFacts>;

  constructor(clock: Clock) {
    // URLs can be long: 5,000 of ordinary length, or 2 million characters of them.
    this.#facts = new Lru(clock, { entries: 5_000, weight: 2_000_000 });
  }

  of(url: string): PageFacts | undefined {
    return this.#facts.get(url);
  }

  keep(url: string, facts: PageFacts): void {
    this.#facts.set(url, facts, AGE);
  }
}
