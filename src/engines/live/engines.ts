import type { Engine } from "../../../db/engine.ts";
import type { Clock } from "../../clock.ts";
import type { Config } from "../../config.ts";
import type { Http } from "../../http.ts";
import { createPageReader, type PageReaderParts } from "../../pages/reader.ts";
import type { Lane } from "../../projects/states.ts";
import { ProviderBook } from "../../providers/book.ts";
import type { Engines, Submitter } from "../engine.ts";
import type { Api } from "./api.ts";
import { tokensOf } from "./google/token.ts";
import { Canaries } from "./look/canaries.ts";
import { LOOK_PROVIDERS, lookers } from "./look/index.ts";
import { channels, SUBMISSION_PROVIDERS } from "./submit/index.ts";
import { liveSubmitter } from "./submitter.ts";
import { liveVerifier } from "./verifier.ts";

export interface LiveParts {
  readonly db: Engine;
  readonly clock: Clock;
  readonly config: Pick<Config, "engines" | "providers">;
  readonly http: Http;
  /** How pages are read, where it is not as usual. */
  readonly reading?: Pick<PageReaderParts, "pace" | "againMs">;
}

/**
 * The real engines, as ENGINES chooses them.
 * @throws Error naming what of the settings cannot be used
 */
export function liveEngines({ db, clock, config, http, reading }: LiveParts): Engines {
  const names = namesOf(config.engines);
  const api: Api = { http, clock, settings: config.providers };
  const wantsPostings = names?.includes("indexing_api") ?? false;
  const pages = createPageReader({ http, clock, seeksPostings: wantsPostings, ...reading });
  const all = channels(api, names, { isEligible: pages.isEligible });
  const submitter = (lane: Lane): Submitter | null => {
    const own = all.filter((channel) => channel.lane === lane);
    return own.length === 0 ? null : liveSubmitter(own);
  };
  return {
    submitters: { google: submitter("google"), bing: submitter("bing"), yandex: submitter("yandex") },
    verifier: liveVerifier(
      lookers(api, (scope) => tokensOf(api).of("url_inspection", scope), names),
      new Canaries(config.providers.canaryUrls, clock),
      new ProviderBook(db, clock),
    ),
    pages,
    keepsBook: true,
  };
}

/** What a live service lacks for its work: a sentence each. */
export function gapsOf({ engines, providers }: Pick<Config, "engines" | "providers">): string[] {
  const names = namesOf(engines);
  const isUsed = ([name, { isSet, byNameOnly }]: [string, Use]) =>
    names ? names.includes(name) : !byNameOnly && isSet(providers);
  const submits = Object.entries(SUBMISSION_PROVIDERS).filter(([, { lane }]) => lane === "google");
  return [
    ...(submits.some(isUsed) ? [] : ["no provider can submit to Google: every link fails, its credits come back"]),
    ...(Object.entries(LOOK_PROVIDERS).some(isUsed)
      ? []
      : ["no provider can look pages up: every link is unverifiable, its credits come back"]),
  ];
}

interface Use {
  readonly byNameOnly?: boolean;
  isSet(settings: Config["providers"]): boolean;
}

/** Null: every provider that has its setting. */
function namesOf(engines: readonly string[]): readonly string[] | null {
  if (engines.length === 1 && engines[0] === "live") return null;
  const known = [...Object.keys(SUBMISSION_PROVIDERS), ...Object.keys(LOOK_PROVIDERS)];
  const unknown = engines.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`ENGINES: "${unknown}" is not one of sandbox, live, ${known.join(", ")}`);
  return engines;
}
