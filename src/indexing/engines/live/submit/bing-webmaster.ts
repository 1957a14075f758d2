import type { Property } from "../../../../domain/connections/connections.ts";
import type { ApiResponse } from "../../../../platform/http-client/http-client.ts";
import { UpstreamFailure } from "../../../providers/failure.ts";
import type { Quota } from "../../../providers/quota.ts";
import type { OwnedSite, OwnProperty } from "../../engine.ts";
import { type Answers, type Api, ask, baseOf, failureOf, jsonOf, objectIn, quotaOf } from "../api.ts";
import type { Channel } from "../channel.ts";
import { routesOf } from "../own/routes.ts";

const NAME = "bing_webmaster";

/**
 * Bing Webmaster's URL submission
 * (https://learn.microsoft.com/dotnet/api/microsoft.bing.webmaster.api.interfaces.iwebmasterapi.submiturlbatch), for
 * sites of an account's own connection, which comes first, or of the operator's account. A call has at most 500 URLs. Each
 * site has a daily quota of its own, which Bing sets.
 * @param key the operator's; null: there is none
 */
export function bingWebmaster(api: Api, key: string | null): Channel {
  return {
    name: NAME,
    lane: "bing",
    batchSize: 500,
    concurrency: 2,
    perHost: true,
    async refuses({ url, site }) {
      if (bingRoute(url, site)) return null;
      if (key === null) return "no_provider";
      if (!site || site.isUnverified) return "host_not_verified";
      return site.connections[NAME] === undefined ? "host_not_connected" : null;
    },
    quota: ({ url, site }) => bingQuota(api, NAME, url, site!),
    async send({ urls, site }) {
      const account = await bingAccount(api, key, urls[0]!, site!);
      return submit(api, account.key, account.siteUrl, urls);
    },
  };
}

/** The account's own connection to Bing that has a page. */
export function bingRoute(url: string, site: OwnedSite | null): OwnProperty | undefined {
  return routesOf(NAME, url, site)[0];
}

/** The quota of a site, which is the same by whomever it is used. @param name under which it is counted */
export function bingQuota(api: Api, name: string, url: string, site: OwnedSite): Quota {
  const credential = bingRoute(url, site)?.connectionId ?? null;
  return quotaOf(api, name, { site: site.host, isPerSite: true, ...(credential === null ? {} : { credential }) });
}

/** By which key a page's site is reached, and how Bing names it. @param key the operator's @throws UpstreamFailure */
export async function bingAccount(
  api: Api,
  key: string | null,
  url: string,
  site: OwnedSite,
): Promise<{ key: string; siteUrl: string }> {
  const own = bingRoute(url, site);
  if (!own) return { key: key ?? "", siteUrl: site.connections[NAME] ?? "" };
  return { key: await api.connections!.key(own.connectionId, NAME), siteUrl: own.name };
}

/** The sites of the account of a key (https://learn.microsoft.com/dotnet/api/microsoft.bing.webmaster.api.interfaces.iwebmasterapi.getusersites). @throws UpstreamFailure */
export async function bingSites(api: Api, key: string): Promise<Property[]> {
  const answer = await ask(api, NAME, { method: "GET", url: addressOf(api, "GetUserSites", key) });
  const failure = failureIn(api, answer);
  if (failure) throw failure;
  const { d } = Object(jsonOf(NAME, answer)) as { d?: unknown };
  if (!Array.isArray(d)) throw new UpstreamFailure(NAME, "bad_answer");
  return d
    .filter((site) => typeof site?.Url === "string")
    .map(({ Url: name, IsVerified }) => ({ name, permission: IsVerified === true ? "verified" : "unverified" }));
}

/** Bing's URL of the site, if the operator's account has the host, else null. @throws UpstreamFailure */
export async function findBingSite(api: Api, host: string): Promise<string | null> {
  const key = api.settings.BING_WEBMASTER_KEY ?? "";
  for (const siteUrl of [`https://${host}/`, `http://${host}/`]) {
    const answer = await askForQuota(api, key, siteUrl);
    const failure = failureIn(api, answer);
    if (failure && failure.kind !== "host_not_connected") throw failure;
    if (!failure && Object(jsonOf(NAME, answer)).d) return siteUrl;
  }
  return null;
}

