import { event } from "./event-type.ts";
import { project_id, type WatchCounts, type WatchFacts, watch } from "./facts.ts";

/** The types of events that tell of watches. */
export const WATCH_EVENT_TYPES = {
  "watch.ran": event<
    WatchFacts &
      WatchCounts & {
        readonly run_id: string;
        /** Pages that are left for the next run. */
        readonly waiting: number;
        readonly submitted: number;
        readonly credits_spent: number;
        readonly project_id: string | null;
      }
  >({
    about:
      "A watch has read its sitemap and found or done something. A reading that found nothing is no event. `waiting` pages are taken by later runs, the oldest first.",
    next: "Nothing has to be done. What it submitted is decided like any project.",
    example: {
      ...watch,
      run_id: "run_0123456789abcdefghjk_12",
      new: 3,
      changed: 1,
      removed: 0,
      waiting: 0,
      submitted: 3,
      credits_spent: 3,
      project_id,
    },
    fields: { project_id: "nullable" },
  }),
  "watch.held": event<
    WatchFacts &
      WatchCounts & {
        readonly status: "held" | "paused";
        readonly reason:
          | ("many_removed" | "many_new" | "many_changed")
          | ("credential_ended" | "account_deletion" | "account_disabled");
        /** Pages that were known before. */
        readonly known: number;
      }
  >({
    about:
      "A watch does nothing until somebody has looked. Held: more than half of at least 20 known pages are new (`many_new`) or have changed at once (`many_changed`), or 30 % have vanished (`many_removed`); `run_watch` with `release` goes on, and so does a sitemap that is as it was. Paused: the credential as which it runs has ended (`credential_ended`), the deletion of the account was requested (`account_deletion`), or the operator has disabled the account (`account_disabled`); a watch that was paused for one of the latter goes on when the account is kept or enabled.",
    next: "Call get_watch, and tell the person what has changed and what going on costs. Call run_watch with `release` after their yes.",
    isMailed: true,
    example: { ...watch, status: "held", reason: "many_changed", known: 400, new: 2, changed: 390, removed: 0 },
  }),
  "watch.failing": event<WatchFacts & { readonly failures: number; readonly reason: string }>({
    about: "A sitemap could not be read three times in a row. Nothing was changed; it goes on being read.",
    next: "Tell the person that the sitemap cannot be read, and why.",
    isMailed: true,
    example: { ...watch, failures: 3, reason: "http_503" },
  }),
  "watch.budget_spent": event<
    WatchFacts & {
      readonly limit: "credits_per_month" | "credential" | "balance";
      readonly waiting: number;
    }
  >({
    about:
      "Pages wait because the month's credits of the watch, the limits of its credential or the balance are not enough. It comes once a month of each watch.",
    next: "Tell the person which limit was reached, and how many pages wait for it.",
    isMailed: true,
    example: { ...watch, limit: "credits_per_month", waiting: 40 },
  }),
};
