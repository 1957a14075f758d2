// biome-ignore-all format: generated
// Written by `npm run generate` from the operations in tools/.
import type { CallOptions } from "../call-options.ts";
import type { Account, Activity, Connection, Estimate, Event, Experiment, HostCoverage, LedgerEntry, Link, LinkWithChecks, NotificationReceipt, Order, Pricing, Project, Share, Site, SiteWithSecret, Spending, SpendingReport, Watch, WatchRun, Webhook, WebhookDelivery } from "./shapes.ts";

export type GetAccountInput = Record<string, never>;

export type GetAccountAnswer = Account;

export type GetSpendingInput = Record<string, never>;

export type GetSpendingAnswer = Spending;

export type GetPricingInput = Record<string, never>;

export type GetPricingAnswer = Pricing;

export interface EstimateCostInput {
  /** Which price (default: "standard") */
  kind?: "standard" | "instant" | "check" | undefined;
  /** Absolute; duplicates and invalid ones are dropped (at most 20000 items) */
  urls?: string[] | undefined;
  /** Instead of urls; without either, 1 (1 to 10000) */
  count?: number | undefined;
  /** To resubmit (at most 64 characters) */
  project_id?: string | undefined;
  /** Only for these reasons of get_report (at most 50 items) */
  reasons?: string[] | undefined;
  /** Ids of its links; absent: all not_indexed (at most 10000 items) */
  link_ids?: string[] | undefined;
  /** Percent held out as control (5 to 50) */
  holdout_percent?: number | undefined;
}

export type EstimateCostAnswer = Estimate;

export interface SubmitUrlsInput {
  /** Absolute; duplicates and invalid ones are dropped (at most 20000 items) */
  urls: string[];
  /** Credits per URL: standard 1, instant 3 (first in line) (default: "standard") */
  mode?: "standard" | "instant" | undefined;
  /** Default: the domain of the first URL (at most 120 characters) */
  name?: string | undefined;
  /** Send to Bing too (default: true) */
  bing?: boolean | undefined;
  /** Send to Yandex too (default: true) */
  yandex?: boolean | undefined;
  /** Spread sending over days (default: 0) */
  drip_days?: 0 | 3 | 7 | 14 | 30 | undefined;
  /** Do not send what Google has; 1 credit per 10 lookups (default: false) */
  skip_indexed?: boolean | undefined;
  /** Percent held out as control (5 to 50) */
  holdout_percent?: number | undefined;
}

export interface SubmitUrlsAnswer {
  project: Project;
  urls_accepted: number;
  invalid: number;
  duplicates: number;
  /** Up to 10 */
  invalid_examples: string[];
  credits_spent: number;
  balance: number;
  experiment?: {
    id: string;
    sent: number;
    held: number;
    credits: number;
  } | undefined;
}

export interface CheckUrlsInput {
  /** Absolute; duplicates and invalid ones are dropped (at most 20000 items) */
  urls: string[];
  /** Default: the domain of the first URL (at most 120 characters) */
  name?: string | undefined;
}

export interface CheckUrlsAnswer {
  project: Project;
  urls_accepted: number;
  invalid: number;
  duplicates: number;
  /** Up to 10 */
  invalid_examples: string[];
  credits_spent: number;
  balance: number;
}

export interface ReadSitemapInput {
  /** Sitemap, index, feed, or list of URLs; gzip or not (at most 2048 characters) */
  sitemap_url: string;
  /** Leave out URLs submitted before that did not fail (default: false) */
  skip_already_submitted?: boolean | undefined;
  /** URLs listed; 0 counts only (0 to 10000; default: 10000) */
  limit?: number | undefined;
  /** Number of URLs to skip (0 to 1000000; default: 0) */
  offset?: number | undefined;
}

export interface ReadSitemapAnswer {
  sitemap_url: string;
  format: "urlset" | "index" | "text" | "rss" | "atom";
  sitemaps_read: number;
  /** Could not be read; warnings say why */
  sitemaps_failed: number;
  urls_found: number;
  urls: string[];
  duplicates: number;
  invalid: number;
  modified: {
    dated: number;
    last_day: number;
    last_week: number;
    last_30_days: number;
  };
  /** Up to 10 */
  invalid_examples: {
    /** Place among the page entries, from 0 */
    position: number;
    /** Characters */
    length: number;
    reason: "empty" | "not_absolute" | "other_scheme" | "control_character" | "user_or_password" | "malformed" | "too_long" | "not_decodable" | "space_inside" | "more_cells" | "empty_cell";
  }[];
  already_submitted: number;
  /** There are more URLs */
  truncated: boolean;
  urls_remaining: number;
  /** Credits that submit_sitemap would spend */
  credits: {
    standard: number;
    instant: number;
  };
  warnings: string[];
}

