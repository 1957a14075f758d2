import { jsonBody, type Received, type Reply } from "./fake.ts";
import { googleError } from "./google-error.ts";
import { holdsUrl, mayActIn } from "./search-console-properties.ts";
import type { World } from "./world.ts";

/** URL Inspection, of properties that the caller may see. */
export function inspect(world: World, request: Received, properties: ReadonlyMap<string, string>): Reply {
  if (request.path !== "/v1/urlInspection/index:inspect" || request.method !== "POST") return { status: 404 };
  const { inspectionUrl, siteUrl } = jsonBody(request) ?? {};
  const url = String(inspectionUrl);
  if (!mayActIn(properties, String(siteUrl)) || !holdsUrl(String(siteUrl), url)) {
    return googleError(403, "PERMISSION_DENIED", "You do not own this site, or the inspected URL is not part of it.");
  }
  if (world.takeQuota(`url_inspection ${siteUrl}`, "America/Los_Angeles", 1) === 0) {
    return googleError(429, "RESOURCE_EXHAUSTED", "Quota exceeded for sc-inspection requests per day.");
  }
  return {
    status: 200,
    body: {
      inspectionResult: {
        inspectionResultLink: "https://search.google.com/search-console/inspect",
        indexStatusResult: { ...statusOf(url, world.isIndexed(url)), ...world.inspections.get(url) },
      },
    },
  };
}

function statusOf(url: string, isThere: boolean | null): object {
  if (isThere === null) return { verdict: "VERDICT_UNSPECIFIED" };
  const robots = { robotsTxtState: "ALLOWED", indexingState: "INDEXING_ALLOWED", pageFetchState: "SUCCESSFUL" };
  const canonicals = { googleCanonical: url, userCanonical: url };
  if (isThere) return { verdict: "PASS", coverageState: "Submitted and indexed", ...robots, ...canonicals };
  return { verdict: "NEUTRAL", coverageState: "Crawled - currently not indexed", ...robots };
}
