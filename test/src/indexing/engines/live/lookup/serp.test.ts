import { afterEach, expect, test } from "vitest";
import {
  queriesOf,
  type SearchClient,
  type SearchPage,
  serpLookup,
} from "../../../../../../src/indexing/engines/live/lookup/serp.ts";
import type { IndexLookup } from "../../../../../../src/indexing/engines/live/lookup.ts";
import { anyQuota } from "../../../../../support/indexing/any-quota.ts";
import { type FakeProviders, startFakeProviders } from "../../../../../support/network/fake-providers.ts";

const URL = "https://www.example.com/a/?b=1";
const HIT = "https://example.com/a?b=1";
const page = (links: readonly string[], clean = true, units = 1): SearchPage => ({ links, clean, units });

const client: SearchClient = {
  name: "serper",
  concurrency: 3,
  units: { bare: 1, site: 5 },
  maxQueryLength: 60,
  price: 1_000,
  search: async () => page([]),
};

let providers: FakeProviders;
afterEach(() => providers?.close());

/** A lookup whose searches get the given pages in order, and the searches it made. */
async function lookupOver(...pages: readonly SearchPage[]): Promise<{ lookup: IndexLookup; searches: string[] }> {
  providers = await startFakeProviders();
  const searches: string[] = [];
  const search = async (query: string) => pages[searches.push(query) - 1]!;
  return { lookup: serpLookup(providers.api, { ...client, search }), searches };
}

test.each<[string, string, string, string]>([
  ["as it is", "https://example.com/a", "https://example.com/a", "site:example.com/a"],
  ["http", "http://example.com/a", "http://example.com/a", "site:example.com/a"],
  ["www", "https://www.example.com/a", "https://www.example.com/a", "site:example.com/a"],
  ["the home page", "https://www.example.com/", "https://www.example.com/", "site:example.com"],
  ["trailing slash", "https://example.com/a/", "https://example.com/a/", "site:example.com/a"],
  ["query", "https://example.com/a/?y=2&x=1", "https://example.com/a/?y=2&x=1", "site:example.com/a/?y=2&x=1"],
  ["tracking", "https://example.com/a?utm_source=x&y=2", "https://example.com/a?y=2", "site:example.com/a?y=2"],
  ["port", "https://example.com:8443/a", "https://example.com:8443/a", "site:example.com:8443/a"],
  ["escapes", "https://example.com/ä", "https://example.com/%C3%A4", "site:example.com/%C3%A4"],
  ["fragment", "https://example.com/a#b", "https://example.com/a", "site:example.com/a"],
])("the two searches for %s: %s", (_, url, bare, site) => {
  expect(queriesOf(url)).toEqual([bare, site]);
});

test("indexed: the bare search finds the page, and the second search is not paid for", async () => {
  const { lookup, searches } = await lookupOver(page(["https://example.com/", HIT, HIT]));
  expect(await lookup.lookUp(URL, null)).toEqual({
    result: "indexed",
    reason: "match",
    counts: { queries: 1, results: 3, matches: 2 },
    unitsUsed: 1,
  });
  expect(searches).toEqual([URL]);
});

test("indexed: the site: search finds the page, even after a bare search that was not clean", async () => {
  for (const first of [page(["https://example.com/"]), page([]), page([], false)]) {
    const { lookup, searches } = await lookupOver(first, page([HIT], true, 5));
    await providers.close();
    expect(await lookup.lookUp(URL, null)).toMatchObject({
      result: "indexed",
      counts: { queries: 2, matches: 1 },
      unitsUsed: 6,
    });
    expect(searches).toEqual([URL, "site:example.com/a/?b=1"]);
  }
});

test("indexed: a match counts even on a result page that was understood only in part", async () => {
  const { lookup } = await lookupOver(page([HIT], false));
  expect(await lookup.lookUp(URL, null)).toMatchObject({ result: "indexed", reason: "match" });
});

test("not_indexed: both searches are clean and find other pages, or none; the result is not authoritative", async () => {
  const { lookup } = await lookupOver(page(["https://example.com/", "https://example.com/a?b=2"]), page([], true, 5));
  expect(await lookup.lookUp(URL, null)).toEqual({
    result: "not_indexed",
    reason: "no_match",
    counts: { queries: 2, results: 2, matches: 0 },
    unitsUsed: 6,
  });
});

test.each<[string, SearchPage, SearchPage]>([
  ["the first", page([], false), page([])],
  ["the second", page([]), page([], false)],
  ["both", page([], false), page(["https://example.com/"], false)],
])("unknown: the %s search is not clean", async (_, first, second) => {
  const { lookup } = await lookupOver(first, second);
  const { result, reason, authoritative } = await lookup.lookUp(URL, null);
  expect([result, reason, authoritative]).toEqual(["unknown", "unclear_answer", undefined]);
});

test("covers exactly the URLs that fit into its searches, whatever their site", async () => {
  const { lookup } = await lookupOver();
  expect(lookup.covers(URL, null)).toBe(true);
  expect(lookup.covers(`https://example.com/${"a".repeat(40)}`, null)).toBe(true);
  expect(lookup.covers(`https://example.com/${"a".repeat(41)}`, null)).toBe(false);
  expect(lookup.covers("no address", null)).toBe(false);
});

test("its budget is shared by the provider's lookups, at the list price or the operator's", async () => {
  const { lookup } = await lookupOver();
  expect(lookup.quota(null)).toEqual(anyQuota("serper", { price: 1_000 }));
  expect([lookup.maxUnits, lookup.method, lookup.needsCanaries]).toEqual([6, "serp", true]);
  await providers.close();
  providers = await startFakeProviders({ PROVIDER_BUDGETS: "serper=50", PROVIDER_PRICES: "serper=0.0003" });
  expect(serpLookup(providers.api, client).quota(null)).toMatchObject({ daily: 50, price: 300 });
});
