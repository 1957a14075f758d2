import { UpstreamFailure } from "../../../providers/failure.ts";
import { type Api, ask, baseOf, failureOf, jsonOf } from "../api.ts";
import type { SearchClient, SearchPage } from "./serp.ts";

const NAME = "serpapi";

/**
 * SerpApi (https://serpapi.com/search-api, https://serpapi.com/search-errors): one search per call. The key goes into
 * the address, the only place it is taken from.
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
      // Also the status of the hourly limit; which of the two it is stands in the text alone.
      if (answer.status === 429 && isOutOfSearches(answer.text)) throw new UpstreamFailure(NAME, "quota");
      if (answer.status !== 200) throw failureOf(api, NAME, answer);
      return pageOf(jsonOf(NAME, answer));
    },
  };
}

/**
 * `no_cache`: the same search within the hour is otherwise answered from memory, and a second look half an hour
 * later, or a canary, would prove nothing. `filter`: pages that Google leaves out for being alike are shown.
 * `nfpr`: an address is not to be corrected into the words that it looks like.
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
  // Without results there is an `error` text beside Success, too: only where Success is missing it means what it says.
  if (status !== "Success" && typeof error === "string")
    throw new UpstreamFailure(NAME, isOutOfSearches(error) ? "quota" : "bad_answer");
  const results = Array.isArray(organic_results) ? organic_results : [];
  const links = results.map((result) => result?.link).filter((link) => typeof link === "string");
  const { organic_results_state: state } = search_information ?? {};
  const isWhole = results.length > 0 ? links.length === results.length : state === "Fully empty";
  return { links, clean: status === "Success" && isWhole, units: 1 };
}
