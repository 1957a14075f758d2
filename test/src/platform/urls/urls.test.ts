import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  hashUrls,
  invalidReason,
  normaliseUrl,
  parseUrlList,
  UrlListBuilder,
} from "../../../../src/platform/urls/urls.ts";
import { fuzzRuns } from "../../../support/checks/fuzz-runs.ts";

const SAME: readonly (readonly [why: string, given: string, stored: string])[] = [
  ["as it is", "https://example.com/a/b?c=d", "https://example.com/a/b?c=d"],
  ["trimmed", " \t\r\nhttps://example.com/a \n", "https://example.com/a"],
  ["scheme and host in lower case", "HTTPS://WWW.Example.COM/Path", "https://www.example.com/Path"],
  ["punycode", "https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"],
  ["no trailing dot of the host", "https://example.com./a", "https://example.com/a"],
  ["no default port", "https://example.com:443/", "https://example.com/"],
  ["no default port", "http://example.com:80/a", "http://example.com/a"],
  ["another port stays", "https://example.com:8443/", "https://example.com:8443/"],
  ["443 is not the default of http", "http://example.com:443/", "http://example.com:443/"],
  ["no fragment", "https://example.com/a#part?x", "https://example.com/a"],
  ["no empty query", "https://example.com/a?", "https://example.com/a"],
  ["no empty query before a fragment", "https://example.com/a?#x", "https://example.com/a"],
  ["dot segments", "https://example.com/a/./b/../c", "https://example.com/a/c"],
  ["dot segments, escaped", "https://example.com/a/%2e%2E/b", "https://example.com/b"],
  ["an empty path", "https://example.com", "https://example.com/"],
  ["an empty path before a query", "https://example.com?a=b", "https://example.com/?a=b"],
  ["upper-case escapes", "https://example.com/%c3%a4?q=%2f", "https://example.com/%C3%A4?q=%2F"],
  ["unreserved characters decoded", "https://example.com/%41%7e%5f%2D%30", "https://example.com/A~_-0"],
  [
    "letters at the ends of the alphabet decoded",
    "https://example.com/%50%59%5A%70%79%7a",
    "https://example.com/PYZpyz",
  ],
  ["a fragment right after the host", "https://a.c#/b", "https://a.c/"],
  ["a query right after the host", "https://a.c?/b", "https://a.c/?/b"],
  ["reserved ones are not", "https://example.com/a%2Fb%3Fc%23d%25", "https://example.com/a%2Fb%3Fc%23d%25"],
  ["broken escapes stay", "https://example.com/%zz%4", "https://example.com/%zz%4"],
  ["what follows a broken escape stays", "https://example.com/%4%31%%32", "https://example.com/%4%31%%32"],
  ["not decoded twice", "https://example.com/%2541", "https://example.com/%2541"],
  ["an address in its one form", "http://0x7f.1/", "http://127.0.0.1/"],
  ["an address of IPv6", "http://[2001:DB8:0::1]/", "http://[2001:db8::1]/"],
  ["a label of digits inside", "https://1.example.com/", "https://1.example.com/"],
  ["a backslash is a slash", "https://example.com\\a", "https://example.com/a"],
  ["a space is escaped", "https://example.com/a b", "https://example.com/a%20b"],
  ["an at sign in the path", "https://example.com/@user", "https://example.com/@user"],
  ["an at sign after a URL in the query", "https://EXAMPLE.com/?u=http:x@y", "https://example.com/?u=http:x@y"],
  ["a host without a dot", "http://localhost/a", "http://localhost/a"],
];

test.each(SAME)("normalised form: %s: %j", (_, given, stored) => {
  expect(normaliseUrl(given)).toBe(stored);
});

const APART = [
  "https://example.com/a",
  "https://example.com/A",
  "https://example.com/a/",
  "http://example.com/a",
  "https://www.example.com/a",
  "https://example.com/a?x=1&y=2",
  "https://example.com/a?y=2&x=1",
  "https://example.com/a?utm_source=x",
  "https://example.com/a?x=%2B",
  "https://example.com/a?x=+",
  "https://example.com//a",
];

test("differences that matter to Google are kept", () => {
  expect(parseUrlList(APART)).toEqual({ accepted: APART, duplicates: 0, invalid: 0, invalidExamples: [] });
});

