import { countMatches, partsOf, withoutSlash } from "../../../../platform/urls/same-page.ts";
import { type Api, quotaOf } from "../api.ts";
import type { IndexLookup, LookupResult } from "../lookup.ts";

/** A provider that searches Google and reads the page of results. */
export interface SearchClient {
  readonly name: string;
  /** Searches that may be under way at once. */
  readonly concurrency: number;
  /** Units of one look: of the bare search and of the one with `site:`. */
  readonly units: { readonly bare: number; readonly site: number };
  /** Most characters of a query. */
  readonly maxQueryLength: number;
  /** List price of a unit in millionths of a dollar, where the operator gives none. */
  readonly price: number;
  /** @throws UpstreamFailure when there is no page of results */
  search(query: string): Promise<SearchPage>;
}

export interface SearchPage {
  /** The organic results. */
  readonly links: readonly string[];
  /**
   * Whether these are all there were: results in the documented form, or none and the provider's own word that there
   * are none. A page that was read in vain (a captcha, new markup) is not clean: it proves nothing.
   */
  readonly clean: boolean;
  readonly units: number;
}

/**
 * Looks for a page in Google's results. What is found is indexed. It is not indexed when two clean searches did not
 * find it, one for the address itself and one with `site:`; that is evidence, not proof: Google does not promise to
 * show every page it has, so the verdict takes a second look. Anything else is unknown (docs/rules.md rule 6).
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
  const seen = { queries: 0, results: 0, matches: 0 };
  let unitsUsed = 0;
  let isClean = true;
  for (const query of queriesOf(url)) {
    const page = await client.search(query);
    seen.queries += 1;
    seen.results += page.links.length;
    seen.matches += countMatches(url, page.links);
    unitsUsed += page.units;
    isClean &&= page.clean;
    if (seen.matches > 0) return { result: "indexed", reason: "match", counts: seen, unitsUsed };
  }
  if (!isClean || seen.queries === 0) return { result: "unknown", reason: "unclear_answer", counts: seen, unitsUsed };
  return { result: "not_indexed", reason: "no_match", counts: seen, unitsUsed };
}

/**
 * The searches for a page, the cheaper one first.
 *
 * The bare one is the address with its scheme, as a person would paste it, which Google takes for a wish to go there.
 * No quotes: they would ask for pages that have the address written in their text.
 *
 * `site:` matches the beginning of addresses, and tells schemes and `www.` apart where they are given
 * (developers.google.com/search/docs/monitor-debug/search-operators/all-search-site). So it goes without them, and
 * without the trailing slash, to let every spelling come that would count as a match. The query string stays, in its
 * own order: it is part of the address. Both go without tracking parameters, under which Google keeps no page.
 */
export function queriesOf(url: string): readonly string[] {
  const parts = partsOf(url);
  if (parts === null) return [];
  const { scheme, www, host, path, parameters } = parts;
  const query = parameters.length === 0 ? "" : `?${parameters.join("&")}`;
  const sitePath = query === "" ? withoutSlash(path) : path;
  return [`${scheme}${www}${host}${path}${query}`, `site:${host}${sitePath}${query}`];
}
