import type { ApiResponse } from "../../../../platform/http-client/http-client.ts";
import { UpstreamFailure } from "../../../providers/failure.ts";
import { type Answers, type Api, ask, baseOf, failureOf, objectIn, quotaOf } from "../api.ts";
import type { Channel } from "../channel.ts";
import { assumeNotArrived } from "./repeat-call.ts";

const LANES = {
  bing: { name: "indexnow_bing", engine: "Bing", origin: "https://www.bing.com" },
  yandex: { name: "indexnow_yandex", engine: "Yandex", origin: "https://yandex.com" },
} as const;

/**
 * IndexNow (https://www.indexnow.org/documentation): tells an engine that pages of a host are new, changed or gone.
 * The engine reads the pages to find out which. It requires a key file on the host, so it is for verified sites only.
 * A call can be repeated without harm.
 */
export function indexNow(api: Api, lane: "bing" | "yandex"): Channel {
  const { name, origin } = LANES[lane];
  const url = `${baseOf(api, name, origin)}/indexnow`;
  return {
    name,
    lane,
    batchSize: 500,
    concurrency: 2,
    perHost: true,
    takesDeletions: true,
    async refuses({ site }) {
      if (!site || site.isUnverified) return "host_not_verified";
      return site.keyUrl === null ? "key_not_accepted" : null;
    },
    // A key that the engine does not take is replaced by another one of the same host.
    quota: ({ site }) => quotaOf(api, name, { site: keyPathOf(site!.keyUrl!) }),
    async send({ urls, site }) {
      const { host, indexnowKey: key, keyUrl: keyLocation } = site!;
      const body = JSON.stringify({ host, key, keyLocation, urlList: urls });
      const headers = { "Content-Type": "application/json; charset=utf-8" };
      const answer = await ask(api, name, { method: "POST", url, headers, body });
      if (answer.status !== 200 && answer.status !== 202) throw failureIn(api, name, answer);
      refuseHidden(name, answer);
      return answer.status === 202 ? "key_pending" : null;
    },
    lookUp: assumeNotArrived,
  };
}

/** The names under which failures of a key are recorded, of each engine. */
export function keyHoldersOf(keyUrl: string): { engine: string; holder: string }[] {
  return Object.values(LANES).map(({ name, engine }) => ({ engine, holder: `${name} ${keyPathOf(keyUrl)}` }));
}

function keyPathOf(keyUrl: string): string {
  return keyUrl.replace(/^https?:\/\//, "");
}

/** https://www.indexnow.org/documentation. The codes of text are Bing's, which nobody documents. */
const ANSWERS: Answers = {
  400: "invalid_url",
  403: "key_not_accepted",
  422: "url_not_of_host",
  // Too many URLs of the site, which looks like spam.
  429: ["rate_limited", "site"],
  SiteVerificationNotCompleted: "key_pending",
  UserForbiddedToAccessSite: "key_refused",
  key: "key_not_accepted",
};

function failureIn(api: Api, name: string, answer: ApiResponse): UpstreamFailure {
  const { errorCode, details, message } = objectIn(answer) as Record<string, unknown>;
  // Bing names the fields of the request that it refuses, and Yandex says what is wrong with the key.
  const fields = Array.isArray(details) ? details.map((detail) => String(detail?.target)) : [];
  const isOfKey = [...fields, String(message)].some((text) => /^(invalid )?key/i.test(text));
  return failureOf(api, name, answer, ANSWERS, isOfKey ? "key" : errorCode);
}

/**
 * Bing answers with an empty body, Yandex with `{"success": true}`. An HTML page does not come from the API.
 * @throws UpstreamFailure
 */
function refuseHidden(name: string, { text }: ApiResponse): void {
  if (/^\s*</.test(text)) throw new UpstreamFailure(name, "bad_answer");
  if (/"success"\s*:\s*false/.test(text)) throw new UpstreamFailure(name, "refused");
}
