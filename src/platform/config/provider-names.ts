import { PROVIDER_SETTINGS, type ProviderSettingName } from "./provider-settings.ts";

/** The settings that each provider needs, by its name. A provider has several where its credential has two parts. */
export const NEEDED_BY: ReadonlyMap<string, readonly ProviderSettingName[]> = neededBy();

/** The names of all providers, as ENGINES takes them. */
export const PROVIDER_NAMES: readonly string[] = [...NEEDED_BY.keys()];

/** What has a budget and a price: each provider, and what Bing says of pages, by the key that submits to it. */
export const BUDGET_NAMES: readonly string[] = [...PROVIDER_NAMES, "bing_url_info"];

/** What is called besides, at an address that PROVIDER_URLS may replace: Google's sign-in, and Stripe. */
export const CALLED_NAMES: readonly string[] = [...PROVIDER_NAMES, "google_oauth", "google_accounts", "stripe"];

function neededBy(): Map<string, ProviderSettingName[]> {
  const needed = new Map<string, ProviderSettingName[]>();
  for (const [setting, row] of Object.entries(PROVIDER_SETTINGS)) {
    if (!("providers" in row)) continue;
    for (const name of row.providers) needed.set(name, [...(needed.get(name) ?? []), setting as ProviderSettingName]);
  }
  return needed;
}
