import { type EventData, type EventType, SUBSCRIBED_TYPES } from "../../domain/events/types.ts";

const project_id = "prj_0123456789abc";
const order = {
  order_id: "ord_0123456789abcdefghjk",
  pack: "basic",
  credits: 150,
  amount_cents: 999,
  currency: "usd",
  method: "card",
};

const approval = {
  approval_id: "apr_0123456789abcdefghjk",
  credential_id: "grt_0123456789abcdefghjk",
  operation: "submit_urls",
  credits: 400,
};

const watch = { watch_id: "wat_0123456789abcdefghjk", sitemap_url: "https://example.com/sitemap.xml" };

/** `data` of an event of each type. */
export const EVENT_EXAMPLES: { readonly [Type in EventType]: EventData[Type] } = {
  "project.completed": {
    project_id,
    kind: "index",
    name: "example.com",
    counts: { total: 400, indexed: 362, not_indexed: 35, failed: 3 },
    credits_spent: 400,
    credits_returned: 38,
    completed_at: "2026-01-19T12:30:00.000Z",
  },
  "links.settled": {
    project_id,
    counts: { indexed: 2, not_indexed: 1, failed: 0 },
    links: {
      indexed: ["lnk_0123456789abc_0", "lnk_0123456789abc_1"],
      not_indexed: ["lnk_0123456789abc_2"],
      failed: [],
    },
    credits_returned: 1,
  },
  "links.dropped": { project_id, count: 1, links: ["lnk_0123456789abc_0"], reasons: { noindex: 1 } },
  "credits.low": { balance: 88, threshold: 100 },
  "order.paid": order,
  "order.refunded": { ...order, credits_taken_back: 150, status: "refunded" },
  "site.verified": { site_id: "site_0123456789abcdefghjk", host: "www.example.com" },
  "agent.connected": { connection_id: "grt_0123456789abcdefghjk", name: "Research agent", scopes: ["read", "index"] },
  "app.connected": { connection_id: "grt_0123456789abcdefghjk", name: "An editor", scopes: ["read"] },
  "key.created": {
    key_id: "key_0123456789abcdefghjk",
    name: "deployment",
    ending: "x7Qk",
    scopes: ["read", "index"],
    expires_at: null,
  },
  "webhook.disabled": { webhook_id: "wh_0123456789abcdefghjk", origin: "https://example.com", reason: "failing" },
  "spending.approval_requested": { ...approval, credential_name: "Research agent", is_mailed: true },
  "spending.approval_decided": { ...approval, approved: true },
  "watch.ran": {
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
  "watch.held": { ...watch, status: "held", reason: "many_changed", known: 400, new: 2, changed: 390, removed: 0 },
  "watch.failing": { ...watch, failures: 3, reason: "http_503" },
  "watch.budget_spent": { ...watch, limit: "credits_per_month", waiting: 40 },
  "webhook.ping": { webhook_id: "wh_0123456789abcdefghjk" },
};

/** What has happened, in one sentence. */
export const EVENT_ABOUT: Readonly<Record<EventType, string>> = {
  "project.completed": "Every URL of a project or check is decided. It comes once for each.",
  "links.settled":
    "Links have become indexed, not indexed or failed. There is one for each step of work, which may decide up to 500 links; the counts are complete, the ids at most 100 of each kind.",
  "links.dropped":
    "Links that Google had were not found by two clean checks, half an hour apart. `reasons` says how many for which [reason](/docs/codes).",
  "credits.low":
    "The balance has fallen below the threshold of the account, which is 100 credits. It comes once a crossing.",
  "order.paid": "Credits were bought.",
  "order.refunded":
    "Credits were taken back, because money was refunded or is disputed, or because a transfer vanished from its chain. `credits_taken_back` is the sum so far.",
  "site.verified": "A host was verified as the account's own.",
  "agent.connected": "An agent was connected to the account.",
  "app.connected": "An app was connected to the account.",
  "key.created": "An API key was made. The key itself is not in it.",
  "webhook.disabled":
    "A webhook gets nothing more: it answered 410 (`gone`), failed for five days (`failing`), or the credential that made it has ended (`credential_ended`).",
  "spending.approval_requested":
    "A call costs more than its credential may spend without a yes, and waits for one. The account's person is mailed at most once an hour for each key, app or agent.",
  "spending.approval_decided":
    "A person has approved or refused a call. What was approved goes through once, if it is repeated within 24 hours.",
  "watch.ran":
    "A watch has read its sitemap and found or done something. A reading that found nothing is no event. `waiting` pages are taken by later runs, the oldest first.",
  "watch.held":
    "A watch does nothing until somebody has looked. Held: more than half of at least 20 known pages are new (`many_new`) or have changed at once (`many_changed`), or 30 % have vanished (`many_removed`); `run_watch` with `release` goes on, and so does a sitemap that is as it was. Paused: the credential as which it runs has ended (`credential_ended`), or the deletion of the account was requested (`account_deletion`); a watch that was paused for the latter goes on when the account is kept.",
  "watch.failing": "A sitemap could not be read three times in a row. Nothing was changed; it goes on being read.",
  "watch.budget_spent":
    "Pages wait because the month's credits of the watch, the limits of its credential or the balance do not suffice. It comes once a month of each watch.",
  "webhook.ping": "A test message, sent where `save_webhook` was called with `ping`.",
};

/** Types in the order in which they are documented. */
export const DOCUMENTED_TYPES: readonly EventType[] = [...SUBSCRIBED_TYPES, "webhook.ping"];
