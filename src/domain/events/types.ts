import { CHECK_DAYS } from "../../platform/check-days.ts";
import { event } from "./event-type.ts";
import {
  type ApprovalFacts,
  approval,
  type ConnectionFacts,
  type EventCounts,
  type ExperimentFacts,
  experiment,
  type FailingConnectionFacts,
  failingConnection,
  type MemberFacts,
  type OrderFacts,
  order,
  project_id,
  type ShareFacts,
  share,
} from "./facts.ts";
import { WATCH_EVENT_TYPES } from "./watches.ts";

/** At most this many link ids of a kind are in one event; the counts are complete. */
export const IDS_PER_EVENT = 100;

/**
 * All types, each with what its `data` says, in the form in which callers and receivers get it. It is stored as it was
 * written, and never changes. A test message is for the webhook that asked for it.
 */
export const EVENT_TYPES = {
  "project.completed": event<{
    readonly project_id: string;
    readonly kind: string;
    readonly name: string;
    readonly counts: EventCounts & { readonly total: number };
    readonly credits_spent: number;
    readonly credits_returned: number;
    /** ISO 8601, service time. */
    readonly completed_at: string;
  }>({
    about: "Every URL of a project or check is decided. It comes once for each.",
    next: "Call get_report. Tell the person how many pages are in Google, why the others are not, and what to change where `who` is `you`. Once that is done, price `resubmit` with estimate_cost, and ask before it spends.",
    isMailed: true,
    example: {
      project_id,
      kind: "index",
      name: "example.com",
      counts: { total: 400, indexed: 362, not_indexed: 35, failed: 3 },
      credits_spent: 400,
      credits_returned: 38,
      completed_at: "2026-01-19T12:30:00.000Z",
    },
  }),
  "links.settled": event<{
    readonly project_id: string;
    readonly counts: EventCounts;
    /** At most IDS_PER_EVENT ids of each. */
    readonly links: { readonly [state in keyof EventCounts]: readonly string[] };
    readonly credits_returned: number;
  }>({
    about:
      "Links have become indexed, not indexed or failed. There is one for each step of work, which may decide up to 500 links; the counts are complete, the ids at most 100 of each kind.",
    next: "Wait for project.completed, unless the person wants to hear of each page: then call list_links.",
    example: {
      project_id,
      counts: { indexed: 2, not_indexed: 1, failed: 0 },
      links: {
        indexed: ["lnk_0123456789abc_0", "lnk_0123456789abc_1"],
        not_indexed: ["lnk_0123456789abc_2"],
        failed: [],
      },
      credits_returned: 1,
    },
  }),
  "links.dropped": event<{
    readonly project_id: string;
    readonly count: number;
    /** At most IDS_PER_EVENT ids. */
    readonly links: readonly string[];
    /** How many for which reason, by our words for it. */
    readonly reasons: Readonly<Record<string, number>>;
  }>({
    about:
      "Links that Google had were not found by two clean checks, half an hour apart. `reasons` says how many for which [reason](/docs/codes).",
    next: "Call get_link for some of them, and tell the person why Google does not have them any more.",
    example: { project_id, count: 1, links: ["lnk_0123456789abc_0"], reasons: { noindex: 1 } },
    fields: { reasons: "map" },
  }),
  "links.crawled": event<{
    readonly project_id: string;
    readonly engine: "google" | "bing";
    readonly count: number;
    /** At most IDS_PER_EVENT ids. */
    readonly links: readonly string[];
    /** ISO 8601: the earliest and the latest of these crawls. */
    readonly first_at: string;
    readonly last_at: string;
  }>({
    about:
      "An engine has fetched links since they were sent, as URL Inspection or Bing's URL information says; it comes with the check that learns of it, once for each link and engine.",
    next: "Nothing has to be done. Say that the engine came, where somebody waits for it.",
    example: {
      project_id,
      engine: "google",
      count: 2,
      links: ["lnk_0123456789abc_0", "lnk_0123456789abc_1"],
      first_at: "2026-01-07T09:12:00.000Z",
      last_at: "2026-01-08T18:40:00.000Z",
    },
  }),
  "experiment.decided": event<ExperimentFacts>({
    about: `Both groups of an experiment have had their check of day ${CHECK_DAYS.final}, or were cancelled. It comes once; get_experiment has the counts.`,
    next: "Call get_experiment, and tell the person its verdict with the numbers of both groups.",
    example: experiment,
    fields: { difference: "nullable", low: "nullable", high: "nullable" },
  }),
  "credits.low": event<{ readonly balance: number; readonly threshold: number }>({
    about:
      "The balance has fallen below the threshold of the account, which is 100 credits. It comes once each time the balance falls below it.",
    next: "Tell the person the balance. Ask before you call buy_credits: a person pays.",
    isMailed: true,
    example: { balance: 88, threshold: 100 },
  }),
  "order.paid": event<OrderFacts>({
    about: "Credits were bought.",
    next: "Go on with what waited for credits, with the idempotency_key that it had.",
    isPrivate: true,
    isMailed: true,
    example: order,
  }),
  "order.refunded": event<
    OrderFacts & {
      /** All that were taken back so far. */
      readonly credits_taken_back: number;
      readonly status: string;
    }
  >({
    about:
      "Credits were taken back, because money was refunded or is disputed, or because a transfer vanished from its chain. `credits_taken_back` is the sum so far.",
    next: "Tell the person, and submit nothing before they have answered.",
    isPrivate: true,
    isMailed: true,
    example: { ...order, credits_taken_back: 150, status: "refunded" },
  }),
  "site.verified": event<{ readonly site_id: string; readonly host: string }>({
    about: "A host was verified as the account's own.",
    next: "Call notify_urls for its pages that have changed: Bing and Yandex accept them now.",
    example: { site_id: "site_0123456789abcdefghjk", host: "www.example.com" },
  }),
  "agent.connected": event<ConnectionFacts>({
    about: "An agent was connected to the account.",
    next: "Tell the person, who may not have done it.",
    isPrivate: true,
    isMailed: true,
    example: { connection_id: "grt_0123456789abcdefghjk", name: "Research agent", scopes: ["read", "index"] },
  }),
  "app.connected": event<ConnectionFacts>({
    about: "An app was connected to the account.",
    next: "Tell the person, who may not have done it.",
    isPrivate: true,
    isMailed: true,
    example: { connection_id: "grt_0123456789abcdefghjk", name: "An editor", scopes: ["read"] },
  }),
  "member.joined": event<MemberFacts>({
    about: "Somebody has become a member of the account.",
    next: "Nothing has to be done.",
    isPrivate: true,
    example: { person_id: "per_0123456789abcdefghjk", role: "member" },
  }),
  "member.left": event<MemberFacts>({
    about: "Somebody is a member of the account no more: has left it, or was removed.",
    next: "Nothing has to be done.",
    isPrivate: true,
    example: { person_id: "per_0123456789abcdefghjk", role: "member" },
  }),
  "share.created": event<ShareFacts>({
    about:
      "Results of a project or of a site can be read by a link from now on, until it ends. The link itself is not in it.",
    next: "Tell the person, who may not have done it.",
    isPrivate: true,
    isMailed: true,
    example: share,
    fields: { project_id: "nullable", host: "nullable" },
  }),
  "key.created": event<{
    readonly key_id: string;
    readonly name: string;
    /** The last characters of the key. */
    readonly ending: string;
    readonly scopes: readonly string[];
    /** ISO 8601; null for a key without an end. */
    readonly expires_at: string | null;
  }>({
    about: "An API key was made. The key itself is not in it.",
    next: "Tell the person, who may not have done it.",
    isPrivate: true,
    isMailed: true,
    example: {
      key_id: "key_0123456789abcdefghjk",
      name: "deployment",
      ending: "x7Qk",
      scopes: ["read", "index"],
      expires_at: null,
    },
    fields: { expires_at: "nullable" },
  }),
  "connection.failing": event<FailingConnectionFacts>({
    about:
      "A connection to your own Search Console or Bing Webmaster account gives no access: it was revoked there or has expired (`access_revoked`), or the other side has not answered for three days (`no_answer`). It comes once, until the connection works again. Links are looked up by other sources meanwhile.",
    next: "Ask the person to connect it again at /dashboard/connections.",
    isPrivate: true,
    isMailed: true,
    example: failingConnection,
  }),
  "webhook.disabled": event<{
    readonly webhook_id: string;
    /** Scheme, host and port of its URL; the path may be a secret. */
    readonly origin: string;
    /** `gone`: it answered 410. `failing`: nothing but failures for five days. `credential_ended`: its maker has no access any more, or no scope `read`. */
    readonly reason: "gone" | "failing" | "credential_ended";
  }>({
    about:
      "A webhook gets nothing more: it answered 410 (`gone`), failed for five days (`failing`), or the credential that made it has ended (`credential_ended`).",
    next: "Mend the receiver, then call save_webhook again.",
    isMailed: true,
    example: { webhook_id: "wh_0123456789abcdefghjk", origin: "https://example.com", reason: "failing" },
  }),
  "spending.approval_requested": event<
    ApprovalFacts & {
      readonly credential_name: string;
      /** Whether the person was mailed; at most once an hour for each key, app or agent. */
      readonly is_mailed: boolean;
    }
  >({
    about:
      "A call costs more than its credential may spend without an approval, and waits for one. The account's person is mailed at most once an hour for each key, app or agent.",
    next: "If you made the call, give the person its approval_url, and wait for spending.approval_decided.",
    isMailed: true,
    example: { ...approval, credential_name: "Research agent", is_mailed: true },
  }),
  "spending.approval_decided": event<ApprovalFacts & { readonly approved: boolean }>({
    about:
      "A person has approved or refused a call. What was approved goes through once, if it is repeated within 24 hours.",
    next: "After a yes, send exactly the same call again within 24 hours. After a no, tell the person that nothing was spent.",
    example: { ...approval, approved: true },
  }),
  ...WATCH_EVENT_TYPES,
  "webhook.ping": event<{ readonly webhook_id: string }>({
    about: "A test message, sent where `save_webhook` was called with `ping`.",
    next: "Nothing has to be done: the webhook works.",
    example: { webhook_id: "wh_0123456789abcdefghjk" },
  }),
};

export type EventType = keyof typeof EVENT_TYPES;

export type EventData = { readonly [Type in EventType]: (typeof EVENT_TYPES)[Type]["example"] };

export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as [EventType, ...EventType[]];

/** The types that a webhook can be told of. */
export const SUBSCRIBED_TYPES = EVENT_TYPE_NAMES.filter((type) => type !== "webhook.ping") as [
  SubscribedType,
  ...SubscribedType[],
];

export type SubscribedType = Exclude<EventType, "webhook.ping">;

/** The types that a key, app or agent can be told of. */
export const PUBLIC_TYPES: readonly SubscribedType[] = SUBSCRIBED_TYPES.filter((type) => !EVENT_TYPES[type].isPrivate);

/** An event to record. */
export type NewEvent = {
  [Type in EventType]: {
    readonly type: Type;
    readonly data: EventData[Type];
    /** The project that it is about. */
    readonly projectId?: string;
  };
}[EventType];