export interface SubmitSitemapInput {
  /** Sitemap, index, feed, or list of URLs; gzip or not (at most 2048 characters) */
  sitemap_url: string;
  /** Leave out URLs submitted before that did not fail (default: false) */
  skip_already_submitted?: boolean | undefined;
  /** Credits per URL: standard 1, instant 3 (first in line) (default: "standard") */
  mode?: "standard" | "instant" | undefined;
  /** Default: the domain of the first URL (at most 120 characters) */
  name?: string | undefined;
  /** Send to Bing too (default: true) */
  bing?: boolean | undefined;
  /** Send to Yandex too (default: true) */
  yandex?: boolean | undefined;
  /** Spread sending over days (default: 0) */
  drip_days?: 0 | 3 | 7 | 14 | 30 | undefined;
  /** Do not send what Google has; 1 credit per 10 lookups (default: false) */
  skip_indexed?: boolean | undefined;
  /** Percent held out as control (5 to 50) */
  holdout_percent?: number | undefined;
}

export interface SubmitSitemapAnswer {
  /** null: nothing new */
  project: Project | null;
  urls_accepted: number;
  invalid: number;
  duplicates: number;
  /** Up to 10 */
  invalid_examples: {
    /** Place among the page entries, from 0 */
    position: number;
    /** Characters */
    length: number;
    reason: "empty" | "not_absolute" | "other_scheme" | "control_character" | "user_or_password" | "malformed" | "too_long" | "not_decodable" | "space_inside" | "more_cells" | "empty_cell";
  }[];
  credits_spent: number;
  balance: number;
  experiment?: {
    id: string;
    sent: number;
    held: number;
    credits: number;
  } | undefined;
  sitemap: {
    url: string;
    format: "urlset" | "index" | "text" | "rss" | "atom";
    sitemaps_read: number;
    urls_found: number;
  };
  warnings: string[];
  already_submitted: number;
  /** There are more URLs */
  truncated: boolean;
  /** URLs over the 10,000 of a project */
  urls_remaining: number;
}

export interface ListProjectsInput {
  /** Only this kind (default: "all") */
  kind?: "all" | "index" | "check" | undefined;
  /** Only with this status (default: "any") */
  status?: "any" | "active" | "completed" | undefined;
  /** Part of the name (at most 200 characters) */
  search?: string | undefined;
  /** With this tag */
  tag?: string | undefined;
  /** Archived ones (default: "all") */
  archived?: "hide" | "only" | "all" | undefined;
  /** Only of this key, app or agent */
  credential_id?: string | undefined;
  /** Order; - is descending (default: "-created") */
  sort?: "created" | "-created" | "name" | "-name" | "total" | "-total" | "indexed" | "-indexed" | "rate" | "-rate" | undefined;
  /** Page size (1 to 200; default: 50) */
  limit?: number | undefined;
  /** Records to skip (0 to 100000; default: 0) */
  offset?: number | undefined;
}

export interface ListProjectsAnswer {
  projects: Project[];
  has_more: boolean;
}

export interface GetProjectInput {
  /** prj_… (at most 64 characters) */
  project_id: string;
}

export type GetProjectAnswer = Project;

export interface ListLinksInput {
  /** prj_… (at most 64 characters) */
  project_id: string;
  /** Only with this status (default: "any") */
  status?: "any" | "waiting" | "checking" | "indexed" | "not_indexed" | "failed" | undefined;
  /** Part of the URL (at most 200 characters) */
  search?: string | undefined;
  /** Order; - is descending (default: "submitted") */
  sort?: "submitted" | "-submitted" | "url" | "-url" | "status" | "-status" | "checked" | "-checked" | undefined;
  /** Page size (1 to 500; default: 100) */
  limit?: number | undefined;
  /** Records to skip (0 to 100000; default: 0) */
  offset?: number | undefined;
}

export interface ListLinksAnswer {
  links: Link[];
  has_more: boolean;
}

export interface GetLinkInput {
  /** prj_… (at most 64 characters) */
  project_id: string;
  /** lnk_… (at most 64 characters) */
  link_id: string;
  /** Of crawls and visits (1 to 50; default: 50) */
  rows?: number | undefined;
}

export type GetLinkAnswer = LinkWithChecks;

export interface GetReportInput {
  /** prj_… (at most 64 characters) */
  project_id: string;
  /** Most rows of each list; the largest come first (1 to 100; default: 100) */
  rows?: number | undefined;
}

export interface GetReportAnswer {
  project_id: string;
  groups: {
    /** gone: found before, not now; unknown: no reliable answer */
    status: "waiting" | "checking" | "indexed" | "gone" | "not_indexed" | "unknown" | "failed";
    reason: string;
    /** Google's own where by is google */
    words: string;
    by: "google" | "beckon";
    count: number;
    /** Ids of the first 20 */
    links: string[];
    meaning: string;
    cause: string;
    next_step: string;
    who: "you" | "time" | "nobody";
    basis: "documented" | "observed";
    docs: string;
  }[];
  /** URLs by Bing's last word; null where it was not asked */
  bing: {
    indexed: number;
    not_indexed: number;
    unknown: number;
  } | null;
  /** Days from sending to the check that first found it */
  found_by_day: {
    day: number;
    count: number;
  }[];
  median_days: number | null;
  /** Since sending, by the engines' own tools and by verified visits */
  crawled: {
    google: {
      fetched: number;
      not_fetched: number;
      unknown: number;
    };
    bing: {
      fetched: number;
      not_fetched: number;
      unknown: number;
    };
  };
  by_host: {
    host: string;
    total: number;
    waiting: number;
    checking: number;
    indexed: number;
    gone: number;
    not_indexed: number;
    unknown: number;
    failed: number;
    /** (0 to 100) */
    rate: number | null;
    /** (0 to 100) */
    low: number | null;
    /** (0 to 100) */
    high: number | null;
    differs: "better" | "worse" | null;
  }[];
  by_folder: {
    folder: string;
    total: number;
    waiting: number;
    checking: number;
    indexed: number;
    gone: number;
    not_indexed: number;
    unknown: number;
    failed: number;
    /** (0 to 100) */
    rate: number | null;
    /** (0 to 100) */
    low: number | null;
    /** (0 to 100) */
    high: number | null;
    differs: "better" | "worse" | null;
  }[];
  /** Whether the searchers of agents came, by the site's own access logs; null where none were imported */
  searchers: {
    agent: string;
    /** Pages with a verified visit */
    pages: number;
    /** Pages where somebody only claims to be it */
    pages_unverified: number;
    /** The last verified visit */
    last_at: string | null;
  }[] | null;
}

