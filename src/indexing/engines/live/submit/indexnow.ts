import type { ApiResponse } from "../../../../platform/http-client/http-client.ts";
import { UpstreamFailure } from "../../../providers/failure.ts";
import { type Api, ask, baseOf, failureOf, quotaOf } from "../api.ts";
import type { Channel, ChannelOutcome } from "../channel.ts";
import { assumeNotArrived } from "./repeat-call.ts";

const LANES = {
  bing: { name: "indexnow_bing", origin: "https://www.bing.com" },
  yandex: { name: "indexnow_yandex", origin: "https://yandex.com" },
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
    refuses: async ({ site }) => (site ? null : "host_not_verified"),
    quota: () => quotaOf(api, name),
    async send({ urls, site }) {
      const { host, indexnowKey: key, keyUrl: keyLocation } = site!;
      const body = JSON.stringify({ host, key, keyLocation, urlList: urls });
      const headers = { "Content-Type": "application/json; charset=utf-8" };
      const outcome = outcomeOf(api, name, await ask(api, name, { method: "POST", url, headers, body }));
      return urls.map(() => outcome);
    },
    lookUp: assumeNotArrived,
  };
}

function outcomeOf(api: Api, name: string, answer: ApiResponse): ChannelOutcome {
  const { status } = answer;
  if (status === 403) return { kind: "rejected", detail: "key_not_accepted" };
  if (status === 422) return { kind: "rejected", detail: "url_not_of_host" };
  if (status !== 200 && status !== 202) throw failureOf(api, name, answer);
  refuseHidden(name, answer);
  return status === 202 ? { kind: "accepted", detail: "key_pending" } : { kind: "accepted" };
}

/**
 * Bing answers with an empty body, Yandex with `{"success": true}`. An HTML page does not come from the API.
 * @throws UpstreamFailure
 */
function refuseHidden(name: string, { text }: ApiResponse): void {
  if (/^\s*</.test(text)) throw new UpstreamFailure(name, "bad_answer");
  if (/"success"\s*:\s*false/.test(text)) throw new UpstreamFailure(name, "refused");
}
