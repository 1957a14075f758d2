import { UpstreamFailure } from "../../../providers/failure.ts";
import { type Answers, type Api, ask, baseOf, failureOf, jsonOf, notArrived, quotaOf } from "../api.ts";
import type { Channel } from "../channel.ts";
import { lookUpTwice } from "./repeat-call.ts";

const NAME = "rapid_url_indexer";

/** List price of a credit in millionths of a dollar. */
const PRICE = 45_300;

/** Credits for a URL in each mode. */
const CREDITS = { standard: 1, instant: 3 } as const;

/**
 * Rapid URL Indexer (https://rapidurlindexer.com/indexing-api/), a reseller that accepts pages of any site. It
 * refunds pages that are not indexed by day 14. A call is one project, whose name is the call's reference.
 */
export function rapidUrlIndexer(api: Api, key: string, lookupRetryMs?: number): Channel {
  const base = `${baseOf(api, NAME, "https://rapidurlindexer.com")}/wp-json/api/v1`;
  const headers = { "X-API-Key": key, "Content-Type": "application/json", Accept: "application/json" };
  const get = (path: string) => ask(api, NAME, { method: "GET", url: `${base}${path}`, headers });

  /** Throws the failure that 403 stands for: a wrong key or too few credits, which the balance tells apart. */
  async function throwForbidden(wanted: number, price: number): Promise<never> {
    const answer = await get("/credits/balance");
    if (answer.status !== 200) throw failureOf(api, NAME, answer);
    const { credits } = Object(jsonOf(NAME, answer)) as { credits?: unknown };
    const left = Math.floor(Number(credits) / price);
    throw left < wanted ? new UpstreamFailure(NAME, "quota", { left }) : new UpstreamFailure(NAME, "unauthorized");
  }

  return {
    name: NAME,
    lane: "google",
    batchSize: 500,
    concurrency: 2,
    perHost: false,
    refuses: async () => null,
    quota: () => quotaOf(api, NAME, { price: PRICE }),
    async send({ urls, mode, reference }) {
      const body = JSON.stringify({
        project_name: nameOf(reference),
        urls,
        notify_on_status_change: false,
        apex_mode_enabled: mode === "instant",
      });
      const answer = await ask(api, NAME, { method: "POST", url: `${base}/projects`, headers, body });
      if (answer.status === 403) return throwForbidden(urls.length, CREDITS[mode]).catch(notArrived);
      if (answer.status !== 200 && answer.status !== 201) throw failureOf(api, NAME, answer, ANSWERS);
      const { project_id } = Object(jsonOf(NAME, answer)) as Record<string, unknown>;
      if (project_id === undefined || project_id === null) throw new UpstreamFailure(NAME, "bad_answer");
      return mode === "instant" ? "apex" : null;
    },
    lookUp: ({ reference }) =>
      lookUpTwice(async () => {
        const answer = await get("/projects/list");
        if (answer.status !== 200) throw failureOf(api, NAME, answer);
        const { projects } = Object(jsonOf(NAME, answer)) as { projects?: unknown };
        if (!Array.isArray(projects)) throw new UpstreamFailure(NAME, "bad_answer");
        return projects.some((project) => nameOf(String(project?.name)) === nameOf(reference));
      }, lookupRetryMs),
  };
}

/** Invalid URLs of a list are left out in silence. A list of nothing else is a bad request. */
const ANSWERS: Answers = { 400: "invalid_url" };

/** The provider removes special characters from names, so only letters and digits are compared. */
function nameOf(reference: string): string {
  return reference.replace(/[^0-9A-Za-z]/g, "");
}
