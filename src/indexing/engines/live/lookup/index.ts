import type { Api } from "../api.ts";
import type { IndexLookup } from "../lookup.ts";
import { type Provider, selectProviders } from "../selection.ts";
import { dataforseo } from "./dataforseo.ts";
import { serpLookup } from "./serp.ts";
import { serpapi } from "./serpapi.ts";
import { serper } from "./serper.ts";
import { ownInspections, urlInspection } from "./url-inspection.ts";

interface LookupProvider extends Provider {
  make(api: Api): IndexLookup;
}

/** Every provider that can look up whether a page is in Google's index, in the default order of preference. */
export const LOOKUP_PROVIDERS: Readonly<Record<string, LookupProvider>> = {
  url_inspection: {
    settings: ["GOOGLE_SERVICE_ACCOUNT"],
    about: "Google's own answer for pages of connected sites, 2,000 a day for each site",
    make: (api) => urlInspection(api),
  },
  serper: {
    settings: ["SERPER_KEY"],
    about: "searches Google for any page, with up to 2 units per check",
    make: (api) => serpLookup(api, serper(api, api.settings.SERPER_KEY!)),
  },
  dataforseo: {
    settings: ["DATAFORSEO_LOGIN", "DATAFORSEO_PASSWORD"],
    about: "searches Google for any page, with up to 6 units per check",
    make(api) {
      const { DATAFORSEO_LOGIN: login, DATAFORSEO_PASSWORD: password } = api.settings;
      return serpLookup(api, dataforseo(api, { login: login!, password: password! }));
    },
  },
  serpapi: {
    settings: ["SERPAPI_KEY"],
    about: "searches Google for any page, with up to 2 units per check",
    make: (api) => serpLookup(api, serpapi(api, api.settings.SERPAPI_KEY!)),
  },
};

/**
 * The lookups of a live service, in order of preference: by the accounts' own connections first, whatever ENGINES names.
 * @param names as for `selectProviders`
 * @throws Error naming the setting that a named provider lacks, or that cannot be used
 */
export function indexLookups(api: Api, names: readonly string[] | null = null): IndexLookup[] {
  const own = api.connections ? ownInspections(api) : [];
  return [...own, ...selectProviders(LOOKUP_PROVIDERS, names, api.settings).map(({ make }) => make(api))];
}