const INVALID = [
  "",
  "see https://example.com/",
  "xhttps://example.com/",
  " ",
  "example.com",
  "//example.com/",
  "/path",
  "ftp://example.com/",
  "https:/example.com/",
  "https:example.com",
  "mailto:a@example.com",
  "javascript:alert(1)",
  "https://",
  "https:///",
  "https://./",
  "https://example.com../",
  "https://127.1../",
  "http://user@example.com/",
  "http://user:secret@example.com/",
  "https://@example.com/",
  "https://:@example.com/",
  "https:///user:secret@example.com/",
  "https://\\@example.com/",
  "https://good.example@evil.example/",
  "https://exa\tmple.com/",
  "https://example.com/a\nb",
  "https://example.com/\u0000",
  "https://example.com/\u0085",
  "https://exa mple.com/",
  "https://example.com:99999/",
  "https://1.2.3.4.5/",
  "https://[::1/",
  "https://xn--a/",
  "https://a.xn--a.example/",
  `https://example.com/${"a".repeat(8_192 - 19)}`,
  `https://example.com/${"ä".repeat(1_363)}`,
];

test.each(INVALID)("invalid: %j", (given) => {
  expect(normaliseUrl(given)).toBeNull();
});

test("a normalised form of 8,192 bytes is accepted, one more byte is not", () => {
  const longest = `https://example.com/${"a".repeat(8_192 - 20)}`;
  expect(longest).toHaveLength(8_192);
  expect(normaliseUrl(longest)).toBe(longest);
  expect(normaliseUrl(` ${longest}`)).toBe(longest);
  expect(normaliseUrl(`${longest}a`)).toBeNull();
  // 6 bytes each when escaped, so the stored form is longer than what came.
  expect(normaliseUrl(`https://example.com/${"ä".repeat(1_362)}`)).toHaveLength(20 + 6 * 1_362);
});

test("a host in Latin-1 stays valid after the JIT compiler has optimised the parser", () => {
  // Flat one-byte text, which the compiled caller hands over in another way than what was put together.
  const flat = (text: string) => Buffer.from(text, "latin1").toString("latin1");
  for (let i = 0; i < 50_000; i++) {
    const stored = normaliseUrl(flat(`https://b\u00fccher.example/${i}`));
    if (stored !== `https://xn--bcher-kva.example/${i}`) expect(stored).toBe(`call ${i}`);
  }
});

describe("laws", () => {
  const piece = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(..."aZ09-._~%/?#&=:@!$'()*+,;[]\\ \t|^`\"<>{}") },
    {
      weight: 3,
      arbitrary: fc.constantFrom("..", "/./", "/../", "%2e", "%41", "%c3", "%2F", "xn--", "ä", "ß", "İ", "。", "😀"),
    },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 2 }) },
  );
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
  const host = fc.oneof(
    fc.constantFrom(
      "example.com",
      "a-b.c1.example",
      "1.2.3",
      "127.1",
      "a.b.0x1",
      "example.com.",
      "x--y.de",
      "-.-",
      "a..b",
    ),
    fc
      .array(fc.constantFrom("a", "1", "-", ".", "x", "com", "0x", "xn--a", "E"), { maxLength: 6 })
      .map((parts) => parts.join("")),
  );
  const scheme = fc.constantFrom("https://", "http://", "HTTPS://", "http:/", "ftp://");
  const address = fc
    .tuple(scheme, host, fc.constantFrom("", ":80", ":443", ":8080"), fc.constantFrom("", "/"), text)
    .map((parts) => parts.join(""));

  test("the fast path gives the same answer as the slow one, which is used after a leading space", () => {
    const plain = fc
      .tuple(fc.constantFrom("https://", "http://"), host, fc.constantFrom("/", "/a", "/a?", ""), text)
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.oneof(address, plain), (url) => {
        expect(normaliseUrl(url)).toBe(normaliseUrl(` ${url}`));
      }),
      { numRuns: fuzzRuns(4_000), seed: 1 },
    );
  });

  test("a normalised form is its own normalised form, and a URL that begins as it must", () => {
    fc.assert(
      fc.property(address, (url) => {
        const stored = normaliseUrl(url);
        if (stored === null) return;
        expect(normaliseUrl(stored)).toBe(stored);
        expect(stored).toMatch(/^https?:\/\/[^/?#@\s]+\/[^#\s]*$/);
      }),
      { numRuns: fuzzRuns(4_000), seed: 2 },
    );
  });

  test("accepted + duplicates + invalid = items, and no URL is accepted twice", () => {
    const items = fc.array(fc.oneof(address, fc.constantFrom(...APART, ...INVALID), fc.string()), { maxLength: 40 });
    fc.assert(
      fc.property(items, (list) => {
        const { accepted, duplicates, invalid, invalidExamples } = parseUrlList(list);
        expect(accepted.length + duplicates + invalid).toBe(list.length);
        expect(new Set(accepted).size).toBe(accepted.length);
        expect(invalidExamples).toHaveLength(Math.min(10, invalid));
      }),
      { numRuns: fuzzRuns(500), seed: 3 },
    );
  });
});

