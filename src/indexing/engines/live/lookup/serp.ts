import { countMatches, partsOf, withoutSlash } from "../../../../platform/urls/same-page.ts";
import { type Api, quotaOf } from "../api.ts";
import type { IndexLookup, LookupResult } from "../lookup.ts";

/** A provider that searches Google and reads the page of results. */
export interface SearchClient {
  readonly name: string;
  /** Searches that may run at once. */
  readonly concurrency: number;
  /** Units of a bare search, and of a search with `site:`. */
  readonly units: { readonly bare: number; readonly site: number };
  /** Most characters of a query. */
  readonly maxQueryLength: number;
  /** List price of a unit in millionths of a dollar. */
  readonly price: number;
  /** @throws UpstreamFailure when there is no page of results */
  search(query: string): Promise<SearchPage>;
}

export interface SearchPage {
  /** The organic results. */
  readonly links: readonly string[];
  /**
   * Whether the page was read completely: its results have the documented form, or the provider states that there are
   * none. A page that the provider could not read (a captcha, new markup) is not clean and proves nothing.
   */
  readonly clean: boolean;
  readonly units: number;
}

/**
 * Looks for a page in Google's results. A page that is found is indexed. It is not indexed when two clean searches do
 * not find it: one for the address itself, and one with `site:`. This is evidence and not proof, because Google does
 * not promise to show every page of its index. The verdict therefore takes a second check. Anything else is unknown
 * (docs/rules.md rule 6).
 */
export function serpLookup(api: Api, client: SearchClient): IndexLookup {
  const { name, concurrency, units, maxQueryLength, price } = client;
  return {
    name,
    method: "serp",
    concurrency,
    needsCanaries: true,
    maxUnits: units.bare + units.site,
    covers: (url) => fits(queriesOf(url), maxQueryLength),
    quota: () => quotaOf(api, name, { price }),
    lookUp: (url) => searchForPage(url, client),
  };
}

function fits(queries: readonly string[], longest: number): boolean {
  return queries.length > 0 && queries.every(({ length }) => length <= longest);
}

async function searchForPage(url: string, client: SearchClient): Promise<LookupResult> {
  const counts = { queries: 0, results: 0, matches: 0 };
  let unitsUsed = 0;
  let isClean = true;
  for (const query of queriesOf(url)) {
    const page = await client.search(query);
    counts.queries += 1;
    counts.results += page.links.length;
    counts.matches += countMatches(url, page.links);
    unitsUsed += page.units;
    isClean &&= page.clean;
    if (counts.matches > 0) return { result: "indexed", reason: "match", counts, unitsUsed };
  }
  if (!isClean || counts.queries === 0) return { result: "unknown", reason: "unclear_answer", counts, unitsUsed };
  return { result: "not_indexed", reason: "no_match", counts, unitsUsed };
}

/**
 * The searches for a page, the cheaper one first.
 *
 * The bare search is for the address with its scheme, as a person would paste it. Google treats it as a navigational
 * query. Quotes are left out, because they would ask for pages that contain the address in their text.
 *
 * `site:` matches the beginning of addresses, and distinguishes schemes and `www.` where they are given
 * (developers.google.com/search/docs/monitor-debug/search-operators/all-search-site). The scheme, `www.` and the
 * trailing slash are left out, so that every spelling that counts as a match is found. The query string keeps its
 * order, because it is part of the address. Both searches leave out tracking parameters, because Google indexes no
 * page under them.
 */
export function queriesOf(url: string): readonly string[] {
  const parts = partsOf(url);
  if (parts === null) return [];
  const { scheme, www, host, path, parameters } = parts;
  const query = parameters.length === 0 ? "" : `?${parameters.join("&")}`;
  const sitePath = query === "" ? withoutSlash(path) : path;
  return [`${scheme}${www}${host}${path}${query}`, `site:${host}${sitePath}${query}`];
}
