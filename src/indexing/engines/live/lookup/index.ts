import type { Api } from "../api.ts";
import type { IndexLookup } from "../lookup.ts";
import { type Provider, selectProviders } from "../selection.ts";
import { dataforseo } from "./dataforseo.ts";
import { serpLookup } from "./serp.ts";
import { serpapi } from "./serpapi.ts";
import { serper } from "./serper.ts";
import { urlInspection } from "./url-inspection.ts";

interface LookupProvider extends Provider {
  make(api: Api): IndexLookup;
}

/** Every provider that can look up whether a page is in Google's index, in the default order of preference. */
export const LOOKUP_PROVIDERS: Readonly<Record<string, LookupProvider>> = {
  url_inspection: {
    setting: "GOOGLE_SERVICE_ACCOUNT",
    about: "Google's own answer for pages of connected sites, 2,000 a day for each site",
    isSet: ({ googleServiceAccount }) => googleServiceAccount !== undefined,
    make: (api) => urlInspection(api),
  },
  serper: {
    setting: "SERPER_KEY",
    about: "searches Google for any page, with up to 2 units per check",
    isSet: ({ serperKey }) => serperKey !== undefined,
    make: (api) => serpLookup(api, serper(api, api.settings.serperKey!)),
  },
  dataforseo: {
    setting: "DATAFORSEO_LOGIN and DATAFORSEO_PASSWORD",
    about: "searches Google for any page, with up to 6 units per check",
    isSet: (settings) => settings.dataforseo !== undefined,
    make: (api) => serpLookup(api, dataforseo(api, api.settings.dataforseo!)),
  },
  serpapi: {
    setting: "SERPAPI_KEY",
    about: "searches Google for any page, with up to 2 units per check",
    isSet: ({ serpapiKey }) => serpapiKey !== undefined,
    make: (api) => serpLookup(api, serpapi(api, api.settings.serpapiKey!)),
  },
};

/**
 * The lookups of a live service, in order of preference.
 * @param names as for `selectProviders`
 * @throws Error naming the setting that a named provider lacks, or that cannot be used
 */
export function indexLookups(api: Api, names: readonly string[] | null = null): IndexLookup[] {
  return selectProviders(LOOKUP_PROVIDERS, names, api.settings).map(({ make }) => make(api));
}