export interface ResubmitInput {
  /** prj_… (at most 64 characters) */
  project_id: string;
  /** Only for these reasons of get_report (at most 50 items) */
  reasons?: string[] | undefined;
  /** Ids of its links; absent: all not_indexed (at most 10000 items) */
  link_ids?: string[] | undefined;
}

export interface ResubmitAnswer {
  project: Project;
  urls_accepted: number;
  invalid: number;
  duplicates: number;
  /** Up to 10 */
  invalid_examples: string[];
  credits_spent: number;
  balance: number;
  parent_id: string;
  left_out: {
    reason: string;
    count: number;
  }[];
}

export interface GetExperimentInput {
  /** exp_… (at most 64 characters) */
  experiment_id: string;
}

export type GetExperimentAnswer = Experiment;

export interface CancelLinksInput {
  /** prj_… (at most 64 characters) */
  project_id: string;
  /** Ids of its links; absent: every unsent one (at most 10000 items) */
  link_ids?: string[] | undefined;
}

export interface CancelLinksAnswer {
  project: Project;
  cancelled: number;
  credits_returned: number;
  balance: number;
}

export interface GetCoverageInput {
  /** Only this host, such as www.example.com (at most 2048 characters) */
  host?: string | undefined;
  /** How many days, up to today (1 to 400; default: 90) */
  days?: number | undefined;
  /** Page size (1 to 100; default: 20) */
  limit?: number | undefined;
  /** Records to skip (0 to 100000; default: 0) */
  offset?: number | undefined;
}

export interface GetCoverageAnswer {
  hosts: HostCoverage[];
  has_more: boolean;
}

export interface ListEventsInput {
  /** Id of the last event you have seen: evt_… (at most 64 characters) */
  after?: string | undefined;
  /** Only of this type (default: "any") */
  type?: "any" | "project.completed" | "links.settled" | "links.dropped" | "links.crawled" | "experiment.decided" | "credits.low" | "order.paid" | "order.refunded" | "site.verified" | "agent.connected" | "app.connected" | "member.joined" | "member.left" | "share.created" | "key.created" | "connection.failing" | "webhook.disabled" | "spending.approval_requested" | "spending.approval_decided" | "watch.ran" | "watch.held" | "watch.failing" | "watch.budget_spent" | "webhook.ping" | undefined;
  /** prj_… (at most 64 characters) */
  project_id?: string | undefined;
  /** Page size (1 to 200; default: 50) */
  limit?: number | undefined;
}

export interface ListEventsAnswer {
  events: Event[];
  has_more: boolean;
}

export interface AddSiteInput {
  /** Such as www.example.com, or a URL on it (at most 2048 characters) */
  host: string;
  /** true: a new key; the old one counts until its file is found (default: false) */
  rotate_key?: boolean | undefined;
  /** true: a new secret for push_url, which takes access logs (default: false) */
  rotate_push_secret?: boolean | undefined;
}

export type AddSiteAnswer = SiteWithSecret;

export interface ListSitesInput {
  /** Page size (1 to 200; default: 50) */
  limit?: number | undefined;
  /** Records to skip (0 to 100000; default: 0) */
  offset?: number | undefined;
}

export interface ListSitesAnswer {
  sites: Site[];
  has_more: boolean;
  connections: Connection[];
}

export interface NotifyUrlsInput {
  /** Absolute http(s) URLs of verified hosts. Duplicates and invalid entries are dropped and counted. (at most 1000 items) */
  urls: string[];
  /** updated: new or changed; deleted: gone, and answering 404 or 410 */
  event: "updated" | "deleted";
}

export interface NotifyUrlsAnswer {
  /** Valid URLs, each with a receipt */
  accepted: number;
  invalid: number;
  duplicates: number;
  /** Up to 10 */
  invalid_examples: string[];
  receipts: NotificationReceipt[];
}

export interface ImportVisitsInput {
  /** A verified host of add_site (at most 2048 characters) */
  host: string;
  /** The log: lines of the combined format, JSON lines, or a list of JSON objects, packed by gzip or not */
  log: string;
}