async function submit(api: Api, key: string, siteUrl: string, urlList: readonly string[]): Promise<null> {
  const headers = { "Content-Type": "application/json; charset=utf-8" };
  const body = JSON.stringify({ siteUrl, urlList });
  const answer = await ask(api, NAME, { method: "POST", url: addressOf(api, "SubmitUrlbatch", key), headers, body });
  const failure = failureIn(api, answer);
  if (failure?.kind === "quota") {
    throw new UpstreamFailure(NAME, "quota", { concerns: "site", left: await urlsLeft(api, key, siteUrl) });
  }
  if (failure) throw failure;
  if (!("d" in Object(jsonOf(NAME, answer)))) throw new UpstreamFailure(NAME, "bad_answer");
  return null;
}

/** How many URLs Bing still takes of a site today; undefined if it does not say. */
async function urlsLeft(api: Api, key: string, siteUrl: string): Promise<number | undefined> {
  const answer = await askForQuota(api, key, siteUrl).catch(() => null);
  const { DailyQuota, MonthlyQuota } = Object(answer && objectIn(answer).d) as Record<string, unknown>;
  const left = [DailyQuota, MonthlyQuota].filter((units) => typeof units === "number");
  return left.length === 0 ? undefined : Math.max(0, Math.min(...left));
}

/** https://learn.microsoft.com/dotnet/api/microsoft.bing.webmaster.api.interfaces.iwebmasterapi.geturlsubmissionquota */
function askForQuota(api: Api, key: string, siteUrl: string): Promise<ApiResponse> {
  const url = `${addressOf(api, "GetUrlSubmissionQuota", key)}&siteUrl=${encodeURIComponent(siteUrl)}`;
  return ask(api, NAME, { method: "GET", url });
}

function addressOf(api: Api, method: string, key: string): string {
  const base = baseOf(api, NAME, "https://ssl.bing.com");
  return `${base}/webmaster/api.svc/json/${method}?apikey=${encodeURIComponent(key)}`;
}

/** https://learn.microsoft.com/dotnet/api/microsoft.bing.webmaster.api.interfaces.apierrorcode */
const ANSWERS: Answers = {
  1: "server_error", // InternalError
  2: "server_error", // UnknownError
  3: "unauthorized", // InvalidApiKey
  4: "rate_limited", // ThrottleUser
  5: ["rate_limited", "site"], // ThrottleHost
  6: "unauthorized", // UserBlocked
  7: "invalid_url", // InvalidUrl
  8: "invalid_url", // InvalidParameter
  9: "unauthorized", // TooManySites
  10: "unauthorized", // UserNotFound
  11: "host_not_connected", // NotFound
  12: "refused", // AlreadyExists
  13: "host_not_connected", // NotAllowed
  14: "host_not_connected", // NotAuthorized
  15: "server_error", // UnexpectedState
  16: "refused", // Deprecated
  quota: ["quota", "site"],
};

/** Bing's error code, a number or text, which it also sends with status 200; null if there is none. */
function codeOf(answer: ApiResponse): number | null {
  const { ErrorCode, d } = objectIn(answer) as { ErrorCode?: unknown; d?: { ErrorCode?: unknown } | null };
  const code = Number(ErrorCode ?? d?.ErrorCode ?? 0);
  return code === 0 ? null : code;
}

/** The failure that an answer stands for; null if it is none. */
export function failureIn(api: Api, answer: ApiResponse): UpstreamFailure | null {
  const code = codeOf(answer);
  if (code === null) return answer.status === 200 ? null : failureOf(api, NAME, answer);
  // An exceeded quota has no code of its own. Only the message tells.
  const isQuota = /\bquota\b/i.test(String(objectIn(answer).Message));
  const refusal = { ...answer, status: Math.max(400, answer.status) };
  return failureOf(api, NAME, refusal, ANSWERS, isQuota ? "quota" : code);
}
