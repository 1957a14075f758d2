import type { Access } from "../../domain/projects/access.ts";
import type { CheckReason, EngineDetail } from "../../domain/projects/evidence-codes.ts";
import type { Crawl } from "../../domain/projects/facts.ts";
import type { SearchService } from "../../platform/search-services.ts";
import type { PageReader } from "../preflight/report.ts";
import type { Hold } from "../providers/book.ts";
import type { UpstreamFailure } from "../providers/failure.ts";
import type { Quota } from "../providers/quota.ts";

/**
 * The interfaces between the checker and the outside world: submitting URLs, checking whether Google has them, and
 * reading whether a page refuses indexing. Times are service ms.
 */

/**
 * A host that an account has verified, so that its pages may be submitted in its name, or of which it has pages in its own
 * Search Console or Bing Webmaster account.
 */
export interface OwnedSite {
  /** Written as in the URLs: lower case, with a port where it is not the default of the scheme. */
  readonly host: string;
  /** Null, as is the next one, where no key file was found. */
  readonly indexnowKey: string | null;
  /** URL at which the key file was found. */
  readonly keyUrl: string | null;
  /**
   * The provider's own name for the host, by provider (`search_console`, `bing_webmaster`, `yandex_webmaster`). Search
   * Console may have several, separated by spaces (live/google/properties.ts).
   */
  readonly connections: Readonly<Record<string, string>>;
  /** The host is not verified: only by `own` may something be done, and only for the pages that are in it. */
  readonly isUnverified?: true;
  /** Properties of the account's own connections that have pages of the host, the best first. */
  readonly own?: readonly OwnProperty[];
}

/** A property, or a site at Bing, that an account has connected by itself. */
export interface OwnProperty {
  readonly connectionId: string;
  readonly kind: SearchService;
  /** As the other side names it. */
  readonly name: string;
  /** Whether sitemaps may be handed over. */
  readonly takesSitemaps: boolean;
}

/** The account's verified site that a URL belongs to, or null. */
export type Sites = (url: string) => OwnedSite | null;

/** Submits URLs to one search engine. */
export interface Submitter {
  /**
   * Returns one outcome per URL, in order. @throws UpstreamFailure when nothing of the batch was accepted,
   * AnswerPending
   */
  send(batch: SendBatch): Promise<SendOutcome[]>;
  /**
   * Resumes a batch for which calls may have been made before a crash. It looks up what became of those calls and
   * never repeats one that may have arrived. Without this method the whole batch is uncertain.
   */
  resume?(batch: SendBatch): Promise<SendOutcome[]>;
}

export interface SendBatch {
  readonly urls: readonly string[];
  /** When the batch was due; the sandbox answers as of this time. */
  readonly asOf: number;
  readonly mode: "standard" | "instant";
  /** The sitemap that the project was read from. */
  readonly sitemapUrl: string | null;
  readonly sites: Sites;
  readonly journal: Journal;
}

/** Records the calls of one batch before they are made. Indices refer to the batch's URLs. */
export interface Journal {
  /** Calls of earlier attempts at this batch, oldest first. */
  earlier(): Promise<readonly JournalledCall[]>;
  /**
   * Takes units from the provider's quota and records the call, in one transaction.
   * @returns the call, with as many of the URLs (from the first on) as the quota allows, or why none may be made now
   */
  begin(call: { provider: string; quota: Quota; indices: readonly number[] }): Promise<JournalledCall | Hold>;
  /** Records that the provider failed, while the outcome of the call is not known yet. */
  failed(call: JournalledCall, failure: UpstreamFailure): Promise<void>;
  /** Records the outcomes of the call, and its failure if it failed as a whole. */
  end(call: JournalledCall, outcomes: readonly SendOutcome[], failure?: UpstreamFailure): Promise<void>;
}

export interface JournalledCall {
  readonly id: number;
  readonly provider: string;
  /** Id of the call, under which some upstreams can look it up. */
  readonly reference: string;
  readonly indices: readonly number[];
  /** Service time. */
  readonly begunAt: number;
  /** Null for a call of an earlier attempt: the channel of its provider knows the quota. */
  readonly quota: Quota | null;
  /** Null when the process ended before the answer came. */
  readonly outcomes: readonly SendOutcome[] | null;
}

export type SendOutcome =
  /** Rejected: the engine will never take this URL. */
  | { readonly kind: "accepted" | "rejected"; readonly provider: string; readonly detail?: EngineDetail }
  /** The URL may have been accepted, but the answer was lost. */
  | { readonly kind: "uncertain"; readonly provider: string; readonly detail?: EngineDetail }
  /** No configured provider may submit this URL there, e.g. `host_not_verified`. */
  | { readonly kind: "skipped"; readonly provider: string; readonly detail: EngineDetail }
  /** Not accepted now. It may be tried again at `until`, or after our own backoff. */
  | { readonly kind: "deferred"; readonly provider: string; readonly until?: number; readonly detail?: string };

/** Checks whether URLs are in Google's index. */
export interface Verifier {
  /** Returns one outcome per link, in order. Never throws: a link that could not be looked up is `unknown`. */
  check(batch: CheckBatch): Promise<CheckOutcome[]>;
}

export interface CheckBatch {
  readonly links: readonly { readonly url: string; readonly sentAt: number | null }[];
  readonly asOf: number;
  /** Whether the project is instant. Its checks go first. */
  readonly isUrgent: boolean;
  readonly sites: Sites;
}

export interface CheckOutcome {
  readonly result: "indexed" | "not_indexed" | "unknown";
  /** Whether a verifier that passed its canaries could look this link up. */
  readonly available: boolean;
  readonly provider: string;
  readonly method: string;
  /** Whether the result comes from the index itself, so that a negative needs no second check. */
  readonly authoritative?: boolean;
  /** What was found, in our words. */
  readonly reason?: CheckReason;
  readonly counts?: Readonly<Record<string, number>>;
  /** What the same answer says of the engine's last crawl of the page. */
  readonly crawl?: Crawl;
  /** Whom the page keeps out. The sandbox alone says it with a check; a live service has it of the preflight. */
  readonly access?: Access;
}

/** What Bing says about a page of a connected site. It decides nothing. */
export interface BingOutcome {
  readonly result: CheckOutcome["result"];
  /** Why there is no answer. */
  readonly reason?: string;
  readonly crawl?: Crawl;
}

/** Looks up whether Bing has pages of connected sites. */
export interface BingLookup {
  covers(site: OwnedSite): boolean;
  /** Returns one outcome per URL, in order. Never throws: a URL that could not be looked up is `unknown`. */
  check(batch: {
    readonly urls: readonly string[];
    readonly asOf: number;
    readonly sites: Sites;
  }): Promise<BingOutcome[]>;
}

export interface Engines {
  /** Null where no provider is configured. */
  readonly submitters: Readonly<Record<"google" | "bing" | "yandex", Submitter | null>>;
  readonly verifier: Verifier;
  /** None where no connection to Bing is configured. */
  readonly bing?: BingLookup | null;
  readonly pages: PageReader;
  /**
   * Whether the engines record the state of their providers themselves (src/indexing/providers/). Otherwise the
   * checker does.
   */
  readonly tracksProviders?: true;
}
