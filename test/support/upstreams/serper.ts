import { type Fake, jsonBody, type Received, type Reply } from "./fake.ts";
import { indexCanaries, searchGoogle } from "./google-search.ts";
import type { World } from "./world.ts";

/** Serper (https://serper.dev). World: keys `serper`, credits `serper`. */
export const serper: Fake = (world) => {
  indexCanaries(world);
  return { serper: (request) => search(world, request) };
};

export const SERPER_UNAUTHORIZED: Reply = { status: 403, body: { message: "Unauthorized.", statusCode: 403 } };
export const SERPER_NO_CREDITS: Reply = { status: 400, body: { message: "Not enough credits", statusCode: 400 } };

function search(world: World, request: Received): Reply {
  const key = world.keys.get("serper");
  if (key === undefined || request.headers["x-api-key"] !== key) return SERPER_UNAUTHORIZED;
  if (request.path === "/account" && request.method === "GET")
    return { status: 200, body: { balance: world.credits.get("serper") ?? 2_500, rateLimit: 50 } };
  if (request.path !== "/search" || request.method !== "POST") return { status: 404, body: { message: "Not Found" } };
  const { q, ...more } = jsonBody(request) ?? {};
  if (typeof q !== "string" || q === "") return { status: 400, body: { message: "Missing query parameter" } };
  if (q.length > 2_048) return { status: 400, body: { message: "Query too long", statusCode: 400 } };
  if (!world.pay("serper", 1)) return SERPER_NO_CREDITS;
  const links = searchGoogle(world, q);
  const searchParameters = { q, ...more, type: "search", engine: "google" };
  // A page that could not be read has no organic part.
  if (links === null) return { status: 200, body: { searchParameters, credits: 1 } };
  const organic = links.map((link, index) => ({ title: `Title of ${link}`, link, snippet: "…", position: index + 1 }));
  return { status: 200, body: { searchParameters, organic, relatedSearches: [{ query: "more" }], credits: 1 } };
}
