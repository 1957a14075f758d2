// biome-ignore-all format: generated
// Written by `npm run generate` from the operations in tools/.

export interface Account {
  object: "account";
  id: string;
  email: string;
  name: string;
  credits: number;
  /** Indexing and checking need a paid account */
  paid: boolean;
  credential: {
    type: "api_key" | "oauth" | "agent";
    name: string;
    scopes: string[];
  };
  usage_today: {
    requests: number;
    submissions: number;
  };
  limits: {
    requests_per_minute: number;
    requests_per_day: number;
    submissions_per_day: number;
    urls_per_submission: number;
  };
  dashboard_url: string;
}

export interface Spending {
  object: "spending";
  credential: {
    id: string;
    type: string;
    name: string;
  };
  limits: {
    per_call: number | null;
    per_day: number | null;
    per_month: number | null;
    total: number | null;
    /** Costlier calls need a person's approval */
    approve_above: number | null;
    expires_at: string | null;
  };
  spent: {
    today: number;
    this_month: number;
    total: number;
  };
  remaining: {
    call: number | null;
    day: number | null;
    month: number | null;
    total: number | null;
    member: number | null;
  };
  resets_at: {
    day: string;
    month: string;
  };
}

export interface Pricing {
  object: "pricing";
  currency: string;
  packs: {
    id: string;
    name: string;
    price: string;
    amount_cents: number;
    credits: number;
    per_link: string;
    popular: boolean;
  }[];
  costs: {
    /** Credits per URL */
    standard_url: number;
    /** Credits per URL */
    instant_url: number;
    urls_checked_per_credit: number;
  };
  check_days: {
    first: number;
    final: number;
  };
  credits_back_after_days: number;
  credits_expire: boolean;
  max_urls_per_submission: number;
  buy_url: string;
}

export interface Estimate {
  kind: "standard" | "instant" | "check";
  /** Valid unique URLs counted */
  urls: number;
  invalid: number;
  duplicates: number;
  invalid_examples: string[];
  credits: number;
  balance: number | null;
  enough: boolean | null;
  experiment?: {
    sent: number;
    held: number;
    credits: number;
  } | undefined;
}

export interface Project {
  object: "project";
  id: string;
  kind: "index" | "check";
  name: string;
  mode: "standard" | "instant" | null;
  engines: {
    google: boolean;
    bing: boolean;
    yandex: boolean;
  };
  drip_days: number;
  status: "active" | "completed";
  counts: {
    total: number;
    waiting: number;
    checking: number;
    indexed: number;
    not_indexed: number;
    failed: number;
  };
  /** Percentage of decided URLs that are indexed (0 to 100) */
  index_rate: number | null;
  credits_spent: number;
  credits_returned: number;
  created_at: string;
  completed_at: string | null;
  dashboard_url: string;
}

export interface Link {
  object: "link";
  id: string;
  project_id: string;
  url: string;
  status: "waiting" | "checking" | "indexed" | "not_indexed" | "failed";
  error_code: string | null;
  error_message: string | null;
  credits: number | null;
  credits_returned: number | null;
  scheduled_at: string;
  sent_at: string | null;
  checked_at: string | null;
  next_check_at: string | null;
  indexed_at: string | null;
  first_found_at: string | null;
  last_found_at: string | null;
  engines: {
    google: {
      status: "off" | "queued" | "sent" | "accepted" | "skipped" | "failed";
      provider: string | null;
      at: string | null;
      detail: string | null;
      crawled_at: string | null;
    };
    bing: {
      status: "off" | "queued" | "sent" | "accepted" | "skipped" | "failed";
      provider: string | null;
      at: string | null;
      detail: string | null;
      crawled_at: string | null;
    };
    yandex: {
      status: "off" | "queued" | "sent" | "accepted" | "skipped" | "failed";
      provider: string | null;
      at: string | null;
      detail: string | null;
    };
  };
  last_check: {
    at: string;
    result: "indexed" | "not_indexed" | "unknown";
    method: string;
    provider: string;
  } | null;
  warnings: string[];
  created_at: string;
}

