import type { PackedUrls } from "../../platform/urls/packed-urls.ts";
import type { Mode } from "../ledger/costs.ts";
import type { Spender } from "../spending/spender.ts";

interface Draft {
  readonly accountId: string;
  /** Normalised, without duplicates; at least one. */
  readonly urls: PackedUrls;
  readonly name?: string | undefined;
  /** Real time, for the ledger. */
  readonly now: number;
  /** Service time, for the project. */
  readonly service: number;
  /** Default: the operator, whom no budget limits. */
  readonly spender?: Spender;
  /** Days over which sending is spread; 0: at once. */
  readonly dripDays?: number;
  /** Whether each page is fetched and checked before it is sent; by default not. */
  readonly preflight?: boolean;
}

export interface IndexDraft extends Draft {
  readonly kind: "index";
  readonly mode: Mode;
  readonly bing: boolean;
  readonly yandex: boolean;
  readonly dripDays: number;
  /** Whether each URL is looked up before it is sent, and not sent if Google has it; default false. */
  readonly skipIndexed?: boolean;
  /** The sitemap that the URLs were read from. */
  readonly sitemapUrl?: string | undefined;
  /** Id of the project whose URLs are sent again. */
  readonly parentId?: string;
  /** Percentage of the URLs that are not sent, to be compared with the others. */
  readonly holdoutPercent?: number | undefined;
}

export interface CheckDraft extends Draft {
  readonly kind: "check";
  /** Whether its pages are held out of an experiment. */
  readonly isHeldOut?: boolean;
}
