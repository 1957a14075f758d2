import type { EngineDetail } from "../../../../domain/projects/evidence-codes.ts";
import type { ApiResponse } from "../../../../platform/http-client/http-client.ts";
import { parseUrl } from "../../../../platform/text.ts";
import { UpstreamFailure } from "../../../providers/failure.ts";
import type { OwnedSite, OwnProperty } from "../../engine.ts";
import { type Answers, type Api, quotaOf } from "../api.ts";
import type { Channel, Target } from "../channel.ts";
import { isOfProperty, permissionIn, propertyFor, WEBMASTERS, webmastersOf } from "../google/properties.ts";
import { askGoogle, GOOGLE_ZONE, googleFailure, hiddenError } from "../google/request.ts";
import { tokensOf } from "../google/token.ts";
import { askAsConnection } from "../own/request.ts";
import { routesOf } from "../own/routes.ts";
import { assumeNotArrived } from "./repeat-call.ts";

const NAME = "search_console";

/**
 * Google Search Console: submits the sitemap that the pages were read from. Google supports no other way of
 * announcing ordinary pages (https://developers.google.com/webmaster-tools/v1/sitemaps/submit). One call submits all
 * URLs of the sitemap, and can be repeated without harm. A connection of the account comes before the service account.
 * @param hasServiceAccount whether the operator has one
 * @throws Error naming GOOGLE_SERVICE_ACCOUNT
 */
export function searchConsole(api: Api, hasServiceAccount = true): Channel {
  if (hasServiceAccount) tokensOf(api);
  return {
    name: NAME,
    lane: "google",
    batchSize: 500,
    concurrency: 2,
    perHost: true,
    refuses: async (target) => {
      if (ownRoute(target)) return handsOver(target, ownRoute(target)!.name) ? null : "no_sitemap";
      return hasServiceAccount ? refusal(api, target) : "no_provider";
    },
    quota({ url, site }) {
      const own = ownRoute({ url, site });
      const whose = own ? { site: own.name, credential: own.connectionId } : { site: propertyFor(url, site!) };
      return quotaOf(api, NAME, { ...whose, zone: GOOGLE_ZONE });
    },
    async send({ urls, site, sitemapUrl }) {
      const own = ownRoute({ url: urls[0]!, site });
      const [property, sitemap] = [own?.name ?? propertyFor(urls[0]!, site!)!, sitemapUrl!].map(encodeURIComponent);
      const request = { method: "PUT", url: `${webmastersOf(api)}/sites/${property}/sitemaps/${sitemap}` } as const;
      const answer = own
        ? await askAsConnection(api, NAME, own.connectionId, request)
        : await askGoogle(api, NAME, WEBMASTERS, request);
      refuseFailed(api, answer);
      return "sitemap_submitted";
    },
    lookUp: assumeNotArrived,
  };
}

/** The account's own connection that takes the sitemaps of a page's property. */
function ownRoute({ url, site }: { url: string; site: OwnedSite | null }): OwnProperty | undefined {
  return routesOf("search_console", url, site, ({ takesSitemaps }) => takesSitemaps)[0];
}

/** Whether the project has a sitemap of the page's host that the property takes. */
function handsOver({ url, sitemapUrl }: Target, property: string): boolean {
  if (sitemapUrl === null || parseUrl(sitemapUrl)?.host !== parseUrl(url)?.host) return false;
  return isOfProperty(sitemapUrl, property);
}

async function refusal(api: Api, target: Target): Promise<EngineDetail | null> {
  const { url, site } = target;
  if (!site || site.isUnverified) return "host_not_verified";
  const property = propertyFor(url, site);
  if (property === null) return "host_not_connected";
  if (!handsOver(target, property)) return "no_sitemap";
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
