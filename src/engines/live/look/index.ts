import type { ProviderSettings } from "../../../config.ts";
import type { Api } from "../api.ts";
import type { Looker } from "../looker.ts";
import { dataforseo } from "./dataforseo.ts";
import { serpLooker } from "./serp.ts";
import { serpapi } from "./serpapi.ts";
import { serper } from "./serper.ts";
import { type Token, urlInspection } from "./url-inspection.ts";

interface LookProvider {
  /** The setting it needs, or those that it needs together. */
  readonly setting: string;
  readonly about: string;
  isSet(settings: ProviderSettings): boolean;
  make(api: Api, token: Token): Looker;
}

/** Everyone that can be asked whether Google has a page, in the default order of preference. */
export const LOOK_PROVIDERS: Readonly<Record<string, LookProvider>> = {
  url_inspection: {
    setting: "GOOGLE_SERVICE_ACCOUNT",
    about: "Google's own word on pages of connected sites, 2,000 a day for each",
    isSet: ({ googleServiceAccount }) => googleServiceAccount !== undefined,
    make: (api, token) => urlInspection(api, token),
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
 * @param names null: every one whose setting is there. Otherwise those named, in that order; names of other providers
 * are passed over
 * @throws Error naming the setting that a named one lacks
 */
export function lookers(api: Api, token: Token, names: readonly string[] | null = null): Looker[] {
  const all = Object.keys(LOOK_PROVIDERS);
  const wanted = names?.filter((name) => all.includes(name)) ?? all.filter((name) => isSet(name, api.settings));
  return wanted.map((name) => {
    const { setting, make } = LOOK_PROVIDERS[name]!;
    if (!isSet(name, api.settings)) throw new Error(`ENGINES names ${name}, which needs ${setting}`);
    return make(api, token);
  });
}

function isSet(name: string, settings: ProviderSettings): boolean {
  return LOOK_PROVIDERS[name]!.isSet(settings);
}
