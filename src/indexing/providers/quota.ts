/** A quota of a provider: the provider's name, and the host where it is one per host. */
export interface Quota {
  readonly name: string;
  /** Units a day; null: no limit known. */
  readonly daily: number | null;
  /** Where its days begin at midnight (IANA name). */
  readonly zone: string;
  /** Millionths of a dollar per unit. */
  readonly price: number;
}
