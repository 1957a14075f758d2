import type { Fake, Received, Reply } from "./fake.ts";
import { indexCanaries, searchGoogle } from "./google-search.ts";
import type { World } from "./world.ts";

/** SerpApi (https://serpapi.com/search-api). World: keys `serpapi`, credits `serpapi`. */
export const serpapi: Fake = (world) => {
  indexCanaries(world);
  return { serpapi: (request) => search(world, request) };
};

const error = (text: string) => ({ error: text });

export const SERPAPI_UNAUTHORIZED: Reply = {
  status: 401,
  body: error("Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key"),
};
export const SERPAPI_NO_SEARCHES: Reply = { status: 429, body: error("Your account has run out of searches.") };
export const SERPAPI_HOURLY: Reply = {
  status: 429,
  body: error("You are exceeding 1000 searches per hour. Please spread out your searches throughout the hour."),
};
export const SERPAPI_FAILED: Reply = {
  status: 503,
  body: {
    search_metadata: { id: "5e8f2f0c", status: "Error" },
    search_parameters: { engine: "google" },
    error: "We couldn't get valid results for this search. Please try again later.",
  },
};

function search(world: World, { path, query }: Received): Reply {
  const isAccount = path === "/account.json";
  if (path !== "/search.json" && !isAccount)
    return { status: 404, body: error("The requested resource doesn't exist.") };
  const key = world.keys.get("serpapi");
  if (key === undefined || query.get("api_key") !== key) return SERPAPI_UNAUTHORIZED;
  if (isAccount) {
    const left = world.credits.get("serpapi") ?? 5_000;
    return { status: 200, body: { account_id: "5ac54d6a", total_searches_left: left, this_month_usage: 0 } };
  }
  const q = query.get("q");
  if (!q) return { status: 400, body: error("Missing query `q` parameter.") };
  if (!world.pay("serpapi", 1)) return SERPAPI_NO_SEARCHES;
  const links = searchGoogle(world, q);
  if (links === null) return SERPAPI_FAILED;
  const isEmpty = links.length === 0;
  const body = {
    search_metadata: { id: "5e8f2f0c", status: "Success", total_time_taken: 1.2 },
    search_parameters: { engine: query.get("engine"), q, gl: query.get("gl"), hl: query.get("hl"), device: "desktop" },
    search_information: {
      query_displayed: q,
      organic_results_state: isEmpty ? "Fully empty" : "Results for exact spelling",
    },
    ...(isEmpty
      ? error("Google hasn't returned any results for this query.")
      : { organic_results: links.map((link, index) => ({ position: index + 1, title: "Title", link, snippet: "…" })) }),
  };
  return { status: 200, body };
}