export interface LinkWithChecks {
  object: "link";
  id: string;
  project_id: string;
  url: string;
  status: "waiting" | "checking" | "indexed" | "not_indexed" | "failed";
  error_code: string | null;
  error_message: string | null;
  credits: number | null;
  credits_returned: number | null;
  scheduled_at: string;
  sent_at: string | null;
  checked_at: string | null;
  next_check_at: string | null;
  indexed_at: string | null;
  first_found_at: string | null;
  last_found_at: string | null;
  engines: {
    google: {
      status: "off" | "queued" | "sent" | "accepted" | "skipped" | "failed";
      provider: string | null;
      at: string | null;
      detail: string | null;
      crawled_at: string | null;
    };
    bing: {
      status: "off" | "queued" | "sent" | "accepted" | "skipped" | "failed";
      provider: string | null;
      at: string | null;
      detail: string | null;
      crawled_at: string | null;
    };
    yandex: {
      status: "off" | "queued" | "sent" | "accepted" | "skipped" | "failed";
      provider: string | null;
      at: string | null;
      detail: string | null;
    };
  };
  last_check: {
    at: string;
    result: "indexed" | "not_indexed" | "unknown";
    method: string;
    provider: string;
  } | null;
  warnings: string[];
  created_at: string;
  bing_check: {
    at: string;
    result: "indexed" | "not_indexed" | "unknown";
    reason: string | null;
  } | null;
  /** Oldest first */
  checks: {
    at: string;
    result: "indexed" | "not_indexed" | "unknown";
    method: string;
    provider: string;
    look: string;
    reason: string | null;
    /** e.g. queries, matches */
    counts: Record<string, number>;
  }[];
  /** Newest first */
  crawls: {
    engine: "google" | "bing";
    at: string;
    source: "url_inspection" | "bing_url_info" | "visits";
    as: string | null;
    status: string | null;
  }[];
  access: {
    Googlebot: {
      allowed: boolean | null;
      by: "robots" | "noindex" | "content_signal" | null;
    };
    bingbot: {
      allowed: boolean | null;
      by: "robots" | "noindex" | "content_signal" | null;
    };
    "OAI-SearchBot": {
      allowed: boolean | null;
      by: "robots" | "noindex" | "content_signal" | null;
    };
    "Claude-SearchBot": {
      allowed: boolean | null;
      by: "robots" | "noindex" | "content_signal" | null;
    };
    PerplexityBot: {
      allowed: boolean | null;
      by: "robots" | "noindex" | "content_signal" | null;
    };
    Applebot: {
      allowed: boolean | null;
      by: "robots" | "noindex" | "content_signal" | null;
    };
  };
  facts: {
    referring_urls: string[] | null;
    only_sitemap: boolean | null;
    user_canonical: string | null;
    google_canonical: string | null;
    page_changed_at: string | null;
    doubtful_crawl_time: "in_future" | "before_discovery" | "too_early" | null;
  };
  advice: {
    meaning: string;
    cause: string;
    next_step: string;
    who: "you" | "time" | "nobody";
    basis: "documented" | "observed";
    docs: string;
  } | null;
  visits: PageVisits[];
}

export interface PageVisits {
  agent: string;
  engine: "google" | "bing" | "yandex" | null;
  /** person: an assistant reads it for somebody who asks */
  purpose: "search" | "person" | "training" | "other";
  first_at: string;
  last_at: string;
  count: number;
  /** Of the last answer */
  status: number | null;
  /** range: its address is in a list of its operator; dns: its name is; no: it says so */
  verified: "range" | "dns" | "no";
}

export interface Experiment {
  object: "experiment";
  id: string;
  project_id: string;
  control_project_id: string;
  /** By which the held pages were chosen */
  seed: string;
  sent: {
    n: number;
    found: number | null;
    not_found: number | null;
    /** Refused, cancelled or not looked up with certainty; in neither share */
    unknown: number | null;
    /** Sent by another project meanwhile */
    sent_elsewhere: number;
  };
  held: {
    n: number;
    found: number | null;
    not_found: number | null;
    /** Refused, cancelled or not looked up with certainty; in neither share */
    unknown: number | null;
    /** Sent by another project meanwhile */
    sent_elsewhere: number;
  };
  /** Percentage points: share found of the sent less the held */
  difference: number | null;
  /** 95 % interval (Newcombe) */
  low: number | null;
  high: number | null;
  /** Fisher's, where a count is below 5 */
  p: number | null;
  /** Points that this size shows in 4 of 5 cases */
  smallest_lift_seen: number | null;
  verdict: "helped" | "no_difference_seen" | "hurt" | "cannot_tell" | null;
  /** When both were decided; null: not yet */
  as_of: string | null;
}

export interface HostCoverage {
  host: string;
  /** null unless it was added as a site */
  site_id: string | null;
  pages: number;
  in_google: number;
  not_in_google: number;
  /** Pages without a verdict */
  unknown: number;
  as_of: string;
  /** From sending to the check that first found a page */
  median_days: number | null;
  /** Of not_in_google; the 5 most frequent */
  reasons: {
    reason: string;
    count: number;
  }[];
  series: {
    /** YYYY-MM-DD, UTC */
    day: string;
    pages: number;
    in_google: number;
  }[];
}

