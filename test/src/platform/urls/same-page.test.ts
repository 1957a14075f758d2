import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countMatches, isSamePage, partsOf } from "../../../../src/platform/urls/same-page.ts";
import { fuzzRuns } from "../../../support/checks/fuzz-runs.ts";

const SAME: readonly (readonly [why: string, one: string, other: string])[] = [
  ["letter for letter", "https://example.com/a", "https://example.com/a"],
  ["scheme", "https://example.com/a", "http://example.com/a"],
  ["www", "https://www.example.com/a", "https://example.com/a"],
  ["www and scheme", "http://www.example.com/", "https://example.com"],
  ["trailing slash", "https://example.com/a/", "https://example.com/a"],
  ["trailing slash before a query", "https://example.com/a/?x=1", "https://example.com/a?x=1"],
  ["trailing slash of the root", "https://example.com/", "https://example.com"],
  ["fragment", "https://example.com/a#part", "https://example.com/a"],
  ["text fragment of a result", "https://example.com/a#:~:text=some%20words", "https://example.com/a"],
  ["case of the host", "https://EXAMPLE.com/a", "https://example.com/a"],
  ["trailing dot of the host", "https://example.com./a", "https://example.com/a"],
  ["default port of https", "https://example.com:443/a", "https://example.com/a"],
  ["default port of http", "http://example.com:80/a", "https://example.com/a"],
  ["punycode", "https://bücher.example/a", "https://xn--bcher-kva.example/a"],
  ["case of the escapes", "https://example.com/%c3%a4", "https://example.com/%C3%A4"],
  ["escaped or not", "https://example.com/ä", "https://example.com/%C3%A4"],
  ["unreserved characters escaped", "https://example.com/%7euser", "https://example.com/~user"],
  ["dot segments", "https://example.com/a/../b", "https://example.com/b"],
  ["empty query", "https://example.com/a?", "https://example.com/a"],
  ["order of the query", "https://example.com/a?x=1&y=2", "https://example.com/a?y=2&x=1"],
  ["empty parameters", "https://example.com/a?&x=1&", "https://example.com/a?x=1"],
  ["utm", "https://example.com/a?utm_source=x&utm_medium=y", "https://example.com/a"],
  ["utm among others", "https://example.com/a?x=1&utm_campaign=z&y=2", "https://example.com/a?x=1&y=2"],
  ["UTM in capitals", "https://example.com/a?UTM_Source=x", "https://example.com/a"],
  ["utm escaped", "https://example.com/a?utm%5Fsource=x", "https://example.com/a"],
  ["gclid", "https://example.com/a?gclid=abc", "https://example.com/a"],
  ["fbclid", "https://example.com/a?fbclid=abc", "https://example.com/a"],
  ["msclkid", "https://example.com/a?msclkid=abc", "https://example.com/a"],
  ["yclid", "https://example.com/a?yclid=abc", "https://example.com/a"],
  ["mc_eid", "https://example.com/a?mc_eid=abc", "https://example.com/a"],
  ["_ga", "https://example.com/a?_ga=1.2.3", "https://example.com/a"],
  ["what Google adds to links of shops", "https://example.com/a?srsltid=AfmBO", "https://example.com/a"],
  ["a tracking parameter without a value", "https://example.com/a?gclid", "https://example.com/a"],
  ["all at once", "http://www.EXAMPLE.com:80/%7Ea/?b=2&utm_id=1&a=1#x", "https://example.com/~a?a=1&b=2"],
];

const APART: readonly (readonly [why: string, one: string, other: string])[] = [
  ["another path", "https://example.com/a", "https://example.com/b"],
  ["the home page", "https://example.com/a", "https://example.com/"],
  ["a page below", "https://example.com/a", "https://example.com/a/b"],
  ["a path that goes on", "https://example.com/page/1", "https://example.com/page/10"],
  ["case of the path", "https://example.com/A", "https://example.com/a"],
  ["two slashes", "https://example.com/a//", "https://example.com/a"],
  ["index.html", "https://example.com/index.html", "https://example.com/"],
  ["an escaped slash", "https://example.com/a%2Fb", "https://example.com/a/b"],
  ["an escaped question mark", "https://example.com/a%3Fx=1", "https://example.com/a?x=1"],
  ["another value", "https://example.com/a?id=1", "https://example.com/a?id=2"],
  ["a query and none", "https://example.com/a?id=1", "https://example.com/a"],
  ["one parameter more", "https://example.com/a?id=1", "https://example.com/a?id=1&page=2"],
  ["a parameter twice", "https://example.com/a?id=1", "https://example.com/a?id=1&id=1"],
  ["case of a value", "https://example.com/a?id=x", "https://example.com/a?id=X"],
  ["a parameter that begins like tracking", "https://example.com/a?gclids=1", "https://example.com/a"],
  ["a parameter that ends like tracking", "https://example.com/a?my_gclid=1", "https://example.com/a"],
  ["two parameters and one", "https://example.com/a?x=1&y=2", "https://example.com/a?x=1y=2"],
  ["ga without its underscore", "https://example.com/a?ga=1", "https://example.com/a"],
  ["utm without its underscore", "https://example.com/a?utm=1", "https://example.com/a"],
  ["tracking in the path", "https://example.com/utm_source=x", "https://example.com/"],
  ["a subdomain", "https://blog.example.com/a", "https://example.com/a"],
  ["www of a subdomain", "https://www.blog.example.com/a", "https://example.com/a"],
  ["another host", "https://example.com/a", "https://example.org/a"],
  ["a host that ends alike", "https://notexample.com/a", "https://example.com/a"],
  ["a host that begins alike", "https://example.com.evil.example/a", "https://example.com/a"],
  ["www that is the name itself", "https://www.com/", "https://com/"],
  ["www2", "https://www2.example.com/a", "https://example.com/a"],
  ["another port", "https://example.com:8443/a", "https://example.com/a"],
  ["the URL inside another", "https://cache.example/?u=https://example.com/a", "https://example.com/a"],
  ["a host in the userinfo", "https://example.com@evil.example/a", "https://example.com/a"],
  ["a relative link", "/a", "https://example.com/a"],
  ["no scheme", "example.com/a", "https://example.com/a"],
  ["another scheme", "ftp://example.com/a", "https://example.com/a"],
  ["nothing", "", "https://example.com/"],
  ["nothing twice", "", ""],
];

