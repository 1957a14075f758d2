import type getWatch from "../../../../../tools/get-watch.ts";
import type listWatches from "../../../../../tools/list-watches.ts";
import type { AnswerOf } from "../../../../contract/operation.ts";

export type Run = AnswerOf<typeof getWatch>["runs"][number];

export type Watch = AnswerOf<typeof listWatches>["watches"][number];

export const INTERVAL_WORDS: Readonly<Record<Watch["every"], string>> = {
  hour: "every hour",
  day: "every day",
  week: "every week",
};

export const NEW_WORDS: Readonly<Record<Watch["new_pages"], string>> = {
  submit: "submitted, for credits",
  notify: "announced to Bing and Yandex, without credits",
  list: "counted only",
};

export const CHANGED_WORDS: Readonly<Record<Watch["changed_pages"], string>> = {
  notify: "announced to Bing and Yandex, without credits",
  submit: "submitted again, for credits",
  ignore: "ignored",
};

export const REMOVED_WORDS: Readonly<Record<Watch["removed_pages"], string>> = {
  ignore: "ignored",
  notify: "announced to Bing and Yandex as gone",
};

export const MODE_WORDS: Readonly<Record<Watch["mode"], string>> = {
  standard: "standard, 1 credit a page",
  instant: "instant, 3 credits a page: first in line at Google",
};

export const RECHECK_WORDS: Readonly<Record<Watch["recheck"], string>> = {
  off: "not looked up again",
  week: "looked up again every week, 1 credit for 10 pages",
  month: "looked up again every month, 1 credit for 10 pages",
};

const HOLD_WORDS: Readonly<Record<string, string>> = {
  many_removed: "Many of the pages are no longer in the sitemap, which is more often a mistake than a decision.",
  many_new:
    "The number of new pages is more than half of the number known before, and submitting them would cost credits at once.",
  many_changed:
    "More than half of the pages say that they changed at the same time. Many site generators set the date of every page with every build; if yours does, let the watch ignore changed pages.",
  credential_ended:
    "The API key, app or agent as which it ran no longer has access. If you make the watch active here, it runs as you.",
  account_deletion: "The account will be deleted. The watch goes on if you keep the account.",
  account_disabled:
    "The operator of the service has disabled your account. The watch goes on when it is enabled again.",
};

/** Why a watch is held or paused; null where there is nothing to say. */
export function holdWords(reason: string | null): string | null {
  return reason === null ? null : (HOLD_WORDS[reason] ?? null);
}

const REASON_WORDS: Readonly<Record<string, string>> = {
  most_per_run: "The rest waits for the next run.",
  credits_per_month: "The rest waits for next month's credits.",
  credential: "The rest waits for the limits of its API key, app or agent.",
  balance: "The rest waits for credits in your account.",
  held_out: "The rest is held out of an experiment, and waits for its end.",
  recheck: "Indexed pages are looked up again.",
  many_removed: "Many pages vanished.",
  many_new: "Many pages are new.",
  many_changed: "Many pages changed at once.",
  sitemap_invalid: "It was no sitemap.",
  no_pages: "It listed no page.",
  too_large: "It lists more than a watch can read: a million pages, in 500 sitemaps and 200 MB.",
  incomplete: "A part of it could not be read, and the first run needs all of it.",
  timeout: "The server took too long.",
  unresolved: "The host name does not resolve.",
  unreachable: "The server did not answer.",
};

/** What a run's reason means. */
export function reasonWords(reason: string): string {
  const status = /^http_(\d{3})$/.exec(reason)?.[1];
  return status ? `The server answered with status ${status}.` : (REASON_WORDS[reason] ?? reason);
}

export const STATUS_WORDS: Readonly<Record<Watch["status"], string>> = {
  active: "Active",
  paused: "Paused",
  stopped: "Stopped",
  held: "Waits for you",
};
