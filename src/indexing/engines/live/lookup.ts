import type { Pool } from "../../providers/pool.ts";
import type { OwnedSite } from "../engine.ts";

/** A way to look whether Google has a URL: one provider's API. Budgets, canaries and breaker are the router's. */
export interface Looker {
  /** Provider as shown on checks: `url_inspection`, `serper`, `dataforseo`, `serpapi`. */
  readonly name: string;
  /** `url_inspection` or `serp`. */
  readonly method: string;
  /** Looks that may be under way at once. */
  readonly atOnce: number;
  /** Whether its answers count only while known pages are found and pages that cannot be are not. */
  readonly needsCanaries: boolean;
  /** Most units that one look takes from the budget. */
  readonly units: number;
  /** Whether it can be asked about this URL at all. */
  covers(url: string, site: OwnedSite | null): boolean;
  pool(site: OwnedSite | null): Pool;
  /** @throws UpstreamFailure */
  look(url: string, site: OwnedSite | null): Promise<Sighting>;
}

export interface Sighting {
  readonly result: "indexed" | "not_indexed" | "unknown";
  readonly authoritative?: boolean;
  /** Our word for what was seen, e.g. `crawled_not_indexed`, `no_match`. */
  readonly reason?: string;
  /** Small whole numbers: queries, results, matches. */
  readonly counts: Readonly<Record<string, number>>;
  /** Units that the look really took; at most `units`. */
  readonly used: number;
}
