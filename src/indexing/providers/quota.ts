/** A provider's quota. `name` is the provider's, with a host or property after a space where each has a quota of its own. */
export interface Quota {
  readonly name: string;
  /** Units a day; null: no limit known. */
  readonly daily: number | null;
  /** IANA time zone whose midnight begins a new day. */
  readonly zone: string;
  /** Millionths of a dollar per unit. */
  readonly price: number;
}
