import type { World } from "./world.ts";

/** Pages that are certainly in Google's index: the default of CANARY_URLS. */
const CANARIES: readonly string[] = ["https://www.wikipedia.org/", "https://www.iana.org/"];

/** Puts the canaries into Google's index. A test that wants them missing removes them after the fakes have started. */
export function indexCanaries(world: World): void {
  for (const url of CANARIES) world.setIndexed(url, true);
}

/**
 * Google's results as the providers read them: the page that is searched for, under the URL that Google has, if it has
 * one, and others of the same host.
 * @returns null when there were no results to read, e.g. because of a captcha
 */
export function searchGoogle(world: World, query: string): string[] | null {
  const isSite = query.startsWith("site:");
  const address = (isSite ? query.slice("site:".length) : query).replace(/^https?:\/\//, "").replace(/^www\./, "");
  const all = spellingsOf(address);
  // Google keeps the URL that was submitted.
  const submitted = all.filter((url) => world.isKnown(url));
  const spellings = submitted.length > 0 ? submitted : all;
  const known = spellings.map((url) => world.isIndexed(url));
  if (known.includes(null)) return null;
  const found = spellings.filter((_, index) => known[index] === true).slice(0, 1);
  const [host = "", path = ""] = address.split(/\/(.*)/s);
  const isWide = !isSite || path === "";
  const others = isWide ? [`https://${host}/`, `https://${host}/about`, `https://www.${host}/contact?lang=en`] : [];
  return [...found, ...others.filter((url) => URL.canParse(url) && !all.includes(url))];
}

function spellingsOf(address: string): string[] {
  const [page = "", query] = address.split(/\?(.*)/s);
  const pages = page.endsWith("/") ? [page, page.slice(0, -1)] : [page, `${page}/`];
  const search = query === undefined ? "" : `?${query}`;
  return ["https://www.", "https://", "http://www.", "http://"].flatMap((start) =>
    pages.map((one) => `${start}${one}${search}`).filter((url) => URL.canParse(url)),
  );
}
