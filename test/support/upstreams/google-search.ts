import type { World } from "./world.ts";

/** Pages that Google surely has: those of CANARY_URLS. */
const CANARIES: readonly string[] = ["https://www.wikipedia.org/", "https://www.iana.org/"];

/** Lets the world know the canaries. A test that wants them gone says so after the fakes have started. */
export function knowCanaries(world: World): void {
  for (const url of CANARIES) world.setIndexed(url, true);
}

/**
 * Google's page of results as the providers read it: the page that is looked for in the spelling that Google keeps,
 * if it has it, and others of the same host.
 * @returns null when there was no page to be read, e.g. a captcha
 */
export function searchGoogle(world: World, query: string): string[] | null {
  const isSite = query.startsWith("site:");
  const address = (isSite ? query.slice("site:".length) : query).replace(/^https?:\/\//, "").replace(/^www\./, "");
  const all = spellingsOf(address);
  // One that was handed over or settled is the spelling that Google keeps.
  const heard = all.filter((url) => world.isKnown(url));
  const spellings = heard.length > 0 ? heard : all;
  const known = spellings.map((url) => world.isIndexed(url));
  if (known.includes(null)) return null;
  const found = spellings.filter((_, place) => known[place] === true).slice(0, 1);
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