export interface Event {
  object: "event";
  id: string;
  type: string;
  at: string;
  project_id: string | null;
  /** Depends on `type`; the same that webhooks send */
  data: Record<string, unknown>;
}

export interface SiteWithSecret {
  object: "site";
  id: string;
  host: string;
  status: "pending" | "verified" | "failed";
  /** Content of the key file */
  indexnow_key: string;
  /** Where it must be, or was found */
  key_url: string;
  verified_by: string | null;
  connections: string[];
  push_url: string | null;
  next_step: string;
  created_at: string;
  verified_at: string | null;
  /** Shown once */
  push_secret: string | null;
}

export interface Site {
  object: "site";
  id: string;
  host: string;
  status: "pending" | "verified" | "failed";
  /** Content of the key file */
  indexnow_key: string;
  /** Where it must be, or was found */
  key_url: string;
  verified_by: string | null;
  connections: string[];
  push_url: string | null;
  next_step: string;
  created_at: string;
  verified_at: string | null;
}

export interface Connection {
  object: "connection";
  id: string;
  kind: "search_console" | "bing_webmaster";
  name: string;
  status: "active" | "failing";
  failure: string | null;
  properties: string[];
}

export interface NotificationReceipt {
  url: string;
  engines: {
    bing: {
      status: "sent" | "skipped" | "failed";
      detail: string | null;
    };
    yandex: {
      status: "sent" | "skipped" | "failed";
      detail: string | null;
    };
  };
}

export interface Order {
  object: "order";
  id: string;
  pack: string;
  credits: number;
  amount_cents: number;
  currency: string;
  method: "stripe" | "evm" | "sandbox" | "operator";
  /** false: a test, no real money moves */
  livemode: boolean;
  status: "pending" | "paid" | "expired" | "failed" | "refunded" | "disputed";
  checkout_url: string | null;
  transaction: {
    network: string;
    hash: string;
    payer: string;
    amount: string;
    currency: string;
  } | null;
  created_at: string;
  expires_at: string | null;
  paid_at: string | null;
}

export interface LedgerEntry {
  object: "ledger_entry";
  id: string;
  at: string;
  kind: "purchase" | "spend" | "return" | "adjustment";
  /** Change of the balance, negative for a spend */
  credits: number;
  balance_after: number;
  project_id: string | null;
  order_id: string | null;
  /** Key or connection it comes from, `person` or `operator` */
  credential_id: string | null;
  description: string;
}

export interface Watch {
  object: "watch";
  id: string;
  sitemap_url: string;
  every: string;
  new_pages: string;
  changed_pages: string;
  removed_pages: string;
  include: string[];
  exclude: string[];
  mode: string;
  most_per_run: number;
  credits_per_month: number;
  recheck: string;
  stop_when_indexed: boolean;
  /** held: run_watch with release goes on */
  status: string;
  /** Why it is held or paused */
  reason: string | null;
  /** Pages that the sitemap listed last */
  pages: number;
  /** Pages that wait for the next run */
  waiting: number;
  next_run_at: string | null;
  /** What a CMS calls when it publishes */
  hook_url: string | null;
  /** Credits */
  spent_this_month: number;
  /** null: not known yet */
  estimated_credits_per_month: number | null;
  created_at: string;
}

export interface WatchRun {
  /** null: dry_run */
  id: string | null;
  /** Of several runs in a row that did nothing, the last one's */
  at: string;
  result: "done" | "held" | "failed" | "unchanged";
  new: number;
  changed: number;
  removed: number;
  same: number;
  waiting: number;
  submitted: number;
  /** URLs of which engines were notified */
  notified: number;
  credits_spent: number;
  project_id: string | null;
  /** Why it was held or failed, or what keeps pages waiting */
  reason: string | null;
  examples: {
    /** (at most 5 items) */
    new: string[];
    /** (at most 5 items) */
    changed: string[];
    /** (at most 5 items) */
    removed: string[];
  } | null;
}

export interface Webhook {
  object: "webhook";
  id: string;
  /** Only its origin, for a webhook of another credential */
  url: string;
  /** Types of events; null: all */
  events: string[] | null;
  description: string;
  status: "active" | "paused" | "disabled";
  created_at: string;
  last_success_at: string | null;
  last_failure: {
    at: string;
    status: number | null;
    reason: string;
  } | null;
}

