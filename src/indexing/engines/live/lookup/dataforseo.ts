import type { ApiResponse } from "../../../../platform/http-client/http-client.ts";
import type { UpstreamFailure } from "../../../providers/failure.ts";
import { type Answers, type Api, ask, baseOf, failureOf, jsonOf } from "../api.ts";
import type { SearchClient, SearchPage } from "./serp.ts";

const NAME = "dataforseo";

/**
 * Units of a search. One unit is the price of a live search for 10 results; an operator in the keyword costs five.
 */
const UNITS = { bare: 1, site: 5 };

/**
 * DataForSEO, Google organic, live (https://docs.dataforseo.com/v3/serp/google/organic/live/regular): one task per
 * call, answered at once. Nearly every answer has HTTP 200. The result is in its status codes
 * (https://docs.dataforseo.com/v3/appendix/errors), one for the call and one for the task.
 */
export function dataforseo(api: Api, { login, password }: { login: string; password: string }): SearchClient {
  const url = `${baseOf(api, NAME, "https://api.dataforseo.com")}/v3/serp/google/organic/live/regular`;
  const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}`;
  return {
    name: NAME,
    concurrency: 20,
    units: UNITS,
    maxQueryLength: 700,
    price: 2_000,
    async search(query) {
      const headers = { Authorization: authorization, "Content-Type": "application/json" };
      const body = JSON.stringify([{ ...LOCATION, keyword: keywordOf(query), depth: 10 }]);
      const answer = await ask(api, NAME, { method: "POST", url, headers, body });
      if (answer.status !== 200) throw failureOf(api, NAME, answer);
      return pageOf(api, answer, query.startsWith("site:") ? UNITS.site : UNITS.bare);
    },
  };
}

/** The United States, in English. */
const LOCATION = { location_code: 2840, language_code: "en", device: "desktop" };

/** Operators that make a search more expensive, or refused, anywhere in the keyword. */
const OPERATORS =
  /(?<=.)(allinanchor|allintext|allintitle|allinurl|cache|define|filetype|id|inanchor|info|intext|intitle|inurl|link|related|site):/gi;

/**
 * The query as a keyword. DataForSEO decodes escapes and reads `+` as a space, so both are escaped once more. A colon
 * that would turn a word of the address into an operator is escaped too.
 */
function keywordOf(query: string): string {
  return query.replace(OPERATORS, "$1%3A").replaceAll("%", "%25").replaceAll("+", "%2B");
}

const OK = 20_000;
const NO_SEARCH_RESULTS = 40_102;

interface Result {
  items?: unknown;
}

function pageOf(api: Api, answer: ApiResponse, units: number): SearchPage {
  const { status_code: code, tasks } = (jsonOf(NAME, answer) ?? {}) as { status_code?: unknown; tasks?: unknown };
  if (code !== OK) throw failureOfCode(api, answer, code);
  const task = Array.isArray(tasks) ? tasks[0] : null;
  const { status_code: taskCode, result } = (task ?? {}) as { status_code?: unknown; result?: unknown };
  if (taskCode === NO_SEARCH_RESULTS) return { links: [], clean: true, units };
  if (taskCode !== OK) throw failureOfCode(api, answer, taskCode);
  const { items } = ((Array.isArray(result) ? result[0] : null) ?? {}) as Result;
  const organic = Array.isArray(items) ? items.filter((item) => item?.type === "organic") : [];
  const links = organic.map((item) => item.url).filter((link) => typeof link === "string");
  // A page without results has a code of its own. A page that merely has no organic results was not understood.
  return { links, clean: links.length > 0 && links.length === organic.length, units };
}

/** Codes with a meaning that their range does not tell. */
const ANSWERS: Answers = {
  40100: "unauthorized",
  40101: "server_error", // Google answered with an error
  40103: "server_error", // the task could not be carried out
  40104: "unauthorized", // the account is not verified
  40200: "quota",
  40201: "unauthorized", // the account is suspended
  40202: "rate_limited",
  40203: "quota", // daily cost limit
  40204: "unauthorized", // no subscription
  40205: ["rate_limited", "url"], // hourly limit of equal searches
  40207: "unauthorized", // the address is not on the account's list
  40209: "rate_limited",
  40210: "quota",
};

function failureOfCode(api: Api, answer: ApiResponse, code: unknown): UpstreamFailure {
  const range = typeof code === "number" ? code : 0;
  const status = range >= 50_000 ? 503 : range >= 40_000 ? 400 : 200;
  return failureOf(api, NAME, { ...answer, status }, ANSWERS, code);
}
