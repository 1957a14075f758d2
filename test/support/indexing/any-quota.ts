import type { Quota } from "../../../src/indexing/providers/quota.ts";

/** A quota of a provider that is free of charge, without sites and without a limit. */
export function anyQuota(provider: string, more: Partial<Quota> = {}): Quota {
  return { provider, site: null, isPerSite: false, daily: null, zone: "UTC", price: 0, ...more };
}
