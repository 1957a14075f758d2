import { type Fake, jsonBody, type Received, type Reply, textsOf } from "./fake.ts";
import type { World } from "./world.ts";

const NAME = "bing_webmaster";

/** Bing Webmaster's JSON API. Quotas of a day by site: `world.quotas.set("bing_webmaster https://example.com/", 10)`. */
export const bingWebmaster: Fake = (world) => ({
  [NAME](request) {
    const { method, path, query } = request;
    const key = query.get("apikey") ?? "";
    const sites = key === world.keys.get(NAME) ? world.bingSites : world.bingAccounts.get(key);
    if (!sites) return bingError(3, "InvalidApiKey");
    const call = `${method} ${path}`;
    if (call === "POST /webmaster/api.svc/json/SubmitUrlbatch") return submit(world, sites, request);
    if (call === "GET /webmaster/api.svc/json/GetUrlSubmissionQuota")
      return quota(world, sites, query.get("siteUrl") ?? "");
    if (call === "GET /webmaster/api.svc/json/GetUrlInfo") return urlInfo(world, sites, query);
    if (call === "GET /webmaster/api.svc/json/GetUserSites")
      return { status: 200, body: { d: [...sites].map((Url) => ({ Url, IsVerified: true })) } };
    return { status: 404 };
  },
});

type Sites = ReadonlySet<string>;

/** Bing's own form of an error; some are sent with 200, and some with the code as text. */
export function bingError(ErrorCode: number | string, message: string, status = 400): Reply {
  return { status, body: { ErrorCode, Message: `ERROR!!! ${message}` } };
}

function submit(world: World, sites: Sites, request: Received): Reply {
  const body = jsonBody(request);
  const siteUrl = String(body?.siteUrl);
  const urls = textsOf(body?.urlList);
  if (urls.length === 0 || urls.length > 500) return bingError(8, "InvalidParameter");
  if (!sites.has(siteUrl)) return bingError(14, "NotAuthorized");
  if (urls.some((url) => world.invalid.has(url) || !url.startsWith(siteUrl))) return bingError(7, "InvalidUrl");
  const pool = `${NAME} ${siteUrl}`;
  if (world.quotaLeft(pool, "UTC") < urls.length) {
    return bingError(2, `You have exceeded your daily url submission quota : ${world.quotas.get(pool)}`);
  }
  world.takeQuota(pool, "UTC", urls.length);
  world.recordSubmission(NAME, urls);
  return { status: 200, body: { d: null } };
}

/** Year 1 in California, which is how Bing says never. */
const NEVER = "/Date(-62135568000000-0800)/";

/** What Bing knows of a page: as `world.bingPages` says, or else as Google has it by then. */
function urlInfo(world: World, sites: Sites, query: URLSearchParams): Reply {
  const [siteUrl, Url] = [query.get("siteUrl") ?? "", query.get("url") ?? ""];
  if (!sites.has(siteUrl) || !Url.startsWith(siteUrl)) return bingError(14, "NotAuthorized");
  const is = world.bingPages.get(Url) ?? (world.isIndexed(Url) ? "indexed" : "unknown_to_bing");
  const [crawled, size] = [is !== "unknown_to_bing", is === "indexed" ? 23_888 : 0];
  const date = (at: number) => `/Date(${at})/`;
  const d = {
    __type: "UrlInfo:#Microsoft.Bing.Webmaster.Api",
    AnchorCount: 0,
    DiscoveryDate: crawled ? date(Date.parse("2025-10-15T07:00:00Z")) : NEVER,
    DocumentSize: size,
    HttpStatus: 0,
    IsPage: true,
    LastCrawledDate: crawled ? date(Date.parse("2025-12-01T18:52:58Z")) : NEVER,
    TotalChildUrlCount: 0,
    Url,
  };
  return { status: 200, body: { d } };
}

function quota(world: World, sites: Sites, siteUrl: string): Reply {
  if (!sites.has(siteUrl)) return bingError(14, "NotAuthorized");
  const DailyQuota = Math.min(world.quotaLeft(`${NAME} ${siteUrl}`, "UTC"), 10_000);
  const d = { __type: "UrlSubmissionQuota:#Microsoft.Bing.Webmaster.Api", DailyQuota, MonthlyQuota: 300_000 };
  return { status: 200, body: { d } };
}
