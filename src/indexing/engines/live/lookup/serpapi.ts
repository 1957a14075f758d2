import { UpstreamFailure } from "../../../providers/failure.ts";
import { type Api, ask, baseOf, failureOf, jsonOf } from "../api.ts";
import type { SearchClient, SearchPage } from "./serp.ts";

const NAME = "serpapi";

/**
 * SerpApi (https://serpapi.com/search-api, https://serpapi.com/search-errors): one search per call. SerpApi accepts
 * the key in the address only.
 */
export function serpapi(api: Api, key: string): SearchClient {
  const base = baseOf(api, NAME, "https://serpapi.com");
  return {
    name: NAME,
    concurrency: 5,
    units: { bare: 1, site: 1 },
    maxQueryLength: 2_048,
    price: 15_000,
    async search(q) {
      const query = new URLSearchParams({ ...PARAMETERS, q, api_key: key });
      const answer = await ask(api, NAME, { method: "GET", url: `${base}/search.json?${query}` });
      // The hourly limit has the same status. Only the text tells the two apart.
      if (answer.status === 429 && isOutOfSearches(answer.text)) throw new UpstreamFailure(NAME, "quota");
      if (answer.status !== 200) throw failureOf(api, NAME, answer);
      return pageOf(jsonOf(NAME, answer));
    },
  };
}

/**
 * `no_cache`: without it the same search within an hour is answered from a cache, and a second check half an hour
 * later, or a canary, would prove nothing. `filter=0`: includes results that Google omits as similar. `nfpr`: keeps
 * Google from correcting the address as if it were misspelt words.
 */
const PARAMETERS = { engine: "google", gl: "us", hl: "en", no_cache: "true", filter: "0", nfpr: "1", output: "json" };

function isOutOfSearches(text: string): boolean {
  return /run out of searches/i.test(text);
}

interface Answer {
  error?: unknown;
  search_metadata?: { status?: unknown };
  search_information?: { organic_results_state?: unknown };
  organic_results?: unknown;
}

function pageOf(answer: unknown): SearchPage {
  const { error, search_metadata, search_information, organic_results } = (answer ?? {}) as Answer;
  const status = search_metadata?.status;
  if (status === "Error") throw new UpstreamFailure(NAME, "server_error");
  // A success without results has an `error` text too, so the text counts only without the status Success.
  if (status !== "Success" && typeof error === "string")
    throw new UpstreamFailure(NAME, isOutOfSearches(error) ? "quota" : "bad_answer");
  const results = Array.isArray(organic_results) ? organic_results : [];
  const links = results.map((result) => result?.link).filter((link) => typeof link === "string");
  const { organic_results_state: state } = search_information ?? {};
  const isWhole = results.length > 0 ? links.length === results.length : state === "Fully empty";
  return { links, clean: status === "Success" && isWhole, units: 1 };
}
