import type { ApiRequest, ApiResponse } from "../../../../platform/http-client/http-client.ts";
import { type Answers, type Api, baseOf, jsonOf, quotaOf } from "../api.ts";
import { propertiesOf, propertyFor } from "../google/properties.ts";
import { askGoogle, GOOGLE_ZONE, googleFailure } from "../google/request.ts";
import { tokensOf } from "../google/token.ts";
import type { IndexLookup, LookupResult } from "../lookup.ts";
import { askAsConnection } from "../own/request.ts";
import { routesOf } from "../own/routes.ts";
import { verdictOf } from "./coverage.ts";
import { crawlOf } from "./crawl.ts";

const NAME = "url_inspection";
const SCOPE = "https://www.googleapis.com/auth/webmasters.readonly";

/** Lookups a day for each property, whoever makes them. */
const DAILY = 2_000;

/**
 * URL Inspection: what Google's index holds about one URL of a verified property
 * (https://developers.google.com/webmaster-tools/v1/urlInspection.index/inspect). Each property has a quota of 2,000
 * a day and 600 a minute. The concurrency keeps calls below the quota of a minute.
 */
const INSPECTION = {
  name: NAME,
  method: "url_inspection",
  concurrency: 5,
  needsCanaries: false,
  maxUnits: 1,
} as const;

/** By the operator's service account. @throws Error naming GOOGLE_SERVICE_ACCOUNT */
export function urlInspection(api: Api): IndexLookup {
  tokensOf(api);
  return {
    ...INSPECTION,
    covers: (url, site) => site !== null && propertyFor(url, site) !== null,
    // Hosts of one domain property share its quota. Several prefixes of a host count as one, which asks for less.
    quota(site) {
      const properties = propertiesOf(site!).join(" ");
      return quotaOf(api, NAME, { site: properties, isPerSite: true, daily: DAILY, zone: GOOGLE_ZONE });
    },
    lookUp: (url, site) =>
      inspect(api, { url, property: propertyFor(url, site!)! }, (request) => askGoogle(api, NAME, SCOPE, request)),
  };
}

/** How many connections of an account to one property are tried for a URL. */
const TRIED = 2;

/**
 * By the account's own connections: first by the best one with the property, then by the next. They share the quota of the
 * property.
 */
export function ownInspections(api: Api): IndexLookup[] {
  return Array.from({ length: TRIED }, (_, rank): IndexLookup => {
    const routeTo = (url: string, site: Parameters<IndexLookup["covers"]>[1]) =>
      routesOf("search_console", url, site)[rank];
    return {
      ...INSPECTION,
      covers: (url, site) => routeTo(url, site) !== undefined,
      quota(site, url = "") {
        const { name, connectionId } = routeTo(url, site)!;
        const whose = { site: name, credential: connectionId };
        return quotaOf(api, NAME, { ...whose, isPerSite: true, daily: DAILY, zone: GOOGLE_ZONE });
      },
      lookUp(url, site) {
        const { name: property, connectionId } = routeTo(url, site)!;
        return inspect(api, { url, property }, (request) => askAsConnection(api, NAME, connectionId, request));
      },
    };
  });
}

async function inspect(
  api: Api,
  { url: inspectionUrl, property: siteUrl }: { url: string; property: string },
  ask: (request: Omit<ApiRequest, "timeMs">) => Promise<ApiResponse>,
): Promise<LookupResult> {
  const url = `${baseOf(api, NAME, "https://searchconsole.googleapis.com")}/v1/urlInspection/index:inspect`;
  const headers = { "Content-Type": "application/json" };
  // The coverage state is a sentence in this language; coverage.ts knows the English ones.
  const body = JSON.stringify({ inspectionUrl, siteUrl, languageCode: "en-US" });
  const answer = await ask({ method: "POST", url, headers, body });
  if (answer.status !== 200) throw googleFailure(api, NAME, answer, ANSWERS);
  const { inspectionResult } = (jsonOf(NAME, answer) ?? {}) as Inspection;
  const status = inspectionResult?.indexStatusResult ?? {};
  const crawl = crawlOf(inspectionUrl, status, api.clock.service());
  return { ...verdictOf(inspectionUrl, status), ...(crawl ? { crawl } : {}), unitsUsed: 1 };
}

/** What Google's answers mean here. The day's limit of a property is the one that is met first. */
const ANSWERS: Answers = {
  400: "invalid_url",
  403: "host_not_connected",
  404: "host_not_connected",
  429: ["quota", "site"],
};

interface Inspection {
  inspectionResult?: { indexStatusResult?: Readonly<Record<string, unknown>> | null } | null;
}
