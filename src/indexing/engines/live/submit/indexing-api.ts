import type { EngineDetail } from "../../../../domain/projects/evidence-codes.ts";
import { DAY } from "../../../../platform/clock.ts";
import { UpstreamFailure } from "../../../providers/failure.ts";
import { type Answers, type Api, baseOf, jsonOf, quotaOf } from "../api.ts";
import type { Channel, Target } from "../channel.ts";
import { permissionIn, propertyFor } from "../google/properties.ts";
import { askGoogle, GOOGLE_ZONE, googleFailure, hiddenError } from "../google/request.ts";
import { tokensOf } from "../google/token.ts";

const NAME = "indexing_api";
const SCOPE = "https://www.googleapis.com/auth/indexing";

/**
 * Publish requests a day for each Google Cloud project
 * (https://developers.google.com/search/apis/indexing-api/v3/quota-pricing).
 */
const DAILY = 200;

/**
 * Google's Indexing API (https://developers.google.com/search/apis/indexing-api/v3/using-api). Google allows it for
 * job postings and livestreams only, so every other page is refused. The service account must be an owner of the
 * property; a full user is not enough.
 * @param isEligible whether a page has JobPosting, or BroadcastEvent inside VideoObject, as structured data
 * @throws Error naming GOOGLE_SERVICE_ACCOUNT
 */
export function indexingApi(api: Api, isEligible: (url: string) => Promise<boolean>): Channel {
  tokensOf(api);
  const base = `${baseOf(api, NAME, "https://indexing.googleapis.com")}/v3/urlNotifications`;
  return {
    name: NAME,
    lane: "google",
    batchSize: 1,
    concurrency: 2,
    perHost: true,
    refuses: (target) => refusal(api, target, isEligible),
    quota: ({ url, site }) => quotaOf(api, NAME, { site: propertyFor(url, site!), daily: DAILY, zone: GOOGLE_ZONE }),
    async send({ urls }) {
      const headers = { "Content-Type": "application/json" };
      const body = JSON.stringify({ url: urls[0], type: "URL_UPDATED" });
      const answer = await askGoogle(api, NAME, SCOPE, { method: "POST", url: `${base}:publish`, headers, body });
      const result = hiddenError(answer) ?? answer;
      if (result.status !== 200) throw googleFailure(api, NAME, result, ANSWERS);
      const { urlNotificationMetadata } = (jsonOf(NAME, result) ?? {}) as { urlNotificationMetadata?: unknown };
      if (!urlNotificationMetadata) throw new UpstreamFailure(NAME, "bad_answer");
      return "published";
    },
    async lookUp({ urls }) {
      const url = `${base}/metadata?url=${encodeURIComponent(urls[0]!)}`;
      const answer = await askGoogle(api, NAME, SCOPE, { method: "GET", url });
      // Google was not notified, or ignored the notification. Another one does no harm.
      if (answer.status === 404) return false;
      if (answer.status !== 200) throw googleFailure(api, NAME, answer, { 429: "rate_limited" });
      const { latestUpdate } = (jsonOf(NAME, answer) ?? {}) as { latestUpdate?: { notifyTime?: unknown } };
      const at = Date.parse(String(latestUpdate?.notifyTime));
      // A notification that is a day old or older belongs to an earlier submission.
      return !Number.isNaN(at) && api.clock.service() - at < DAY;
    },
  };
}

/** What Google's answers mean here (https://developers.google.com/search/apis/indexing-api/v3/core-errors). */
const ANSWERS: Answers = { 400: "invalid_url", 403: "not_owner", 429: "quota" };

async function refusal(
  api: Api,
  { url, site }: Target,
  isEligible: (url: string) => Promise<boolean>,
): Promise<EngineDetail | null> {
  if (!site || site.isUnverified) return "host_not_verified";
  const property = propertyFor(url, site);
  if (property === null) return "host_not_connected";
  const permission = await permissionIn(api, property);
  if (permission !== undefined && permission !== "siteOwner") return "not_owner";
  return (await isEligible(url)) ? null : "not_eligible";
}
