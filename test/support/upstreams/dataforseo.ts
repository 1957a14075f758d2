import type { Fake, Received, Reply } from "./fake.ts";
import { indexCanaries, searchGoogle } from "./google-search.ts";
import type { World } from "./world.ts";

/**
 * DataForSEO, Google organic, live (https://docs.dataforseo.com/v3/serp/google/organic/live/regular). World: keys
 * `dataforseo` (`login:password`), credits `dataforseo` in prices of one live search.
 */
export const dataforseo: Fake = (world) => {
  indexCanaries(world);
  return { dataforseo: (request) => search(world, request) };
};

const PATH = ["v3", "serp", "google", "organic", "live", "regular"];
const PRICE = 0.002;

/** Refuses the whole call, like nearly every answer with HTTP 200. */
export function dataforseoRefusal(code: number, message: string, status = 200): Reply {
  const head = { version: "0.1.20260717", status_code: code, status_message: message, time: "0.0 sec.", cost: 0 };
  return { status, body: { ...head, tasks_count: 0, tasks_error: 0, tasks: null } };
}

/** An accepted call with the result of its one task. */
export function dataforseoTask(code: number, message: string, result: unknown = null, cost = PRICE): Reply {
  const head = { version: "0.1.20260717", status_code: 20_000, status_message: "Ok.", time: "2.4 sec.", cost };
  const task = { id: "07231252-7652-0139-0000-301b3ccdda6f", status_code: code, status_message: message, cost };
  const isError = code === 20_000 ? 0 : 1;
  const count = Array.isArray(result) ? result.length : 0;
  const tasks = [{ ...task, time: "2.3 sec.", result_count: count, path: PATH, data: {}, result }];
  return { status: 200, body: { ...head, tasks_count: 1, tasks_error: isError, tasks } };
}

export const DATAFORSEO_UNAUTHORIZED = dataforseoRefusal(
  40_100,
  "You are not Authorized to Access this Resource.",
  401,
);

const OPERATORS =
  /allinanchor:|allintext:|allintitle:|allinurl:|define:|filetype:|id:|inanchor:|info:|intext:|intitle:|inurl:|link:|related:|site:/i;

function search(world: World, request: Received): Reply {
  const isAccount = request.path === "/v3/appendix/user_data";
  if (request.path !== `/${PATH.join("/")}` && !isAccount) return dataforseoRefusal(40_400, "Not Found.", 404);
  const login = world.keys.get("dataforseo");
  const sent = Buffer.from(request.headers.authorization?.replace(/^Basic /, "") ?? "", "base64").toString();
  if (login === undefined || sent !== login) return DATAFORSEO_UNAUTHORIZED;
  if (isAccount) {
    const balance = (world.credits.get("dataforseo") ?? 25_000) * PRICE;
    return dataforseoTask(20_000, "Ok.", [{ login: "secret-login", money: { total: 100, balance } }], 0);
  }
  const tasks = tasksOf(request.body);
  if (tasks.length !== 1) return dataforseoRefusal(40_000, "You can set only one task at a time.");
  const { keyword, location_code: location, language_code: language } = tasks[0]!;
  if (typeof keyword !== "string" || keyword === "") return dataforseoTask(40_501, "Invalid Field: 'keyword'.");
  if (typeof location !== "number") return dataforseoTask(40_501, "Invalid Field: 'location_code'.");
  if (typeof language !== "string") return dataforseoTask(40_501, "Invalid Field: 'language_code'.");
  const query = decoded(keyword);
  if (query.length > 700) return dataforseoTask(40_501, "Invalid Field: 'keyword'.");
  const price = OPERATORS.test(query) ? 5 : 1;
  if (!world.pay("dataforseo", price)) return dataforseoTask(40_200, "Payment Required.", null, 0);
  const links = searchGoogle(world, query);
  if (links === null) return dataforseoTask(40_101, "Internal SE Server Error.", null, price * PRICE);
  if (links.length === 0) return dataforseoTask(40_102, "No Search Results.", null, price * PRICE);
  return dataforseoTask(20_000, "Ok.", [resultOf(query, links)], price * PRICE);
}

function tasksOf(body: string): Record<string, unknown>[] {
  try {
    const tasks: unknown = JSON.parse(body);
    return Array.isArray(tasks) ? tasks : [];
  } catch {
    return [];
  }
}

/** Escapes in a keyword are decoded, and `+` is a space. */
function decoded(keyword: string): string {
  return keyword.replaceAll("+", " ").replace(/%([\dA-Fa-f]{2})/g, (_, hex) => String.fromCharCode(Number(`0x${hex}`)));
}

function resultOf(query: string, links: readonly string[]) {
  const items = links.map((url, index) => ({
    type: "organic",
    rank_group: index + 1,
    rank_absolute: index + 2,
    domain: new URL(url).hostname,
    title: `Title of ${url}`,
    description: "…",
    url,
    breadcrumb: url,
  }));
  const paid = { type: "paid", rank_group: 1, rank_absolute: 1, title: "Ad", url: "https://ads.example/landing" };
  return {
    keyword: query,
    type: "organic",
    se_domain: "google.com",
    check_url: `https://www.google.com/search?q=${encodeURIComponent(query)}&num=10&hl=en&gl=US`,
    datetime: "2026-01-05 12:00:00 +00:00",
    spell: null,
    item_types: ["paid", "organic"],
    se_results_count: items.length,
    items_count: items.length + 1,
    items: [paid, ...items],
  };
}