test("the first of duplicates counts, and invalid lines are quoted as they were sent, cut at 200 characters", () => {
  const long = `😀${"x".repeat(300)}`;
  const list = parseUrlList(["https://b.example", long, "https://a.example/", "https://B.example/#x", " no "]);
  expect(list).toEqual({
    accepted: ["https://b.example/", "https://a.example/"],
    duplicates: 1,
    invalid: 2,
    invalidExamples: [`😀${"x".repeat(199)}`, " no "],
  });
});

test("of invalid lines ten are quoted", () => {
  const lines = Array.from({ length: 11 }, (_, at) => `no ${at}`);
  expect(parseUrlList(lines)).toMatchObject({ invalid: 11, invalidExamples: lines.slice(0, 10) });
});

test("a list that is built says of each item whether it is new, and counts what it has", () => {
  const list = new UrlListBuilder();
  const added = ["https://a.example/", "https://a.example/", "https://A.example", "no", "https://b.example"];
  expect(added.map((item) => list.add(item))).toEqual([true, false, false, false, true]);
  list.refuse("https://c.example/");
  expect([list.items, list.invalid, list.size]).toEqual([6, 2, 2]);
  expect(list.list()).toEqual({
    accepted: ["https://a.example/", "https://b.example/"],
    ...{ duplicates: 2, invalid: 2, invalidExamples: ["no", "https://c.example/"] },
  });
});

test.each([
  ["", "empty"],
  [" \n", "empty"],
  ["example.com", "not_absolute"],
  ["/a", "not_absolute"],
  ["1a:b", "not_absolute"],
  ["see ftp://example.com/", "not_absolute"],
  ["see https://example.com/", "not_absolute"],
  ["ftp://example.com/", "other_scheme"],
  [" FTP://example.com/", "other_scheme"],
  ["web+a.b-1:x", "other_scheme"],
  ["x:y", "other_scheme"],
  ["https:example.com", "other_scheme"],
  ["https://example.com/\u0000", "control_character"],
  ["http://user@example.com/\u0000", "control_character"],
  ["http://user@example.com/", "user_or_password"],
  ["https://@example.com/", "user_or_password"],
  ["https://[::1/", "malformed"],
  ["https://example.com:99999/", "malformed"],
  ["https://xn--a/", "malformed"],
  [`https://example.com/${"a".repeat(8_192)}`, "too_long"],
  [`http://example.com/${"a".repeat(8_192)}`, "too_long"],
  [`https://a../${"a".repeat(8_192 - 12)}`, "malformed"],
] as const)("why it is invalid: %j: %s", (given, reason) => {
  expect(normaliseUrl(given)).toBeNull();
  expect(invalidReason(given)).toBe(reason);
});

test("law: a hash of a URL stays what it is, since it is stored", () => {
  const hashes = hashUrls(["https://example.com/", "https://example.com/a", ""]);
  expect(hashes.toString("hex")).toBe("a2a8d5dfdc03ce9af9aa58208f6789e2c59d1c81b979379e");
});

test("hashes of URLs have 8 bytes, and 100,000 URLs have as many hashes", () => {
  const hashes = hashUrls(Array.from({ length: 100_000 }, (_, i) => `https://example.com/page/${i}`));
  expect(hashes).toHaveLength(800_000);
  const seen = new Set(Array.from({ length: 100_000 }, (_, i) => hashes.readBigUInt64LE(8 * i)));
  expect(seen.size).toBe(100_000);
});
