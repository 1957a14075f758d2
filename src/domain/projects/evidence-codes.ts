import { NOT_INDEXED_REASONS } from "./reasons.ts";

/** What a provider answered when a link was submitted, or why it was not submitted to an engine (`engines.*.detail`). */
export const ENGINE_DETAILS = {
  already_queued: "the provider had the URL in its queue already",
  answer_lost: "the provider's answer was lost, so that it is not known whether it has the URL",
  apex: "submitted in the provider's fast lane",
  gave_up: "the provider put the URL off for 14 days",
  host_not_connected: "the provider's account does not have the site",
  host_not_ready: "the engine has not read the site yet",
  host_not_verified: "the engine takes URLs of the site's owner only, and your account has not verified the host",
  invalid_url: "the provider does not take this URL",
  key_not_accepted: "the engine did not find the IndexNow key on the site",
  key_pending: "the engine has yet to find the IndexNow key on the site",
  key_refused:
    "the engine takes the site's IndexNow key no more, whatever file is there: add_site with rotate_key gives a new one",
  looked_up: "the answer was lost, and the provider said later that it has the URL",
  no_provider: "no provider for this engine is configured, or takes this URL",
  no_sitemap: "the engine takes sitemaps only, and the project was not made from one of this host",
  not_eligible: "the engine takes pages with job postings or live videos only this way",
  not_owner: "the provider's account does not own the site",
  published: "the engine was told that the page is new or changed",
  sandbox: "simulated by the sandbox",
  sitemap_submitted: "the sitemap that lists the page was submitted",
  url_not_of_host: "the engine says that the URL is not of the host whose key was sent",
  vip: "submitted in the provider's fast queue",
  vip_failed: "submitted; the provider did not move it into its fast queue",
} as const;
export type EngineDetail = keyof typeof ENGINE_DETAILS;

const { key_not_accepted, key_pending, key_refused, url_not_of_host, invalid_url, already_queued, answer_lost } =
  ENGINE_DETAILS;
const { host_not_connected, host_not_ready, host_not_verified, no_provider, sandbox } = ENGINE_DETAILS;

/** Why a check had its result (`checks[].reason`). */
export const CHECK_REASONS = {
  ...NOT_INDEXED_REASONS,
  match: "a search of Google found the page",
  indexed: "Google says that the page is in its index",
  unclear_answer: "the results of the search could not be read completely",
  host_not_connected,
  invalid_url,
  coverage_not_understood: "Google's answer contradicts itself, or is not known to us",
  no_answer: "there was no reliable answer",
  no_verifier: "no provider that can look up this page is configured",
  held: "the provider's quota for now is used up",
  canary_failed: "the provider did not find pages that certainly are in Google, so its answers do not count",
  unavailable: "the provider was not available",
  timeout: "the provider did not answer in time",
  unreachable: "the provider could not be reached",
  server_error: "the provider answered with an error of its own",
  bad_answer: "the provider's answer did not have the form that it documents",
  rate_limited: "the provider asked us to slow down",
  quota: "the provider's daily quota or our credits there are used up",
  unauthorized: "the provider did not accept our credential",
  refused: "the provider refused the lookup",
} as const;
export type CheckReason = keyof typeof CHECK_REASONS;

const { timeout, unreachable, server_error, bad_answer, rate_limited, quota, unauthorized } = CHECK_REASONS;

/** What became of a notice about one URL at one engine (`receipts[].engines.*.detail` of notify_urls). */
export const NOTICE_DETAILS = {
  ...{
    already_queued,
    answer_lost,
    host_not_connected,
    host_not_ready,
    host_not_verified,
    invalid_url,
    key_not_accepted,
  },
  ...{ key_pending, key_refused, no_provider, sandbox, url_not_of_host },
  ...{ timeout, unreachable, server_error, bad_answer, rate_limited, quota, unauthorized },
  held: "the provider takes no more for now, or the time of the call was over: repeat it later",
  held_out: "the page is held out of an experiment of your account: repeat it when the experiment is decided",
  not_arrived: "the answer was lost, and the notice can be repeated without harm",
  refused: "the provider refused the notice",
} as const;
export type NoticeDetail = keyof typeof NOTICE_DETAILS;
