import type { Api } from "../api.ts";
import type { IndexLookup } from "../lookup.ts";
import { type Provider, selectProviders } from "../selection.ts";
import { dataforseo } from "./dataforseo.ts";
import { serpLooker } from "./serp.ts";
import { serpapi } from "./serpapi.ts";
import { serper } from "./serper.ts";
import { urlInspection } from "./url-inspection.ts";

interface LookProvider extends Provider {
  make(api: Api): IndexLookup;
}

/** Everyone that can be asked whether Google has a page, in the default order of preference. */
export const LOOKUP_PROVIDERS: Readonly<Record<string, LookProvider>> = {
  url_inspection: {
    setting: "GOOGLE_SERVICE_ACCOUNT",
    about: "Google's own word on pages of connected sites, 2,000 a day for each",
    isSet: ({ googleServiceAccount }) => googleServiceAccount !== undefined,
    make: (api) => urlInspection(api),
  },
  serper: {
    setting: "SERPER_KEY",
    about: "reads Google's results for any page, at up to 2 units a look",
    isSet: ({ serperKey }) => serperKey !== undefined,
    make: (api) => serpLooker(api, serper(api, api.settings.serperKey!)),
  },
  dataforseo: {
    setting: "DATAFORSEO_LOGIN and DATAFORSEO_PASSWORD",
    about: "reads Google's results for any page, at up to 6 units a look",
    isSet: (settings) => settings.dataforseo !== undefined,
    make: (api) => serpLooker(api, dataforseo(api, api.settings.dataforseo!)),
  },
  serpapi: {
    setting: "SERPAPI_KEY",
    about: "reads Google's results for any page, at up to 2 units a look",
    isSet: ({ serpapiKey }) => serpapiKey !== undefined,
    make: (api) => serpLooker(api, serpapi(api, api.settings.serpapiKey!)),
  },
};

/**
 * The lookers of a live service, in order of preference.
 * @param names as for `chosen`
 * @throws Error naming the setting that a named one lacks, or that cannot be used
 */
export function indexLookups(api: Api, names: readonly string[] | null = null): IndexLookup[] {
  return selectProviders(LOOKUP_PROVIDERS, names, api.settings).map(({ make }) => make(api));
}
