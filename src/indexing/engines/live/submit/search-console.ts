import type { EngineDetail } from "../../../../domain/projects/evidence-codes.ts";
import type { ApiResponse } from "../../../../platform/http-client/http-client.ts";
import { parseUrl } from "../../../../platform/text.ts";
import { UpstreamFailure } from "../../../providers/failure.ts";
import { type Answers, type Api, quotaOf } from "../api.ts";
import type { Channel, Target } from "../channel.ts";
import { isOfProperty, permissionIn, propertyFor, WEBMASTERS, webmastersOf } from "../google/properties.ts";
import { askGoogle, GOOGLE_ZONE, googleFailure, hiddenError } from "../google/request.ts";
import { tokensOf } from "../google/token.ts";
import { assumeNotArrived } from "./repeat-call.ts";

const NAME = "search_console";

/**
 * Google Search Console: submits the sitemap that the pages were read from. Google supports no other way of
 * announcing ordinary pages (https://developers.google.com/webmaster-tools/v1/sitemaps/submit). One call submits all
 * URLs of the sitemap, and can be repeated without harm.
 * @throws Error naming GOOGLE_SERVICE_ACCOUNT
 */
export function searchConsole(api: Api): Channel {
  tokensOf(api);
  return {
    name: NAME,
    lane: "google",
    batchSize: 500,
    concurrency: 2,
    perHost: true,
    refuses: (target) => refusal(api, target),
    quota: ({ url, site }) => quotaOf(api, NAME, { site: propertyFor(url, site!), zone: GOOGLE_ZONE }),
    async send({ urls, site, sitemapUrl }) {
      const [property, sitemap] = [propertyFor(urls[0]!, site!)!, sitemapUrl!].map(encodeURIComponent);
      const url = `${webmastersOf(api)}/sites/${property}/sitemaps/${sitemap}`;
      const answer = await askGoogle(api, NAME, WEBMASTERS, { method: "PUT", url });
      refuseFailed(api, answer);
      return "sitemap_submitted";
    },
    lookUp: assumeNotArrived,
  };
}

async function refusal(api: Api, { url, site, sitemapUrl }: Target): Promise<EngineDetail | null> {
  if (!site) return "host_not_verified";
  const property = propertyFor(url, site);
  if (property === null) return "host_not_connected";
  if (sitemapUrl === null || parseUrl(sitemapUrl)?.host !== parseUrl(url)?.host) return "no_sitemap";
  if (!isOfProperty(sitemapUrl, property)) return "no_sitemap";
  const permission = await permissionIn(api, property);
  const isAllowed = permission === undefined || permission === "siteOwner" || permission === "siteFullUser";
  return isAllowed ? null : "host_not_connected";
}

/**
 * What Google's answers mean here (https://developers.google.com/webmaster-tools/v1/errors). The call is about the
 * sitemap, and not about its pages.
 */
const ANSWERS: Answers = { 400: ["refused", "site"], 403: "host_not_connected", 404: "host_not_connected" };

/** Throws the failure of an answer. An answer without failure has an empty body. @throws UpstreamFailure */
function refuseFailed(api: Api, answer: ApiResponse): void {
  const result = hiddenError(answer) ?? answer;
  if (result.status !== 200 && result.status !== 204) throw googleFailure(api, NAME, result, ANSWERS);
  if (/^\s*</.test(result.text)) throw new UpstreamFailure(NAME, "bad_answer");
}
