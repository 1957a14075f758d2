import type { ApiResponse } from "../../../../platform/http-client/http-client.ts";
import { retryAfter } from "../../../../platform/http-client/retry-after.ts";
import { nextMidnight } from "../../../providers/calendar.ts";
import { type FailureKind, UpstreamFailure } from "../../../providers/failure.ts";
import { type Api, ask, baseOf, failureOf, jsonOf, objectIn, quotaOf } from "../api.ts";
import type { Channel } from "../channel.ts";
import { type PartOutcome, sendInParts } from "./split-batch.ts";

const NAME = "bing_webmaster";

/**
 * Bing Webmaster's URL submission
 * (https://learn.microsoft.com/dotnet/api/microsoft.bing.webmaster.api.interfaces.iwebmasterapi.submiturlbatch), for
 * sites of the operator's account. A call has at most 500 URLs. Each site has a daily quota of its own, which Bing
 * sets.
 */
export function bingWebmaster(api: Api, key: string): Channel {
  return {
    name: NAME,
    lane: "bing",
    batchSize: 500,
    concurrency: 2,
    perHost: true,
    async refuses({ site }) {
      if (!site) return "host_not_verified";
      return site.connections[NAME] === undefined ? "host_not_connected" : null;
    },
    quota: ({ site }) => quotaOf(api, NAME, { name: `${NAME} ${site!.host}` }),
    async send({ urls, site }) {
      const siteUrl = site!.connections[NAME]!;
      return sendInParts(urls, 500, (part) => submit(api, key, siteUrl, part));
    },
  };
}

/** Bing's URL of the site, if the operator's account has the host, else null. @throws UpstreamFailure */
export async function findBingSite(api: Api, host: string): Promise<string | null> {
  const key = api.settings.BING_WEBMASTER_KEY ?? "";
  for (const siteUrl of [`https://${host}/`, `http://${host}/`]) {
    const url = `${addressOf(api, "GetUrlSubmissionQuota", key)}&siteUrl=${encodeURIComponent(siteUrl)}`;
    const answer = await ask(api, NAME, { method: "GET", url });
    const code = codeOf(answer);
    if (code === null) {
      if (answer.status !== 200) throw failureOf(api, NAME, answer);
      const { d } = (jsonOf(NAME, answer) ?? {}) as { d?: unknown };
      if (d) return siteUrl;
    } else if (!NOT_OURS.includes(code)) throw failureOfCode(api, code, answer);
  }
  return null;
}

async function submit(api: Api, key: string, siteUrl: string, urlList: readonly string[]): Promise<PartOutcome> {
  const headers = { "Content-Type": "application/json; charset=utf-8" };
  const body = JSON.stringify({ siteUrl, urlList });
  const answer = await ask(api, NAME, { method: "POST", url: addressOf(api, "SubmitUrlbatch", key), headers, body });
  const code = codeOf(answer);
  if (code === INVALID_URL) return "invalid";
  if (code !== null) throw failureOfCode(api, code, answer);
  if (answer.status !== 200) throw failureOf(api, NAME, answer);
  if (!("d" in Object(jsonOf(NAME, answer)))) throw new UpstreamFailure(NAME, "bad_answer");
  return { kind: "accepted" };
}

function addressOf(api: Api, method: string, key: string): string {
  const base = baseOf(api, NAME, "https://ssl.bing.com");
  return `${base}/webmaster/api.svc/json/${method}?apikey=${encodeURIComponent(key)}`;
}

/** Members of ApiErrorCode (https://learn.microsoft.com/dotnet/api/microsoft.bing.webmaster.api.interfaces.apierrorcode). */
const UNKNOWN_ERROR = 2;
const INVALID_URL = 7;

/** NotFound, NotAllowed, NotAuthorized: Bing's answers about a site that the account does not have. */
const NOT_OURS: readonly number[] = [11, 13, 14];

const KINDS: Readonly<Record<number, FailureKind>> = {
  1: "server_error", // InternalError
  3: "unauthorized", // InvalidApiKey
  4: "rate_limited", // ThrottleUser
  5: "rate_limited", // ThrottleHost
  6: "unauthorized", // UserBlocked
  10: "unauthorized", // UserNotFound
  11: "unauthorized", // NotFound: the site has left the account
  13: "unauthorized", // NotAllowed
  14: "unauthorized", // NotAuthorized
};

/** Bing's error code, a number or text, which it also sends with status 200; null if there is none. */
function codeOf(answer: ApiResponse): number | null {
  const { ErrorCode, d } = objectIn(answer) as { ErrorCode?: unknown; d?: { ErrorCode?: unknown } | null };
  const code = Number(ErrorCode ?? d?.ErrorCode ?? 0);
  return code === 0 ? null : code;
}

/** The failure that an answer to a question about a page stands for; null if it is no failure. */
export function failureIn(api: Api, answer: ApiResponse): UpstreamFailure | null {
  const code = codeOf(answer);
  if (code !== null) return failureOfCode(api, code, answer);
  return answer.status === 200 ? null : failureOf(api, NAME, answer);
}

function failureOfCode(api: Api, code: number, { text, status, headers }: ApiResponse): UpstreamFailure {
  // An exceeded quota has no code of its own. It is an UnknownError, and only the message tells.
  if (code === UNKNOWN_ERROR && /quota/i.test(text)) {
    return new UpstreamFailure(NAME, "quota", { until: nextMidnight("UTC", api.clock.service()) });
  }
  const kind = KINDS[code] ?? (code === UNKNOWN_ERROR || status >= 500 ? "server_error" : "refused");
  return new UpstreamFailure(NAME, kind, {
    until: kind === "rate_limited" ? retryAfter(headers, api.clock) : undefined,
  });
}