export interface ImportVisitsAnswer {
  /** Records of the log */
  lines: number;
  /** Visits of known crawlers to links of the account */
  matched: number;
  /** Of matched */
  verified: number;
  /** Of matched: somebody claims to be the crawler */
  unverified: number;
  /** Requests for other hosts; they are left out */
  other_hosts: number;
  /** Records in no known format, or with a time of the future or of more than 400 days ago */
  unreadable: number;
  /** true: this log was imported in the last 7 days, and nothing was changed */
  replayed: boolean;
  /** Of matched, the most first */
  agents: {
    agent: string;
    count: number;
    verified: number;
  }[];
}

export interface BuyCreditsInput {
  /** get_pricing lists them */
  pack: "basic" | "pro" | "premium" | "agency";
}

export interface BuyCreditsAnswer {
  order: Order;
  checkout_url: string;
  expires_at: string;
}

export interface ListLedgerInput {
  /** Page size (1 to 200; default: 50) */
  limit?: number | undefined;
  /** Records to skip (0 to 100000; default: 0) */
  offset?: number | undefined;
  /** Only of this key, app or agent */
  credential_id?: string | undefined;
}

export interface ListLedgerAnswer {
  entries: LedgerEntry[];
  has_more: boolean;
}

export interface ListOrdersInput {
  /** Only with this status (default: "any") */
  status?: "any" | "pending" | "paid" | "expired" | "failed" | "refunded" | "disputed" | undefined;
  /** Page size (1 to 200; default: 50) */
  limit?: number | undefined;
  /** Records to skip (0 to 100000; default: 0) */
  offset?: number | undefined;
}

export interface ListOrdersAnswer {
  orders: Order[];
  has_more: boolean;
}

export interface GetOrderInput {
  /** ord_… (at most 64 characters) */
  order_id: string;
}

export type GetOrderAnswer = Order;

export interface GetDirectPriceInput {
  /** get_pricing lists them (default: "basic") */
  pack?: "basic" | "pro" | "premium" | "agency" | undefined;
}

export type GetDirectPriceAnswer = Record<string, never>;

export interface PayDirectInput {
  /** get_pricing lists them */
  pack: "basic" | "pro" | "premium" | "agency";
}

export interface PayDirectAnswer {
  order: Order;
  /** Credits after the purchase */
  balance: number;
}

export interface WatchSitemapInput {
  /** To change one (at most 64 characters) */
  watch_id?: string | undefined;
  /** For a new one (at most 2048 characters) */
  sitemap_url?: string | undefined;
  /** Default: day */
  every?: "hour" | "day" | "week" | undefined;
  /** Default: submit */
  new_pages?: "submit" | "notify" | "list" | undefined;
  /** Default: notify */
  changed_pages?: "notify" | "submit" | "ignore" | undefined;
  /** Default: ignore */
  removed_pages?: "notify" | "ignore" | undefined;
  /** Like robots.txt (at most 50 items) */
  include?: string[] | undefined;
  /** Pages to leave out (at most 50 items) */
  exclude?: string[] | undefined;
  /** Default: standard */
  mode?: "standard" | "instant" | undefined;
  /** Default: 100 (1 to 10000) */
  most_per_run?: number | undefined;
  /** Default: 1000 (0 to 10000000) */
  credits_per_month?: number | undefined;
  /** Default: off */
  recheck?: "off" | "week" | "month" | undefined;
  /** Recheck until found */
  stop_when_indexed?: boolean | undefined;
  /** Default: baseline */
  first_run?: "baseline" | "submit" | undefined;
  /** New status */
  status?: "active" | "paused" | "stopped" | undefined;
  /** new: an address for a CMS to call when it publishes; off: ends it */
  hook?: "new" | "off" | undefined;
}

export interface WatchSitemapAnswer {
  watch: Watch;
  /** Shown once; HOOK_URL/HOOK_SECRET needs no signature */
  hook_secret: string | null;
}

export interface ListWatchesInput {
  /** Page size (1 to 200; default: 50) */
  limit?: number | undefined;
  /** Records to skip (0 to 100000; default: 0) */
  offset?: number | undefined;
}

export interface ListWatchesAnswer {
  watches: Watch[];
  has_more: boolean;
}

export interface GetWatchInput {
  /** Id of a watch: wat_… (at most 64 characters) */
  watch_id: string;
}

export interface GetWatchAnswer {
  watch: Watch;
  /** Newest first (at most 20 items) */
  runs: WatchRun[];
}

export interface RunWatchInput {
  /** Id of a watch: wat_… (at most 64 characters) */
  watch_id: string;
  /** Change and spend nothing (default: false) */
  dry_run?: boolean | undefined;
  /** Accept what has held the last run (default: false) */
  release?: boolean | undefined;
}

export interface RunWatchAnswer {
  run: WatchRun;
}

