import { MINUTE } from "../../../clock.ts";
import type { Answered } from "../../../http.ts";
import { nextMidnight } from "../../../providers/calendar.ts";
import { type OwnedSite, UpstreamFailure } from "../../engine.ts";
import { type Api, ask, baseOf, failureOf, jsonOf, poolOf } from "../api.ts";
import type { Looker } from "../looker.ts";
import { verdictOf } from "./coverage.ts";

const NAME = "url_inspection";
const SCOPE = "https://www.googleapis.com/auth/webmasters.readonly";

/** Gives an access token of Google for a scope. @throws UpstreamFailure */
export type Token = (scope: string) => Promise<string>;

/** Where Google's days begin. */
const ZONE = "America/Los_Angeles";

/**
 * Google's own word on one URL of a verified property (https://developers.google.com/webmaster-tools/v1/
 * urlInspection.index/inspect). 2,000 a day and 600 a minute for each property: at a second or two for an answer, five
 * at once stay below that.
 * @param token an access token of that scope
 */
export function urlInspection(api: Api, token: Token): Looker {
  const url = `${baseOf(api, NAME, "https://searchconsole.googleapis.com")}/v1/urlInspection/index:inspect`;
  return {
    name: NAME,
    method: "url_inspection",
    atOnce: 5,
    needsCanaries: false,
    units: 1,
    covers: (inspectionUrl, site) => isOfProperty(inspectionUrl, propertyOf(site)),
    // Hosts of one domain property share its quota.
    pool: (site) => poolOf(api, NAME, { name: `${NAME} ${propertyOf(site)}`, daily: 2_000, zone: ZONE }),
    async look(inspectionUrl, site) {
      const headers = { Authorization: `Bearer ${await token(SCOPE)}`, "Content-Type": "application/json" };
      // What Google says of the coverage is a sentence, and known to us in one language only.
      const body = JSON.stringify({ inspectionUrl, siteUrl: propertyOf(site), languageCode: "en-US" });
      const answer = await ask(api, NAME, { method: "POST", url, headers, body });
      if (answer.status !== 200) throw limitOf(api, answer) ?? failureOf(api, NAME, answer);
      const { inspectionResult } = (jsonOf(NAME, answer) ?? {}) as Inspection;
      return { ...verdictOf(inspectionUrl, inspectionResult?.indexStatusResult ?? {}), used: 1 };
    },
  };
}

interface Inspection {
  inspectionResult?: { indexStatusResult?: Readonly<Record<string, unknown>> | null } | null;
}

function propertyOf(site: OwnedSite | null): string | null {
  const { search_console: property = null } = site?.connections ?? {};
  return property;
}

/** Whether a property holds the URL: `sc-domain:example.com`, or a prefix such as `https://www.example.com/`. */
function isOfProperty(url: string, property: string | null): boolean {
  if (property === null) return false;
  if (!property.startsWith("sc-domain:")) return url.startsWith(property);
  const domain = property.slice("sc-domain:".length).toLowerCase();
  const [, host = ""] = /^https?:\/\/([^/:]*)/.exec(url) ?? [];
  return domain !== "" && (host === domain || host.endsWith(`.${domain}`));
}

/** Words by which Google says that it is too much, with 429 or 403 (https://cloud.google.com/apis/design/errors). */
const LIMITS = /"(?:RATE_LIMIT_EXCEEDED|RESOURCE_EXHAUSTED|(?:quota|dailyLimit|(?:userR|r)ateLimit)Exceeded)"/;
const PER_MINUTE = /"(?:userR|r)ateLimitExceeded"|per ?minute|"1\/min\//i;
const PER_DAY = /per ?day|"1\/d\/|"(?:quota|dailyLimit)Exceeded"/i;

/** The limit of a minute, which passes soon, or that of the day; of the day where it does not say. */
function limitOf({ clock }: Api, { status, text }: Answered): UpstreamFailure | null {
  if (status !== 429 && !(status === 403 && LIMITS.test(text))) return null;
  if (PER_MINUTE.test(text) && !PER_DAY.test(text))
    return new UpstreamFailure(NAME, "rate_limited", { until: clock.service() + MINUTE });
  const now = clock.now();
  return new UpstreamFailure(NAME, "quota", { until: clock.service() + nextMidnight(ZONE, now) - now });
}
