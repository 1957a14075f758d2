import type { Engine } from "../../../../db/engine.ts";
import type { Lane } from "../../../domain/projects/states.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Config } from "../../../platform/config/config.ts";
import type { HttpClient } from "../../../platform/http-client/http-client.ts";
import { createPageReader, type PageReaderOptions } from "../../preflight/reader.ts";
import { ProviderBook } from "../../providers/book.ts";
import type { BingLookup, Engines, Submitter } from "../engine.ts";
import type { Api } from "./api.ts";
import { bingUrlInfo } from "./bing-url-info.ts";
import { Canaries } from "./lookup/canaries.ts";
import { indexLookups } from "./lookup/index.ts";
import { apiWithConnections } from "./own/api.ts";
import { namesOf } from "./providers.ts";
import { selectProviders } from "./selection.ts";
import { channels, SUBMISSION_PROVIDERS } from "./submit/index.ts";
import { liveSubmitter } from "./submitter.ts";
import { liveVerifier } from "./verifier.ts";

export interface LiveEngineDeps {
  readonly db: Engine;
  readonly clock: Clock;
  readonly config: Pick<Config, "engines" | "providers" | "mode" | "databaseUrl" | "secretsKeys">;
  readonly http: HttpClient;
  /** Options of the preflight that differ from the defaults. */
  readonly pageReader?: Pick<PageReaderOptions, "pace" | "recheckMs">;
}

/**
 * The lookup in Bing. The operator's key is for it only where Bing is used for submission too, because both need the same
 * connections of sites.
 */
function bingLookupOf(api: Api, names: readonly string[] | null, book: ProviderBook): BingLookup {
  const { bing_webmaster } = SUBMISSION_PROVIDERS;
  const [used] = selectProviders({ bing_webmaster: bing_webmaster! }, names, api.settings);
  return bingUrlInfo(api, used ? api.settings.BING_WEBMASTER_KEY! : null, book);
}

/**
 * The real engines that ENGINES selects.
 * @throws Error naming the setting that cannot be used
 */
export function liveEngines({ db, clock, config, http, pageReader }: LiveEngineDeps): Engines {
  const names = namesOf(config.engines);
  const api = apiWithConnections({ db, clock, config, http });
  const wantsPostings = names?.includes("indexing_api") ?? false;
  const pages = createPageReader({ http, clock, seeksPostings: wantsPostings, ...pageReader });
  const all = channels(api, names, { isEligible: pages.isEligible });
  const submitter = (lane: Lane): Submitter | null => {
    const own = all.filter((channel) => channel.lane === lane);
    return own.length === 0 ? null : liveSubmitter(own, clock);
  };
  return {
    submitters: { google: submitter("google"), bing: submitter("bing"), yandex: submitter("yandex") },
    verifier: liveVerifier(
      indexLookups(api, names),
      new Canaries(config.providers.canaryUrls, clock),
      new ProviderBook(db, clock),
    ),
    bing: bingLookupOf(api, names, new ProviderBook(db, clock)),
    pages,
    tracksProviders: true,
  };
}