export interface SaveWebhookInput {
  /** Of the one to change: wh_…; default: a new one (at most 64 characters) */
  webhook_id?: string | undefined;
  /** https URL to POST events to; required for a new one (at most 2000 characters) */
  url?: string | undefined;
  /** Types of events; null: all, as in a new one (at most 23 items) */
  events?: ("project.completed" | "links.settled" | "links.dropped" | "links.crawled" | "experiment.decided" | "credits.low" | "order.paid" | "order.refunded" | "site.verified" | "agent.connected" | "app.connected" | "member.joined" | "member.left" | "share.created" | "key.created" | "connection.failing" | "webhook.disabled" | "spending.approval_requested" | "spending.approval_decided" | "watch.ran" | "watch.held" | "watch.failing" | "watch.budget_spent")[] | null | undefined;
  /** What it is for, in your words (at most 200 characters) */
  description?: string | undefined;
  /** paused keeps events until it is active again */
  status?: "active" | "paused" | undefined;
  /** Make a new secret; the old one signs too for 24 hours (default: false) */
  rotate_secret?: boolean | undefined;
  /** Send a test message; list_deliveries says how it went (default: false) */
  ping?: boolean | undefined;
}

export interface SaveWebhookAnswer {
  webhook: Webhook;
  secret: string | null;
}

export interface ListWebhooksInput {
  /** Page size (1 to 200; default: 50) */
  limit?: number | undefined;
  /** Records to skip (0 to 100000; default: 0) */
  offset?: number | undefined;
}

export interface ListWebhooksAnswer {
  webhooks: Webhook[];
  has_more: boolean;
}

export interface DeleteWebhookInput {
  /** Id of a webhook: wh_… (at most 64 characters) */
  webhook_id: string;
}

export type DeleteWebhookAnswer = Webhook;

export interface ListDeliveriesInput {
  /** Id of a webhook: wh_… (at most 64 characters) */
  webhook_id: string;
  /** Only with this status (default: "any") */
  status?: "any" | "pending" | "succeeded" | "failed" | undefined;
  /** Page size (1 to 200; default: 50) */
  limit?: number | undefined;
  /** Records to skip (0 to 100000; default: 0) */
  offset?: number | undefined;
}

export interface ListDeliveriesAnswer {
  deliveries: WebhookDelivery[];
  has_more: boolean;
}

export interface RedeliverEventInput {
  /** Id of a webhook: wh_… (at most 64 characters) */
  webhook_id: string;
  /** evt_…; this or since (at most 64 characters) */
  event_id?: string | undefined;
  /** ISO 8601 time: all events from then on */
  since?: string | undefined;
}

export interface RedeliverEventAnswer {
  queued: number;
}

export interface SearchInput {
  /** Part of a URL, name or host; or an id (at most 200 characters) */
  q: string;
  /** Page size (1 to 20; default: 20) */
  limit?: number | undefined;
}

export interface SearchAnswer {
  links: Link[];
  projects: Project[];
  sites: Site[];
  orders: Order[];
  complete: boolean;
}

export interface UpdateProjectInput {
  /** prj_… (at most 64 characters) */
  project_id: string;
  /** Empty: the domain of the first URL (at most 120 characters) */
  name?: string | undefined;
  /** All of its tags, such as the name of a client (at most 10 items) */
  tags?: string[] | undefined;
  /** Out of the lists of people who do not ask for it */
  archived?: boolean | undefined;
}

export interface UpdateProjectAnswer {
  project: Project;
  tags: string[];
  archived: boolean;
}

export interface GetSpendReportInput {
  /** How many UTC days, up to today (1 to 400; default: 30) */
  days?: number | undefined;
  /** Of credentials and projects: those that spent most (1 to 100; default: 20) */
  rows?: number | undefined;
}

export type GetSpendReportAnswer = SpendingReport;

export interface ListActivityInput {
  /** Only by this person (at most 64 characters) */
  person_id?: string | undefined;
  /** Only of this key, app or agent */
  credential_id?: string | undefined;
  /** Page size (1 to 200; default: 50) */
  limit?: number | undefined;
  /** Records to skip (0 to 100000; default: 0) */
  offset?: number | undefined;
}

export interface ListActivityAnswer {
  activity: Activity[];
  has_more: boolean;
}

export interface ShareResultsInput {
  /** prj_…; this or host (at most 64 characters) */
  project_id?: string | undefined;
  /** Such as www.example.com (at most 2048 characters) */
  host?: string | undefined;
  /** Default: the name of the project, or the host (at most 120 characters) */
  title?: string | undefined;
  /** Who shows it, such as your agency; default: nobody is named (at most 80 characters) */
  from?: string | undefined;
  /** Days until it ends (1 to 400; default: 30) */
  expires_in_days?: number | undefined;
}

export type ShareResultsAnswer = Share;

export interface ListSharesInput {
  /** Page size (1 to 200; default: 50) */
  limit?: number | undefined;
  /** Records to skip (0 to 100000; default: 0) */
  offset?: number | undefined;
}

export interface ListSharesAnswer {
  shares: Share[];
  has_more: boolean;
}

export interface DeleteShareInput {
  /** shr_… (at most 64 characters) */
  share_id: string;
}

export type DeleteShareAnswer = Share;