export interface WebhookDelivery {
  id: string;
  event_id: string;
  type: string;
  status: "pending" | "succeeded" | "failed";
  /** Oldest first */
  attempts: {
    at: string;
    /** HTTP status; null: no answer */
    status: number | null;
    ms: number;
    /** Why it failed */
    reason: string | null;
  }[];
  next_attempt_at: string | null;
}

export interface SpendingReport {
  object: "spend_report";
  /** UTC day */
  from: string;
  to: string;
  spent: number;
  returned: number;
  /** Of all keys, apps and agents together; limit null: none */
  budget: {
    account_day: {
      limit: number | null;
      spent: number;
      remaining: number | null;
      resets_at: string;
    };
    account_month: {
      limit: number | null;
      spent: number;
      remaining: number | null;
      resets_at: string;
    };
  };
  by_credential: {
    credential_id: string | null;
    kind: "key" | "app" | "agent" | "person" | "operator" | "unknown";
    name: string;
    spent: number;
    returned: number;
  }[];
  by_person: {
    person_id: string | null;
    role: string | null;
    email: string | null;
    spent: number;
    returned: number;
  }[];
  by_day: {
    day: string;
    spent: number;
    returned: number;
  }[];
  by_project: {
    project_id: string;
    name: string;
    spent: number;
    returned: number;
  }[];
}

export interface Activity {
  object: "activity";
  id: string;
  at: string;
  kind: string;
  /** `kind` in words */
  text: string;
  /** Names what was changed */
  subject: string | null;
  target_id: string | null;
  /** Who did it, or for whom the credential did; null: not known */
  person_id: string | null;
  /** At the time */
  role: string | null;
  /** Only for owners and managers at the website */
  email: string | null;
  /** Key, app or agent that did it; null: at the website */
  credential: {
    id: string;
    name: string | null;
  } | null;
}

export interface Share {
  object: "share";
  id: string;
  /** Only in the answer that makes it */
  url: string | null;
  project_id: string | null;
  host: string | null;
  title: string;
  /** Who shows it; may be empty */
  from: string;
  expires_at: string;
  created_at: string;
  /** When it was last opened, to the hour */
  last_seen_at: string | null;
}

/** The codes of the service's errors, with their HTTP status. */
export interface ErrorStatuses {
  /** The request is invalid. */
  invalid_request: 400;
  /** No valid URL remains. */
  no_valid_urls: 400;
  /** Too many URLs for one project. */
  too_many_urls: 400;
  /** Unknown credit pack. */
  unknown_pack: 400;
  /** The sitemap could not be fetched. */
  sitemap_unreachable: 400;
  /** The document is not a sitemap. */
  sitemap_invalid: 400;
  /** No pages can be held out. */
  holdout_not_possible: 400;
  /** Anonymous agents are not accepted. */
  anonymous_not_enabled: 400;
  /** Identity assertions of other issuers are not accepted. */
  issuer_not_enabled: 400;
  /** There is no such registration. */
  invalid_claim_token: 400;
  /** The webhook cannot be used. */
  webhook_invalid: 400;
  /** What follows this cursor is no longer kept. */
  cursor_expired: 400;
  /** A valid credential is required. */
  unauthorized: 401;
  /** The account has not bought credits yet. */
  payment_required: 402;
  /** The balance is too low. */
  insufficient_credits: 402;
  /** Payment is required. */
  direct_payment_required: 402;
  /** The payment was not accepted. */
  payment_invalid: 402;
  /** The credential lacks a scope. */
  insufficient_scope: 403;
  /** The call exceeds a limit of the credential. */
  spending_limit: 403;
  /** A person has to approve the call. */
  approval_required: 403;
  /** The request comes from a foreign origin. */
  forbidden_origin: 403;
  /** Not found. */
  not_found: 404;
  /** Direct payment is not enabled. */
  direct_payment_disabled: 404;
  /** Credits are not sold here. */
  purchases_disabled: 404;
  /** The method is not allowed at this address. */
  method_not_allowed: 405;
  /** The first call with this key is still running. */
  idempotency_in_flight: 409;
  /** The registration was already answered. */
  claimed_or_in_flight: 409;
  /** The registration has expired. */
  claim_expired: 410;
  /** The request body is too large. */
  payload_too_large: 413;
  /** The body must be JSON. */
  unsupported_media_type: 415;
  /** The Idempotency-Key was used with other input. */
  idempotency_mismatch: 422;
  /** Too many requests. */
  rate_limited: 429;
  /** An internal error. */
  internal: 500;
  /** The service is temporarily unavailable. */
  unavailable: 503;
  /** The payment is being settled. */
  settlement_pending: 503;
}
