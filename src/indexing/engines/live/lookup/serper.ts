import { UpstreamFailure } from "../../../providers/failure.ts";
import { type Api, ask, baseOf, failureOf, jsonOf } from "../api.ts";
import type { SearchClient, SearchPage } from "./serp.ts";

const NAME = "serper";

/** The price of a search for up to 10 results, in credits. */
const CREDITS = 1;

/** Serper (https://serper.dev): one search per call, answered at once. */
export function serper(api: Api, key: string): SearchClient {
  const url = `${baseOf(api, NAME, "https://google.serper.dev")}/search`;
  return {
    name: NAME,
    concurrency: 10,
    units: { bare: CREDITS, site: CREDITS },
    maxQueryLength: 2_048,
    price: 1_000,
    async search(q) {
      const headers = { "X-API-KEY": key, "Content-Type": "application/json" };
      // Without autocorrect: Google would correct the address as if it were misspelt words.
      const body = JSON.stringify({ q, gl: "us", hl: "en", num: 10, page: 1, autocorrect: false });
      const answer = await ask(api, NAME, { method: "POST", url, headers, body });
      if (answer.status === 400 && isOutOfCredits(answer.text)) throw new UpstreamFailure(NAME, "quota");
      if (answer.status !== 200) throw failureOf(api, NAME, answer);
      return pageOf(jsonOf(NAME, answer));
    },
  };
}

/** Serper answers a lack of credits with the status of a bad request. */
function isOutOfCredits(text: string): boolean {
  return /not enough credits/i.test(text);
}

/** An empty list of organic results means that there are none; an answer without the list was not understood. */
function pageOf(answer: unknown): SearchPage {
  const { organic, searchParameters } = (answer ?? {}) as { organic?: unknown; searchParameters?: unknown };
  const results = Array.isArray(organic) ? organic : [];
  const links = results.map((result) => result?.link).filter((link) => typeof link === "string");
  const isWhole = Array.isArray(organic) && links.length === results.length;
  return { links, clean: isWhole && typeof searchParameters === "object", units: CREDITS };
}
