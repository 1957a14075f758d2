/** How many credits a cause gave back, and how many links have which state, in the form in which receivers get them. */
export interface EventCounts {
  readonly indexed: number;
  readonly not_indexed: number;
  readonly failed: number;
}

/** At most this many link ids of a kind are in one event; the counts are complete. */
export const IDS_PER_EVENT = 100;

/**
 * What each type of event says, in the form in which callers and receivers get it (interface.md, decisions.md: Event). It is
 * stored as it was written, and never changes.
 */
export interface EventData {
  /** Every URL of a project or check is decided. */
  readonly "project.completed": {
    readonly project_id: string;
    readonly kind: string;
    readonly name: string;
    readonly counts: EventCounts & { readonly total: number };
    readonly credits_spent: number;
    readonly credits_returned: number;
    /** ISO 8601, service time. */
    readonly completed_at: string;
  };
  /** Links have become indexed, not indexed or failed, by one step of work or one cancellation. */
  readonly "links.settled": {
    readonly project_id: string;
    readonly counts: EventCounts;
    /** At most IDS_PER_EVENT ids of each. */
    readonly links: { readonly [state in keyof EventCounts]: readonly string[] };
    readonly credits_returned: number;
  };
  /** Links that Google had were not found by two clean checks. */
  readonly "links.dropped": {
    readonly project_id: string;
    readonly count: number;
    /** At most IDS_PER_EVENT ids. */
    readonly links: readonly string[];
    /** How many for which reason, by our words for it. */
    readonly reasons: Readonly<Record<string, number>>;
  };
  /** The balance has fallen below the account's threshold. */
  readonly "credits.low": { readonly balance: number; readonly threshold: number };
  readonly "order.paid": OrderFacts;
  /** Credits were taken back, because money was refunded, is disputed, or vanished from its chain. */
  readonly "order.refunded": OrderFacts & {
    /** All that were taken back so far. */
    readonly credits_taken_back: number;
    readonly status: string;
  };
  readonly "site.verified": { readonly site_id: string; readonly host: string };
  readonly "agent.connected": ConnectionFacts;
  readonly "app.connected": ConnectionFacts;
  readonly "key.created": {
    readonly key_id: string;
    readonly name: string;
    /** The last characters of the key. */
    readonly ending: string;
    readonly scopes: readonly string[];
    /** ISO 8601; null for a key without an end. */
    readonly expires_at: string | null;
  };
  /** A webhook gets nothing more until it is made active again. */
  readonly "webhook.disabled": {
    readonly webhook_id: string;
    /** Scheme, host and port of its URL; the path may be a secret. */
    readonly origin: string;
    /** `gone`: it answered 410. `failing`: nothing but failures for five days. `credential_ended`: its maker has no access any more. */
    readonly reason: "gone" | "failing" | "credential_ended";
  };
  /** A call of a credential waits for the yes of the account's person. */
  readonly "spending.approval_requested": ApprovalFacts & {
    readonly credential_name: string;
    /** Whether the person was mailed; at most once an hour for each key, app or agent. */
    readonly is_mailed: boolean;
  };
  readonly "spending.approval_decided": ApprovalFacts & { readonly approved: boolean };
  /** A watch has read its sitemap, and found or done something. */
  readonly "watch.ran": WatchFacts &
    WatchCounts & {
      readonly run_id: string;
      /** Pages that are left for the next run. */
      readonly waiting: number;
      readonly submitted: number;
      readonly credits_spent: number;
      readonly project_id: string | null;
    };
  /** A watch does nothing until somebody has looked: its sitemap has changed too much at once, its credential has ended, or its account will be deleted. */
  readonly "watch.held": WatchFacts &
    WatchCounts & {
      readonly status: "held" | "paused";
      readonly reason: "many_removed" | "many_new" | "many_changed" | "credential_ended" | "account_deletion";
      /** Pages that were known before. */
      readonly known: number;
    };
  /** A sitemap could not be read three times in a row. */
  readonly "watch.failing": WatchFacts & { readonly failures: number; readonly reason: string };
  /** Pages wait because credits do not suffice; told once a month of each watch. */
  readonly "watch.budget_spent": WatchFacts & {
    readonly limit: "credits_per_month" | "credential" | "balance";
    readonly waiting: number;
  };
  /** A test message, for one webhook alone. */
  readonly "webhook.ping": { readonly webhook_id: string };
}

interface ApprovalFacts {
  readonly approval_id: string;
  /** Id of the key or grant. */
  readonly credential_id: string;
  readonly operation: string;
  /** What the call costs at most. */
  readonly credits: number;
}

interface WatchFacts {
  readonly watch_id: string;
  readonly sitemap_url: string;
}

interface WatchCounts {
  readonly new: number;
  readonly changed: number;
  readonly removed: number;
}

interface OrderFacts {
  readonly order_id: string;
  readonly pack: string;
  readonly credits: number;
  readonly amount_cents: number;
  readonly currency: string;
  readonly method: string;
}

interface ConnectionFacts {
  readonly connection_id: string;
  readonly name: string;
  readonly scopes: readonly string[];
}

export type EventType = keyof EventData;

/**
 * All types, each with whether only what the account's owner made is told of it, and the owner by mail. A test message is for
 * the webhook that asked for it.
 */
export const EVENT_TYPES = {
  "project.completed": { isPrivate: false, isMailed: true },
  "links.settled": { isPrivate: false, isMailed: false },
  "links.dropped": { isPrivate: false, isMailed: false },
  "credits.low": { isPrivate: false, isMailed: true },
  "order.paid": { isPrivate: true, isMailed: true },
  "order.refunded": { isPrivate: true, isMailed: true },
  "site.verified": { isPrivate: false, isMailed: false },
  "agent.connected": { isPrivate: true, isMailed: true },
  "app.connected": { isPrivate: true, isMailed: true },
  "key.created": { isPrivate: true, isMailed: true },
  "webhook.disabled": { isPrivate: false, isMailed: true },
  "spending.approval_requested": { isPrivate: false, isMailed: true },
  "spending.approval_decided": { isPrivate: false, isMailed: false },
  "watch.ran": { isPrivate: false, isMailed: false },
  "watch.held": { isPrivate: false, isMailed: true },
  "watch.failing": { isPrivate: false, isMailed: true },
  "watch.budget_spent": { isPrivate: false, isMailed: true },
  "webhook.ping": { isPrivate: false, isMailed: false },
} as const satisfies Readonly<Record<EventType, { readonly isPrivate: boolean; readonly isMailed: boolean }>>;

export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as [EventType, ...EventType[]];

/** Those that a webhook can be told of. */
export const SUBSCRIBED_TYPES = EVENT_TYPE_NAMES.filter((type) => type !== "webhook.ping") as [
  SubscribedType,
  ...SubscribedType[],
];

export type SubscribedType = Exclude<EventType, "webhook.ping">;

/** An event to record. */
export type NewEvent = {
  [Type in EventType]: {
    readonly type: Type;
    readonly data: EventData[Type];
    /** The project that it is about. */
    readonly projectId?: string;
  };
}[EventType];
