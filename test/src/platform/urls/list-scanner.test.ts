import fc from "fast-check";
import { expect, it } from "vitest";
import { JSON_BOUNDS } from "../../../../src/platform/body-limits.ts";
import { JsonReader } from "../../../../src/platform/json/json-reader.ts";
import { RawList } from "../../../../src/platform/json/raw-list.ts";
import { scanUrls } from "../../../../src/platform/urls/list-scanner.ts";
import { hashUrls, parseUrlList } from "../../../../src/platform/urls/urls.ts";
import { fuzzRuns } from "../../../support/checks/fuzz-runs.ts";

/** The input in a body, its list kept as it came; null for what is not JSON. */
function inputIn(body: Buffer): { urls?: unknown } | null {
  const reader = new JsonReader(
    { ...JSON_BOUNDS, bytes: 1_000_000 },
    { name: "urls", bytes: 0, elementBytes: 100_000 },
  );
  reader.write(body);
  try {
    return reader.end() as object;
  } catch {
    return null;
  }
}

/** Whether the body's list was scanned, having proved that it means the same as it does generally. */
function isScanned(body: Buffer): boolean {
  const kept = inputIn(body);
  const urls = kept?.urls instanceof RawList ? scanUrls(kept.urls) : null;
  if (urls === null) return false;
  const scanned = { ...kept, urls };
  const general = JSON.parse(new TextDecoder().decode(body)) as { urls: string[] };
  expect(Object.keys(scanned)).toEqual(Object.keys(general));
  // With `toJSON` of the list: an idempotency key compares the input's hash.
  expect(JSON.stringify(scanned)).toBe(JSON.stringify(general));
  const { accepted, ...counts } = urls.list;
  const { accepted: expectedUrls, ...expected } = parseUrlList(general.urls);
  expect(counts).toEqual(expected);
  expect(accepted.toArray()).toEqual(expectedUrls);
  expect(accepted.hashes.equals(hashUrls(expectedUrls))).toBe(true);
  expect(accepted.at(0)).toBe(expectedUrls[0] ?? accepted.at(0));
  return true;
}

const bodyOf = (value: unknown) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value));

it.each([
  [{ urls: ["https://example.com/"] }],
  [{ mode: "instant", urls: ["https://a.example/?", "https://a.example/", "no"], name: "Müller" }],
  ['{ "urls" : [ "https://a.example/" , "https://a.example/b" ] , "drip_days" : 7 }'],
  ['{"urls":["https:\\/\\/a.example\\/b","https://a.example/b","\\u0068ttps://a.example/c"]}'],
  [{ urls: ["https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4", "😀", "\u0000", "\ud800"] }],
  [{ urls: ["https://a.example/?q=\\", 'https://a.example/?q="', "https://a.example/%3f", "https://a.example/./x"] }],
  [{ urls: Array.from({ length: 20_000 }, (_, index) => `https://a.example/${index % 12_000}`) }],
  // Longer than they came.
  [{ urls: Array.from({ length: 300 }, (_, index) => `https://a.example/${"ä".repeat(1_300)}${index}`) }],
  [{ urls: ["https://a.example/"], name: "a\\b" }],
  [{ name: "urls", urls: ["https://a.example/"] }],
  ['{"urls":["https://a.example/"],"inner":{"urls":["https://b.example/"]}}'],
  ["\ufeff" + '{"urls":["https://a.example/"]}'],
])("is scanned, and means the same: %.80j", (value) => {
  expect(isScanned(bodyOf(value))).toBe(true);
});

it.each([
  [{ urls: [] }],
  [{ urls: ["https://a.example/", 1] }],
  [{ urls: "https://a.example/" }],
  [{ urls: [["https://a.example/"]] }],
  [{ inner: { urls: ["https://a.example/"] } }],
  [["urls", ["https://a.example/"]]],
  [{ urls: Array.from({ length: 20_001 }, () => "https://a.example/") }],
  [{ urls: [`https://a.example/${"a".repeat(4_096)}`] }],
  ['{"urls":["https://a.example/"],"urls":["https://b.example/"]}'],
  ['{"inner":{"urls":["https://a.example/"]},"urls":["https://b.example/"]}'],
  ['{"urls":["https://a.example/"],"\\u0075rls":["https://b.example/"]}'],
  ['{"urls":["https://a.example/"]'],
  ['{"urls":["https://a.example/",]}'],
  ['{"urls":["https://a.example/"]}}'],
  ['{"urls":["https://a.example/" "https://b.example/"]}'],
  ['{"urls":["https://a.example/\n"]}'],
  ['{"urls":["https://a.example/\\x"]}'],
  ['{"urls":["https://a.example/'],
  ['{"urls":["https://a.example/\\'],
  ['{"urls"['],
  ['"urls":["https://a.example/"]'],
  [""],
])("is left to the general way: %.80j", (value) => {
  expect(isScanned(bodyOf(value))).toBe(false);
});

it("is left to the general way: what is no UTF-8", () => {
  expect(isScanned(Buffer.from('{"urls":["https://a.example/\xe4"]}', "latin1"))).toBe(false);
});

const pieces = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(..."aZ09-._~%/?#&=:@!$'()*+,;[]\\ \t|^`\"<>{}") },
  { weight: 3, arbitrary: fc.constantFrom("/.", "/..", "%2e", "%41", "xn--", "--", "ä", "。", "😀", "??", "\\u0041") },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 2 }) },
);
const host = fc.constantFrom(
  "a.example",
  "-a.b.c",
  "a..b",
  "a",
  "a.b.1",
  "x--y.de",
  "a-.de",
  "A.b",
  "a.b:80",
  "a.b.",
  "",
);
const url = fc
  .tuple(
    fc.constantFrom("https://", "http://", "HTTPS://", "https:/", ""),
    host,
    fc.constantFrom("", "/", "/a?", "/a/?b"),
    fc.array(pieces, { maxLength: 6 }).map((parts) => parts.join("")),
  )
  .map((parts) => parts.join(""));

it("lists of hostile URLs mean the same", () => {
  const lists = fc.array(url, { minLength: 1, maxLength: 12 });
  let scanned = 0;
  fc.assert(
    fc.property(lists, fc.constantFrom(0, 1, 2), (urls, space) => {
      // A text that no UTF-8 can express is no body.
      const body = Buffer.from(JSON.stringify({ mode: "instant", urls }, null, space));
      if (isScanned(body)) scanned += 1;
    }),
    { numRuns: fuzzRuns(1_000), seed: 1 },
  );
  expect(scanned).toBeGreaterThan(fuzzRuns(900));
});

it("bodies that were damaged anywhere mean the same, or are left to the general way", () => {
  const sound = '{"mode":"instant","urls":["https://a.example/b?c=d","http://e.example/"],"name":"f"}';
  const damage = fc.record({
    at: fc.nat({ max: sound.length - 1 }),
    cut: fc.nat({ max: 6 }),
    paste: fc.oneof(fc.constantFrom('"', "\\", "[", "]", ",", "}", '"urls"', '"urls":["x"],', " ", "\n"), fc.string()),
  });
  fc.assert(
    fc.property(fc.array(damage, { minLength: 1, maxLength: 3 }), (damages) => {
      const text = damages.reduce(
        (text, { at, cut, paste }) => text.slice(0, at) + paste + text.slice(at + cut),
        sound,
      );
      isScanned(Buffer.from(text));
    }),
    { numRuns: fuzzRuns(4_000), seed: 2 },
  );
});
