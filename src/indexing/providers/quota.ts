import type { Concern } from "./failure.ts";

/** A provider's quota, as it applies to a call. */
export interface Quota {
  readonly provider: string;
  /** The host, property or key in whose name the call is made; null if a call needs none. */
  readonly site: string | null;
  /** Id of the account's own connection by which the call is made; absent: it is the operator's credential. */
  readonly credential?: string | null;
  /** Whether each site has a quota of its own. */
  readonly isPerSite: boolean;
  /** Units a day; null: no limit known. */
  readonly daily: number | null;
  /** IANA time zone. A new day begins at midnight there. */
  readonly zone: string;
  /** Millionths of a dollar per unit. */
  readonly price: number;
}

/** The name under which the use of a quota is counted. */
export function nameOf(quota: Quota): string {
  return quota.isPerSite ? holderOf(quota, "site") : quota.provider;
}

/**
 * The name under which failures are recorded that concern this. The operator has one credential for each provider, so
 * that a failure of that credential concerns all calls of the provider.
 */
export function holderOf({ provider, site, credential = null }: Quota, concerns: Concern): string {
  const named = {
    url: [],
    access: [site, credential],
    site: [site],
    credential: [credential],
    provider: [],
  }[concerns];
  return [provider, ...named.filter((name) => name !== null)].join(" ");
}

/** The provider of a name that one of the functions above has made. */
export function providerOf(name: string): string {
  return name.split(" ", 1)[0]!;
}
