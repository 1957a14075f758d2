import type { CheckReason } from "../../../domain/projects/evidence-codes.ts";
import type { Crawl } from "../../../domain/projects/facts.ts";
import type { Quota } from "../../providers/quota.ts";
import type { OwnedSite } from "../engine.ts";

/**
 * One provider's API for looking up whether a URL is in Google's index. The verifier adds quotas, canaries and the
 * circuit breaker.
 */
export interface IndexLookup {
  /** Name of the provider as shown on checks: `url_inspection`, `serper`, `dataforseo`, `serpapi`. */
  readonly name: string;
  /** `url_inspection` or `serp`. */
  readonly method: string;
  /** Lookups that may run at once. */
  readonly concurrency: number;
  /** Whether an answer counts only while the canaries of the lookup pass (canaries.ts). */
  readonly needsCanaries: boolean;
  /** Most units of the quota that one lookup uses. */
  readonly maxUnits: number;
  /** Whether it can look this URL up. */
  covers(url: string, site: OwnedSite | null): boolean;
  /** @param url absent: where its quota is the same for all URLs of a site */
  quota(site: OwnedSite | null, url?: string): Quota;
  /** @throws UpstreamFailure */
  lookUp(url: string, site: OwnedSite | null): Promise<LookupResult>;
}

export interface LookupResult {
  readonly result: "indexed" | "not_indexed" | "unknown";
  readonly authoritative?: boolean;
  /** What was found, in our words, e.g. `crawled_not_indexed`, `no_match`. */
  readonly reason?: CheckReason;
  /** Numbers of queries, results and matches. */
  readonly counts: Readonly<Record<string, number>>;
  /** What the same answer says of Google's last crawl of the page. */
  readonly crawl?: Crawl;
  /** Units that the lookup used; at most `maxUnits`. */
  readonly unitsUsed: number;
}
