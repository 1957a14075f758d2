/**
 * A provider's quota. `name` is the provider's name. A host or property follows after a space if each has a quota of
 * its own.
 */
export interface Quota {
  readonly name: string;
  /** Units a day; null: no limit known. */
  readonly daily: number | null;
  /** IANA time zone. A new day begins at midnight there. */
  readonly zone: string;
  /** Millionths of a dollar per unit. */
  readonly price: number;
}
