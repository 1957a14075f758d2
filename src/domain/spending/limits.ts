/** What a holder may spend, in credits; null: no limit. Days and months are in UTC, by real time. */
export interface SpendingLimits {
  readonly perCall: number | null;
  readonly perDay: number | null;
  readonly perMonth: number | null;
  readonly total: number | null;
  /** A call that costs more waits for the approval of a person. */
  readonly approveAbove: number | null;
}

export const NO_LIMITS: SpendingLimits = {
  perCall: null,
  perDay: null,
  perMonth: null,
  total: null,
  approveAbove: null,
};

/** What the pages that connect an app or agent suggest. */
export const SUGGESTED_LIMITS: SpendingLimits = {
  perCall: 100,
  perDay: 300,
  perMonth: 1_000,
  total: null,
  approveAbove: 50,
};

/** The highest limit that can be set, in credits; whoever wants more sets none. */
export const MAX_LIMIT = 1_000_000_000;

export type LimitName = keyof SpendingLimits;

export const LIMIT_NAMES = Object.keys(NO_LIMITS) as LimitName[];

/** The names on the wire, in forms and of the flags of the command line (with hyphens). */
export const WIRE_NAMES = {
  perCall: "per_call",
  perDay: "per_day",
  perMonth: "per_month",
  total: "total",
  approveAbove: "approve_above",
} as const satisfies Readonly<Record<LimitName, string>>;

/** The limits of the account, over all keys, apps and agents together, as refusals name them. */
export const ACCOUNT_WIRE_NAMES = { accountDay: "account_day", accountMonth: "account_month" } as const;

/** The limits of a member, over all that the member does and has connected, as refusals name them. */
export const MEMBER_WIRE_NAMES = {
  memberCall: "member_call",
  memberDay: "member_day",
  memberMonth: "member_month",
  memberTotal: "member_total",
} as const;

/**
 * A limit as somebody typed it: a whole number from 0 to MAX_LIMIT; null for an empty text, which sets none.
 * @returns undefined when it is neither
 */
export function parseLimit(typed: string): number | null | undefined {
  const text = typed.trim();
  if (text === "") return null;
  const limit = Number(text);
  return /^\d{1,10}$/.test(text) && limit <= MAX_LIMIT ? limit : undefined;
}
