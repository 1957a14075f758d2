import type { Lane } from "../../../domain/projects/states.ts";
import type { Quota } from "../../providers/quota.ts";
import type { OwnedSite } from "../engine.ts";

/** A way to hand URLs to one search engine: one provider's API. Budgets, journal and breaker are the router's. */
export interface Channel {
  /** Provider as shown on links: `indexnow_bing`, `speedyindex`, … */
  readonly name: string;
  readonly lane: Lane;
  /** Most URLs of one call. */
  readonly batchSize: number;
  /** The same in instant mode, where it differs. */
  readonly instantBatchSize?: number;
  /** Calls that may be under way at once. */
  readonly concurrency: number;
  /** Whether all URLs of a call must be of one host. */
  readonly perHost: boolean;
  /** Null: takes the URL. Else our word for why it never will, e.g. `host_not_verified`, `not_eligible`. */
  refuses(target: Target): Promise<string | null>;
  quota(target: Target): Quota;
  /** @throws UpstreamFailure when the call as a whole came to nothing */
  send(call: ChannelCall): Promise<readonly ChannelOutcome[]>;
  /** Whether a call whose answer was lost was acted on; null: nobody can tell. @throws UpstreamFailure */
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
  /** The site of them all, where `perHost`. */
  readonly site: OwnedSite | null;
  readonly mode: "standard" | "instant";
  readonly sitemapUrl: string | null;
  readonly reference: string;
}

/** What became of one URL of a call. `deferred`: not taken this time; `until` in service ms. */
export type ChannelOutcome =
  | { readonly kind: "accepted" | "rejected"; readonly detail?: string }
  | { readonly kind: "deferred"; readonly until?: number; readonly detail?: string };
