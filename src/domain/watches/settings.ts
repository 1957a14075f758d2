import type { Mode } from "../ledger/costs.ts";

export const INTERVALS = ["hour", "day", "week"] as const;
export type Interval = (typeof INTERVALS)[number];

/** What is done with pages that a sitemap lists for the first time: submitted for credits, engines notified, or counted only. */
export const NEW_PAGES = ["submit", "notify", "list"] as const;
/** What is done with pages whose `lastmod` has become later. */
export const CHANGED_PAGES = ["notify", "submit", "ignore"] as const;
/** What is done with pages that the sitemap no longer lists. */
export const REMOVED_PAGES = ["notify", "ignore"] as const;
/** How often indexed pages are looked up again. */
export const RECHECKS = ["off", "week", "month"] as const;
/** What the first run does with all pages: takes them as known, or as new. */
export const FIRST_RUNS = ["baseline", "submit"] as const;

/** `held`: it changes nothing until a person has looked, or the sitemap is as it was. `stopped`: its maker ended it. */
export const WATCH_STATUSES = ["active", "paused", "stopped", "held"] as const;
export type WatchStatus = (typeof WATCH_STATUSES)[number];

/** What whoever makes a watch may set. */
export interface WatchSettings {
  readonly every: Interval;
  readonly newPages: (typeof NEW_PAGES)[number];
  readonly changedPages: (typeof CHANGED_PAGES)[number];
  readonly removedPages: (typeof REMOVED_PAGES)[number];
  /** Path patterns of robots.txt's form. A page is watched if one of `include` matches, or it is empty, and none of `exclude`. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly mode: Mode;
  readonly mostPerRun: number;
  readonly creditsPerMonth: number;
  readonly recheck: (typeof RECHECKS)[number];
  readonly stopWhenIndexed: boolean;
}

export const DEFAULT_SETTINGS: WatchSettings = {
  every: "day",
  newPages: "submit",
  changedPages: "notify",
  removedPages: "ignore",
  include: [],
  exclude: [],
  mode: "standard",
  mostPerRun: 100,
  creditsPerMonth: 1_000,
  recheck: "off",
  stopWhenIndexed: false,
};
