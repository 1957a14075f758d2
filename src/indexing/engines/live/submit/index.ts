import type { Lane } from "../../../../domain/projects/states.ts";
import type { Api } from "../api.ts";
import type { Channel } from "../channel.ts";
import { type Provider, selectProviders } from "../selection.ts";
import { bingWebmaster } from "./bing-webmaster.ts";
import { indexingApi } from "./indexing-api.ts";
import { indexNow } from "./indexnow.ts";
import { rapidUrlIndexer } from "./rapid-url-indexer.ts";
import { searchConsole } from "./search-console.ts";
import { speedyIndex } from "./speedyindex.ts";
import { yandexWebmaster } from "./yandex-webmaster.ts";

interface SubmissionProvider extends Provider {
  readonly lane: Lane;
  /** It hands the engine the sitemap that a page is in, and not the page. */
  readonly takesSitemaps?: true;
  make(api: Api, deps: ChannelDeps): Channel;
}

export interface ChannelDeps {
  /** Whether Google's Indexing API accepts this kind of page: see `indexingApi`. */
  isEligible(url: string): Promise<boolean>;
  /** Pause before a call that was not found is looked up once more, in real ms; default 5 s. */
  readonly lookupRetryMs?: number;
}

/** Every provider that accepts submissions, in the default order of preference within a lane. */
export const SUBMISSION_PROVIDERS: Readonly<Record<string, SubmissionProvider>> = {
  search_console: {
    lane: "google",
    settings: ["GOOGLE_SERVICE_ACCOUNT"],
    about: "hands Google the sitemap that the pages of a connected site were read from",
    takesSitemaps: true,
    make: (api) => searchConsole(api),
  },
  indexing_api: {
    lane: "google",
    settings: ["GOOGLE_SERVICE_ACCOUNT"],
    about: "notifies Google of job postings and livestreams of a connected site, 200 a day; only when named in ENGINES",
    byNameOnly: true,
    make: (api, { isEligible }) => indexingApi(api, isEligible),
  },
  speedyindex: {
    lane: "google",
    settings: ["SPEEDYINDEX_KEY"],
    about: "a reseller that takes any page and is paid per indexed page",
    make: (api, { lookupRetryMs }) => speedyIndex(api, api.settings.SPEEDYINDEX_KEY!, lookupRetryMs),
  },
  rapid_url_indexer: {
    lane: "google",
    settings: ["RAPID_URL_INDEXER_KEY"],
    about: "a reseller that takes any page and refunds pages that are not indexed by day 14",
    make: (api, { lookupRetryMs }) => rapidUrlIndexer(api, api.settings.RAPID_URL_INDEXER_KEY!, lookupRetryMs),
  },
  indexnow_bing: {
    lane: "bing",
    settings: ["INDEXNOW"],
    about: "notifies Bing of pages of verified sites",
    make: (api) => indexNow(api, "bing"),
  },
  bing_webmaster: {
    lane: "bing",
    settings: ["BING_WEBMASTER_KEY"],
    about: "submits pages of verified sites that are in the operator's Bing account",
    make: (api) => bingWebmaster(api, api.settings.BING_WEBMASTER_KEY!),
  },
  indexnow_yandex: {
    lane: "yandex",
    settings: ["INDEXNOW"],
    about: "notifies Yandex of pages of verified sites",
    make: (api) => indexNow(api, "yandex"),
  },
  yandex_webmaster: {
    lane: "yandex",
    settings: ["YANDEX_WEBMASTER_TOKEN"],
    about: "queues pages of verified sites that are in the operator's Yandex account for a recrawl",
    make: (api) => yandexWebmaster(api, api.settings.YANDEX_WEBMASTER_TOKEN!),
  },
};

/** The channels that notify Bing and Yandex of pages, in order of preference. @throws Error as `channels` does */
export function notificationChannels(api: Api, names: readonly string[] | null): Channel[] {
  return channels(api, names, { isEligible: async () => false }).filter(({ lane }) => lane !== "google");
}

/**
 * The channels of a live service, in order of preference. Search Console and Bing Webmaster are among them in any case, for
 * the accounts' own connections.
 * @param names as for `selectProviders`
 * @throws Error naming the setting that a named provider lacks, or that cannot be used
 */
export function channels(api: Api, names: readonly string[] | null, deps: ChannelDeps): Channel[] {
  const selected = selectProviders(SUBMISSION_PROVIDERS, names, api.settings).map(({ make }) => make(api, deps));
  if (!api.connections) return selected;
  const own = [searchConsole(api, false), bingWebmaster(api, null)];
  return [...own.filter(({ name }) => !selected.some((channel) => channel.name === name)), ...selected];
}