/** A method for each operation of the service. */
export interface Operations {
  /**
   * Returns how many credits are left, whether the account may index (`paid`), what this credential may do, today's usage and the limits.
   * `GET /account`; needs any credential.
   */
  getAccount(input?: GetAccountInput, options?: CallOptions): Promise<GetAccountAnswer>;
  /**
   * Returns how many credits this key, app or agent may spend in a call, today, this month and in total, and what is left.
   * `GET /spending`; needs any credential.
   */
  getSpending(input?: GetSpendingInput, options?: CallOptions): Promise<GetSpendingAnswer>;
  /**
   * Returns the prices of credit packs and of each kind of work, the days of the checks, and when credits are given back. Needs no credential.
   * `GET /pricing`; needs no credential.
   */
  getPricing(input?: GetPricingInput, options?: CallOptions): Promise<GetPricingAnswer>;
  /**
   * Says what indexing or checking would cost, and spends nothing: for URLs or a count. With a credential also whether the balance is enough.
   * `POST /estimate`; needs no credential.
   */
  estimateCost(input?: EstimateCostInput, options?: CallOptions): Promise<EstimateCostAnswer>;
  /**
   * Makes an indexing project, to submit pages to Google; its credits are spent at once. Google is checked on day 4 and day 14; credits of URLs not indexed by then are returned. estimate_cost tells the price; send an idempotency key when retrying. Follow it with get_project.
   * `POST /projects`; needs the scope index and a paid account.
   */
  submitUrls(input: SubmitUrlsInput, options?: CallOptions): Promise<SubmitUrlsAnswer>;
  /**
   * Looks whether Google has each URL, and sends nothing. One credit covers 10 URLs; credits for URLs not checked within 48 hours are returned.
   * `POST /checks`; needs the scope index and a paid account.
   */
  checkUrls(input: CheckUrlsInput, options?: CallOptions): Promise<CheckUrlsAnswer>;
  /**
   * Says how many pages a sitemap has and lists their URLs in document order, spending nothing; an index is followed one level deep. It tells what submit_sitemap would cost and, with skip_already_submitted, which URLs are new. At most 20 sitemaps are read in 10 minutes.
   * `POST /sitemaps/read`; needs the scope index.
   */
  readSitemap(input: ReadSitemapInput, options?: CallOptions): Promise<ReadSitemapAnswer>;
  /**
   * Submits the page URLs of a sitemap as submit_urls does. It takes the first 10,000; call again with skip_already_submitted until urls_remaining is 0. read_sitemap tells the price; send an idempotency key when retrying.
   * `POST /projects/from-sitemap`; needs the scope index and a paid account.
   */
  submitSitemap(input: SubmitSitemapInput, options?: CallOptions): Promise<SubmitSitemapAnswer>;
  /**
   * Lists the account's projects with their counts, index rate and credits.
   * `GET /projects`; needs the scope read.
   */
  listProjects(input?: ListProjectsInput, options?: CallOptions): Promise<ListProjectsAnswer>;
  /**
   * Returns one project: how many URLs are waiting or indexed, credits spent and returned, and whether it is completed.
   * `GET /projects/{project_id}`; needs the scope read.
   */
  getProject(input: GetProjectInput, options?: CallOptions): Promise<GetProjectAnswer>;
  /**
   * Lists the URLs of a project, each with its status, what each engine answered and its checks. `status: not_indexed` lists those whose credits were returned; error_message says why.
   * `GET /projects/{project_id}/links`; needs the scope read.
   */
  listLinks(input: ListLinksInput, options?: CallOptions): Promise<ListLinksAnswer>;
  /**
   * Returns one URL of a project with the evidence of its checks. error_message says why it failed or is not indexed.
   * `GET /projects/{project_id}/links/{link_id}`; needs the scope read.
   */
  getLink(input: GetLinkInput, options?: CallOptions): Promise<GetLinkAnswer>;
  /**
   * Groups the URLs of a project by what was found and why: in Google's own words where it says why (sites connected to Search Console), else in ours. Pages that are gone, and pages without a reliable answer, are groups of their own. Also counts them by host and by folder.
   * `GET /projects/{project_id}/report`; needs the scope read.
   */
  getReport(input: GetReportInput, options?: CallOptions): Promise<GetReportAnswer>;
  /**
   * Sends not_indexed URLs once more, in a new project; credits are spent at once. Mend them first, by get_report. URLs that refused indexing when last read, are under way, or were indexed since are left out. estimate_cost tells the price.
   * `POST /projects/{project_id}/resubmit`; needs the scope index and a paid account.
   */
  resubmit(input: ResubmitInput, options?: CallOptions): Promise<ResubmitAnswer>;
  /**
   * Says whether sending has made a difference: of a submission with holdout_percent, it compares the URLs that were sent with the control that was held out. Counts and verdict are null until both had their check of day 14.
   * `GET /experiments/{experiment_id}`; needs the scope read.
   */
  getExperiment(input: GetExperimentInput, options?: CallOptions): Promise<GetExperimentAnswer>;
  /**
   * Cancels URLs of a project that were not sent yet and returns their credits: those in link_ids, or all. Calling again cancels 0.
   * `POST /projects/{project_id}/cancel`; needs the scope index.
   */
  cancelLinks(input: CancelLinksInput, options?: CallOptions): Promise<CancelLinksAnswer>;
  /**
   * For each host, day by day: how much of it is in Google; now also how much is not and why, how much has no verdict, and how long it took. A URL counts once, by its newest verdict, whichever project, check or watch it came from.
   * `GET /coverage`; needs the scope read.
   */
  getCoverage(input?: GetCoverageInput, options?: CallOptions): Promise<GetCoverageAnswer>;
  /**
   * Lists the account's events of the last 30 days, oldest first: projects completed, links settled or dropped, credits low, orders, sites, new credentials. Pass the id of the last event you have seen as `after` to get only what is new.
   * `GET /events`; needs the scope read.
   */
  listEvents(input?: ListEventsInput, options?: CallOptions): Promise<ListEventsAnswer>;
  /**
   * Registers a host as the account's own, so that pages can be sent in its name. The first call returns the key file to place there; next_step says what to do.
   * `POST /sites`; needs the scope index.
   */
  addSite(input: AddSiteInput, options?: CallOptions): Promise<AddSiteAnswer>;
  /**
   * Lists the account's hosts: whether each is verified, its key file, and what sends for it.
   * `GET /sites`; needs the scope read.
   */
  listSites(input?: ListSitesInput, options?: CallOptions): Promise<ListSitesAnswer>;
  /**
   * Tells Bing and Yandex at once that pages of verified sites have changed or are gone; it costs no credits, creates no project, and sends nothing to Google. URLs of other hosts are skipped (add_site verifies one). At most 10,000 URLs a day. Calling again does no harm: repeat what has failed later.
   * `POST /notifications`; needs the scope index.
   */
  notifyUrls(input: NotifyUrlsInput, options?: CallOptions): Promise<NotifyUrlsAnswer>;
  /**
   * Reads an access log of a verified site, and keeps for each link which crawlers came, when, how often and with which status: Googlebot, bingbot, OAI-SearchBot, Claude-SearchBot, PerplexityBot and others. A crawler is verified by the networks that its operator publishes, or by its name in DNS; all others only say who they are. IP addresses are not kept. The same log again changes nothing.
   * `POST /sites/{host}/visits`; needs the scope index.
   */
  importVisits(input: ImportVisitsInput, options?: CallOptions): Promise<ImportVisitsAnswer>;
  /**
   * Creates a payment link for a pack of credits. Give checkout_url to your user, who pays on that page; nothing is charged before. Then read get_order until its status is paid.
   * `POST /checkout`; needs the scope purchase.
   */
  buyCredits(input: BuyCreditsInput, options?: CallOptions): Promise<BuyCreditsAnswer>;
  /**
   * Lists every change of the credit balance, newest first: purchases, spends, returns (an entry for each cause) and adjustments.
   * `GET /ledger`; needs the scope read.
   */
  listLedger(input?: ListLedgerInput, options?: CallOptions): Promise<ListLedgerAnswer>;
  /**
   * Lists the account's purchases of credits, newest first, with their status and payment link.
   * `GET /orders`; needs the scope read.
   */
  listOrders(input?: ListOrdersInput, options?: CallOptions): Promise<ListOrdersAnswer>;
  /**
   * Returns one purchase of credits: its status, and the payment link while it is open.
   * `GET /orders/{order_id}`; needs the scope read.
   */
  getOrder(input: GetOrderInput, options?: CallOptions): Promise<GetOrderAnswer>;
  /**
   * Answers 402 with the price of a credit pack, to be paid in a dollar stablecoin from a wallet: PAYMENT-REQUIRED (x402 version 2) and WWW-Authenticate: Payment. Charges nothing, and ignores any payment sent with it. To pay, sign the offer and send it to pay_direct.
   * `GET /credits/x402`; needs no credential.
   */
  getDirectPrice(input?: GetDirectPriceInput, options?: CallOptions): Promise<GetDirectPriceAnswer>;
  /**
   * Buys a credit pack with a signed payment of a dollar stablecoin (x402 version 2, scheme exact, EIP-3009). Without a payment it answers with the price; sign that and repeat the call with the payment. settlement_pending: the outcome is not known yet; repeat the same payment, never a new one.
   * `POST /credits/x402`; needs the scope purchase.
   */
  payDirect(input: PayDirectInput, options?: CallOptions): Promise<PayDirectAnswer>;
  /**
   * Reads a sitemap again and again: submits new pages, announces changed ones.
   * `POST /watches`; needs the scope index and a paid account.
   */
  watchSitemap(input?: WatchSitemapInput, options?: CallOptions): Promise<WatchSitemapAnswer>;
  /**
   * Lists the sitemaps that the account watches, newest first: when each runs next, what it has spent this month, what a month is estimated to cost, and whether it is held.
   * `GET /watches`; needs the scope read.
   */
  listWatches(input?: ListWatchesInput, options?: CallOptions): Promise<ListWatchesAnswer>;
  /**
   * Returns one watch with its newest 20 runs: how the sitemap differed from what was known, what was submitted and spent, and why a run was held or failed.
   * `GET /watches/{watch_id}`; needs the scope read.
   */
  getWatch(input: GetWatchInput, options?: CallOptions): Promise<GetWatchAnswer>;
  /**
   * Reads the sitemap of a watch at once, such as after a deployment, and submits what is new, within the limits of the watch and as the credential that made it. With dry_run it only tells what it would do and spend. release continues a run that was held, for whoever may change the watch. Call it again with the same idempotency key when unsure whether it was done.
   * `POST /watches/{watch_id}/run`; needs the scope index and a paid account.
   */
  runWatch(input: RunWatchInput, options?: CallOptions): Promise<RunWatchAnswer>;
  /**
   * Adds a webhook, or changes one: events of the account are POSTed to its URL as they happen, signed as Standard Webhooks 1.0 describes. The secret is in the answer once, when it is made. A webhook belongs to the credential that made it, and ends with it. At most 10 an account.
   * `POST /webhooks`; needs the scope index and the scope read.
   */
  saveWebhook(input?: SaveWebhookInput, options?: CallOptions): Promise<SaveWebhookAnswer>;
  /**
   * Lists the webhooks of the account, newest first, each with its status and how its last deliveries went. Of those that another credential made, only the origin of the URL is shown.
   * `GET /webhooks`; needs the scope read.
   */
  listWebhooks(input?: ListWebhooksInput, options?: CallOptions): Promise<ListWebhooksAnswer>;
  /**
   * Deletes a webhook and the record of its deliveries, and answers it as it was. Nothing more is sent to it; events stay in list_events.
   * `DELETE /webhooks/{webhook_id}`; needs the scope index.
   */
  deleteWebhook(input: DeleteWebhookInput, options?: CallOptions): Promise<DeleteWebhookAnswer>;
  /**
   * Lists what was or will be sent to a webhook in the last 30 days, newest event first: each attempt with its status and duration, why it failed, and when the next one follows.
   * `GET /webhooks/{webhook_id}/deliveries`; needs the scope read.
   */
  listDeliveries(input: ListDeliveriesInput, options?: CallOptions): Promise<ListDeliveriesAnswer>;
  /**
   * Sends an event to a webhook again, or all since a time (at most 1,000, in order), whether they arrived or not: for a receiver that was down for longer than the attempts last. The ids stay the same.
   * `POST /webhooks/{webhook_id}/redeliver`; needs the scope index.
   */
  redeliverEvent(input: RedeliverEventInput, options?: CallOptions): Promise<RedeliverEventAnswer>;
  /**
   * Finds URLs of all projects by any part of them, projects by their name, sites by their host, and orders by the beginning of their id; newest first, and first the link whose URL is the text itself. `complete` is false where the account has so many URLs that only the newest million were searched, and where a model could not read all that was found.
   * `GET /search`; needs the scope read.
   */
  search(input: SearchInput, options?: CallOptions): Promise<SearchAnswer>;
  /**
   * Renames a project, sets its tags, such as the name of a client, or archives it; what is left out stays, and its URLs go on as before. tags replaces all of them, and [] removes them. list_projects can be filtered by both.
   * `PATCH /projects/{project_id}`; needs the scope index.
   */
  updateProject(input: UpdateProjectInput, options?: CallOptions): Promise<UpdateProjectAnswer>;
  /**
   * Sums up what was spent and returned in the last days: by key, app and agent, by person, by day, and by project. `budget` is what all of them together may spend in a day and a month, which only a person sets.
   * `GET /spending/report`; needs the scope read.
   */
  getSpendReport(input?: GetSpendReportInput, options?: CallOptions): Promise<GetSpendReportAnswer>;
  /**
   * Lists the changes of the last 400 days, newest first: projects, keys, apps, approvals, watches, webhooks, sites, connections, people. Each has who made it: the person by id and role, and the credential.
   * `GET /activity`; needs the scope read.
   */
  listActivity(input?: ListActivityInput, options?: CallOptions): Promise<ListActivityAnswer>;
  /**
   * Makes a read-only link to the results of a project, or of a host: how many pages are in Google, since when, and why others are not. Whoever has it needs no account, and sees nothing else. url is in this answer alone. A key, app or agent needs the approval of a person for it.
   * `POST /shares`; needs the scope index and the scope read.
   */
  shareResults(input?: ShareResultsInput, options?: CallOptions): Promise<ShareResultsAnswer>;
  /**
   * Lists the links by which results are shared and that have not ended, newest first, each with its end and when it was last opened. The links themselves are not stored.
   * `GET /shares`; needs the scope read.
   */
  listShares(input?: ListSharesInput, options?: CallOptions): Promise<ListSharesAnswer>;
  /**
   * Ends a link by which results are shared, at once and for good, and answers the share as it was. A key, app or agent ends the shares that it made, and needs the approval of a person for it.
   * `DELETE /shares/{share_id}`; needs the scope index.
   */
  deleteShare(input: DeleteShareInput, options?: CallOptions): Promise<DeleteShareAnswer>;
}

/** The records of the operations that answer pages. */
export interface Records {
  readSitemap: ReadSitemapAnswer["urls"][number];
  listProjects: ListProjectsAnswer["projects"][number];
  listLinks: ListLinksAnswer["links"][number];
  getCoverage: GetCoverageAnswer["hosts"][number];
  listEvents: ListEventsAnswer["events"][number];
  listSites: ListSitesAnswer["sites"][number];
  listLedger: ListLedgerAnswer["entries"][number];
  listOrders: ListOrdersAnswer["orders"][number];
  listWatches: ListWatchesAnswer["watches"][number];
  listWebhooks: ListWebhooksAnswer["webhooks"][number];
  listDeliveries: ListDeliveriesAnswer["deliveries"][number];
  listActivity: ListActivityAnswer["activity"][number];
  listShares: ListSharesAnswer["shares"][number];
}
