import type { PageReader } from "../preflight/report.ts";
import type { UpstreamFailure } from "../providers/failure.ts";
import type { Quota } from "../providers/quota.ts";

/**
 * The interfaces between the checker and the outside world: submitting URLs, checking whether Google has them, and
 * reading whether a page refuses indexing. Times are service ms.
 */

/** A host that an account has shown to be its own: what may be sent in its name. */
export interface OwnedSite {
  /** As in the URLs: lower case, with a port where it is not the scheme's own. */
  readonly host: string;
  readonly indexnowKey: string;
  /** Where the key file stands. */
  readonly keyUrl: string;
  /** By provider (`search_console`, `bing_webmaster`, `yandex_webmaster`): what it calls the host. */
  readonly connections: Readonly<Record<string, string>>;
}

/** The account's verified site that a URL belongs to, or null. */
export type Sites = (url: string) => OwnedSite | null;

/** Hands URLs to one search engine. */
export interface Submitter {
  /** One outcome per URL, in order. @throws UpstreamFailure when nothing of the batch was taken, AnswerPending */
  send(batch: SendBatch): Promise<SendOutcome[]>;
  /**
   * The same for a batch for which calls may have been made before a crash: looks up what became of them, and
   * never makes one again. Without this all of it is uncertain.
   */
  resume?(batch: SendBatch): Promise<SendOutcome[]>;
}

export interface SendBatch {
  readonly urls: readonly string[];
  /** When the batch was due: a sandbox answers as of then. */
  readonly asOf: number;
  readonly mode: "standard" | "instant";
  /** The sitemap that the project was read from. */
  readonly sitemapUrl: string | null;
  readonly sites: Sites;
  readonly journal: Journal;
}

/** The calls of one batch, written down before they are made. Indices are those of the batch's URLs. */
export interface Journal {
  /** Calls of earlier attempts at this batch, oldest first. */
  earlier(): Promise<readonly JournalledCall[]>;
  /**
   * Takes the units from the provider's budget and writes the call down, together and durably.
   * @returns the call, of as many URLs (from the first on) as the budget allows, or until when there is nothing to be had
   */
  begin(call: {
    provider: string;
    quota: Quota;
    indices: readonly number[];
  }): Promise<JournalledCall | { until: number }>;
  /** Writes down that the provider failed, while what came of the call is not known yet. */
  failed(call: JournalledCall, failure: UpstreamFailure): Promise<void>;
  /** Writes down what came of it; `failure` where nothing did. */
  end(call: JournalledCall, outcomes: readonly SendOutcome[], failure?: UpstreamFailure): Promise<void>;
}

export interface JournalledCall {
  readonly id: number;
  readonly provider: string;
  /** Names the call for ever, for upstreams that can be asked for it. */
  readonly reference: string;
  readonly indices: readonly number[];
  /** Service time. */
  readonly begunAt: number;
  /** Of an earlier attempt only its provider's channel knows it. */
  readonly quota: Quota | null;
  /** Null when the process went away before the answer came. */
  readonly outcomes: readonly SendOutcome[] | null;
}

export type SendOutcome =
  | { readonly kind: "accepted"; readonly provider: string; readonly detail?: string }
  /** The engine will never take this URL. */
  | { readonly kind: "rejected"; readonly provider: string; readonly detail?: string }
  /** It may have been taken: the answer was lost. */
  | { readonly kind: "uncertain"; readonly provider: string; readonly detail?: string }
  /** No provider of ours may submit this URL there, e.g. `host_not_verified`. */
  | { readonly kind: "skipped"; readonly provider: string; readonly detail: string }
  /** Not taken; may be tried again at `until`, or after our own backoff. */
  | { readonly kind: "deferred"; readonly provider: string; readonly until?: number; readonly detail?: string };

/** Checks whether Google has URLs. */
export interface Verifier {
  /** One outcome per link, in order. Never throws: what could not be asked is `unknown`. */
  check(batch: CheckBatch): Promise<CheckOutcome[]>;
}

export interface CheckBatch {
  readonly links: readonly { readonly url: string; readonly sentAt: number | null }[];
  readonly asOf: number;
  /** Whether the project is an instant one: its checks go first. */
  readonly isUrgent: boolean;
  readonly sites: Sites;
}

export interface CheckOutcome {
  readonly result: "indexed" | "not_indexed" | "unknown";
  /** Whether a verifier whose canaries passed could be asked about this link at all. */
  readonly available: boolean;
  readonly provider: string;
  readonly method: string;
  /** Whether the negative comes from the index itself, so that it needs no second check. */
  readonly authoritative?: boolean;
  /** What was found, in our words. */
  readonly reason?: string;
  readonly counts?: Readonly<Record<string, number>>;
}

export interface Engines {
  /** Null where nothing is configured. */
  readonly submitters: Readonly<Record<"google" | "bing" | "yandex", Submitter | null>>;
  readonly verifier: Verifier;
  readonly pages: PageReader;
  /** Whether they note themselves how their providers are doing (src/indexing/providers/); else the checker does. */
  readonly tracksProviders?: true;
}
