import type { Quota } from "../../providers/quota.ts";
import type { OwnedSite } from "../engine.ts";

/** Looks up whether Google has a URL, by one provider's API. The verifier adds budgets, canaries and the breaker. */
export interface IndexLookup {
  /** Provider as shown on checks: `url_inspection`, `serper`, `dataforseo`, `serpapi`. */
  readonly name: string;
  /** `url_inspection` or `serp`. */
  readonly method: string;
  /** Lookups that may run at once. */
  readonly concurrency: number;
  /** Whether its answers count only while its canaries pass (canaries.ts). */
  readonly needsCanaries: boolean;
  /** Most units that one lookup takes from the budget. */
  readonly maxUnits: number;
  /** Whether it can look this URL up at all. */
  covers(url: string, site: OwnedSite | null): boolean;
  quota(site: OwnedSite | null): Quota;
  /** @throws UpstreamFailure */
  lookUp(url: string, site: OwnedSite | null): Promise<LookupResult>;
}

export interface LookupResult {
  readonly result: "indexed" | "not_indexed" | "unknown";
  readonly authoritative?: boolean;
  /** What was found, in our words, e.g. `crawled_not_indexed`, `no_match`. */
  readonly reason?: string;
  /** Small whole numbers: queries, results, matches. */
  readonly counts: Readonly<Record<string, number>>;
  /** Units that the lookup really took; at most `units`. */
  readonly unitsUsed: number;
}