test.each(SAME)("the same page: %s: %s, %s", (_, one, other) => {
  expect(isSamePage(one, other)).toBe(true);
  expect(isSamePage(other, one)).toBe(true);
});

test.each(APART)("different pages: %s: %s, %s", (_, one, other) => {
  expect(isSamePage(one, other)).toBe(false);
  expect(isSamePage(other, one)).toBe(false);
});

test.each([
  ["http://example.com", ["http://", "", "example.com", "/", []]],
  [
    "https://WWW.example.com:8443/a/?b=2&&gclid=1&a=1#x",
    ["https://", "www.", "example.com:8443", "/a/", ["b=2", "a=1"]],
  ],
  ["https://www.com/", ["https://", "", "www.com", "/", []]],
] as const)("the parts of %s, as it is searched for", (url, [scheme, www, host, path, parameters]) => {
  expect(partsOf(url)).toEqual({ scheme, www, host, path, parameters });
});

test("matches are counted among links, and a link that is not a URL matches nothing", () => {
  const links = ["https://example.com/a/", "http://www.example.com/a?gclid=1", "https://example.com/ab", "a", ""];
  expect(countMatches("https://example.com/a", links)).toBe(2);
  expect(countMatches("a", links)).toBe(0);
  expect(countMatches("https://example.com/a", [])).toBe(0);
});

describe("laws", () => {
  const word = fc.stringMatching(/^[a-zA-Z0-9~_-]{1,6}$/);
  const page = fc.record({
    host: fc.constantFrom<string[]>("example.com", "a.example", "shop.example.co.uk", "example.com:8443"),
    path: fc.array(word, { maxLength: 3 }).map((parts) => parts.map((part) => `/${part}`).join("")),
    query: fc.uniqueArray(fc.tuple(word, word), { maxLength: 3, selector: ([name]) => name }),
  });
  type Page = typeof page extends fc.Arbitrary<infer T> ? T : never;
  const spelling = fc.record({
    scheme: fc.constantFrom("http://", "https://", "HTTPS://"),
    www: fc.constantFrom("", "www.", "WWW."),
    slash: fc.constantFrom("", "/"),
    fragment: fc.constantFrom("", "#x", "#:~:text=y"),
    tracking: fc.constantFrom([], ["utm_source=x"], ["gclid=1", "_ga=2"]),
    isReversed: fc.boolean(),
  });
  type Spelling = typeof spelling extends fc.Arbitrary<infer T> ? T : never;
  const write = ({ host, path, query }: Page, { scheme, www, slash, fragment, tracking, isReversed }: Spelling) => {
    const own = query.map(([name, value]) => `${name}=${value}`);
    const all = [...tracking, ...(isReversed ? own.toReversed() : own)];
    return `${scheme}${www}${host}${path}${slash}${all.length > 0 ? `?${all.join("&")}` : ""}${fragment}`;
  };

  test("any two spellings of a page are the same page", () => {
    fc.assert(
      fc.property(page, spelling, spelling, (one, a, b) => {
        expect(isSamePage(write(one, a), write(one, b))).toBe(true);
      }),
      { numRuns: fuzzRuns(1_000), seed: 1 },
    );
  });

  test("no spelling of a page is a page with another path, host or query", () => {
    fc.assert(
      fc.property(page, spelling, spelling, fc.constantFrom("path", "host", "query"), (one, a, b, what) => {
        const other: Page = {
          host: what === "host" ? `x.${one.host}` : one.host,
          path: what === "path" ? `${one.path}/more` : one.path,
          query: what === "query" ? [...one.query, ["more-than-six", "1"]] : one.query,
        };
        expect(isSamePage(write(one, a), write(other, b))).toBe(false);
      }),
      { numRuns: fuzzRuns(1_000), seed: 2 },
    );
  });

  test("anything that a provider sends can be compared without an exception", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(isSamePage(text, "https://example.com/never")).toBe(false);
      }),
      { numRuns: fuzzRuns(1_000), seed: 3 },
    );
  });
});
