import type { EngineDetail } from "../../../domain/projects/evidence-codes.ts";
import type { Lane } from "../../../domain/projects/states.ts";
import type { Quota } from "../../providers/quota.ts";
import type { OwnedSite } from "../engine.ts";

/**
 * One provider's API for submitting URLs to one search engine. The submitter adds quotas, the journal and the circuit
 * breaker.
 */
export interface Channel {
  /** Name of the provider as shown on links: `indexnow_bing`, `speedyindex`, … */
  readonly name: string;
  readonly lane: Lane;
  /** Most URLs of one call. */
  readonly batchSize: number;
  /** Most URLs of one call in instant mode, where it differs. */
  readonly instantBatchSize?: number;
  /** Calls that may run at once. */
  readonly concurrency: number;
  /** Whether all URLs of a call must belong to one host. */
  readonly perHost: boolean;
  /** Whether it also accepts URLs of deleted pages, to have them removed. */
  readonly takesDeletions?: true;
  /**
   * Why this channel never accepts the URL, e.g. `host_not_verified`, `not_eligible`; null if it does. `no_provider`: it is
   * for own connections, and the account has none.
   */
  refuses(target: Target): Promise<EngineDetail | null>;
  quota(target: Target): Quota;
  /**
   * Sends all URLs of a call in one request. @returns a detail of their acceptance, if there is one
   * @throws UpstreamFailure when none was accepted
   */
  send(call: ChannelCall): Promise<EngineDetail | null>;
  /** Whether a call whose answer was lost had arrived; null if that cannot be known. @throws UpstreamFailure */
  lookUp?(call: ChannelCall): Promise<boolean | null>;
}

export interface Target {
  readonly url: string;
  readonly site: OwnedSite | null;
  readonly mode: "standard" | "instant";
  readonly sitemapUrl: string | null;
}

export interface ChannelCall {
  readonly urls: readonly string[];
  /** The site of all URLs, if `perHost`. */
  readonly site: OwnedSite | null;
  readonly mode: "standard" | "instant";
  readonly sitemapUrl: string | null;
  readonly reference: string;
}
