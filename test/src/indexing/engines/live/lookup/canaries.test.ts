import { beforeEach, expect, test } from "vitest";
import { Canaries } from "../../../../../../src/indexing/engines/live/lookup/canaries.ts";
import type { IndexLookup, LookupResult } from "../../../../../../src/indexing/engines/live/lookup.ts";
import { UpstreamFailure } from "../../../../../../src/indexing/providers/failure.ts";
import { SECOND } from "../../../../../../src/platform/clock.ts";
import { TestClock } from "../../../../../support/service/clock.ts";

const KNOWN = ["https://one.example/", "https://two.example/"];
const lookup = { name: "serper", needsCanaries: true } as IndexLookup;
const other = { ...lookup, name: "serpapi" };

type Result = LookupResult["result"];
let clock: TestClock;
let canaries: Canaries;
let lookedUp: string[];
let says: { one: Result; two: Result; absent: Result };

beforeEach(() => {
  clock = new TestClock();
  canaries = new Canaries(KNOWN, clock);
  lookedUp = [];
  says = { one: "indexed", two: "indexed", absent: "not_indexed" };
});

const sighting = (result: Result): LookupResult => ({ result, counts: {}, unitsUsed: 1 });

async function ask(url: string): Promise<LookupResult> {
  lookedUp.push(url);
  return sighting(url === KNOWN[0] ? says.one : url === KNOWN[1] ? says.two : says.absent);
}

test("passes if every known page is found, and a page that cannot exist is not", async () => {
  expect(await canaries.check(lookup, ask)).toBe(true);
  expect(canaries.reasonOf("serper")).toBeNull();
  expect(lookedUp.toSorted().slice(0, 2)).toEqual(KNOWN);
  expect(lookedUp.toSorted()[2]).toMatch(/^https:\/\/www\.example\.com\/[0-9a-f-]{36}$/);
});

test.each<[Result, Result, Result, string | null]>([
  ["indexed", "unknown", "not_indexed", null],
  ["unknown", "indexed", "not_indexed", null],
  ["unknown", "unknown", "not_indexed", "no_known_page_answered"],
  ["not_indexed", "indexed", "not_indexed", "known_page_not_found"],
  ["indexed", "not_indexed", "not_indexed", "known_page_not_found"],
  ["not_indexed", "unknown", "not_indexed", "known_page_not_found"],
  ["indexed", "indexed", "indexed", "absent_page_not_absent"],
  ["indexed", "indexed", "unknown", "absent_page_not_absent"],
])("known pages are %s and %s, the absent one is %s: %s", async (one, two, absent, reason) => {
  says = { one, two, absent };
  expect(await canaries.check(lookup, ask)).toBe(reason === null);
  expect(canaries.reasonOf("serper")).toBe(reason);
});

test.each<[string, () => Promise<LookupResult>]>([
  ["quota", () => Promise.reject(new UpstreamFailure("serper", "quota"))],
  ["timeout", () => Promise.reject(new UpstreamFailure("serper", "timeout"))],
  ["internal", () => Promise.reject(new TypeError("secret-of-ours"))],
  [
    "internal",
    () => {
      throw new Error("at once");
    },
  ],
])("fails without throwing: %s", async (reason, thrower) => {
  const failing = (url: string) => (url === KNOWN[1] ? thrower() : ask(url));
  expect(await canaries.check(lookup, failing)).toBe(false);
  expect(canaries.reasonOf("serper")).toBe(reason);
});

test("fails without known pages, since nothing shows that answers can be trusted", async () => {
  expect(await new Canaries([], clock).check(lookup, ask)).toBe(false);
});

test("a lookup that needs no canary is trusted without one", async () => {
  says.absent = "indexed";
  expect(await canaries.check({ ...lookup, needsCanaries: false }, ask)).toBe(true);
  expect(lookedUp).toEqual([]);
});

test("callers at the same time share one run", async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => canaries.check(lookup, ask)));
  expect(all).toEqual(Array(20).fill(true));
  expect(lookedUp).toHaveLength(3);
});

test("a result, good or bad, is valid for a minute of service time", async () => {
  for (const absent of ["not_indexed", "indexed"] as const) {
    const passes = absent === "not_indexed";
    says.absent = absent;
    lookedUp = [];
    expect(await canaries.check(lookup, ask)).toBe(passes);
    clock.pass(0, 60 * SECOND - 1);
    says.absent = passes ? "indexed" : "not_indexed";
    expect(await canaries.check(lookup, ask)).toBe(passes);
    expect(lookedUp).toHaveLength(3);
    clock.pass(0, 1);
    expect(await canaries.check(lookup, ask)).toBe(!passes);
    expect(lookedUp).toHaveLength(6);
    clock.pass(60 * SECOND);
  }
});

test("the minute begins when the run ends, however long it took", async () => {
  const slow = async (url: string) => {
    clock.pass(40 * SECOND);
    return ask(url);
  };
  await canaries.check(lookup, slow);
  clock.pass(59 * SECOND);
  await canaries.check(lookup, ask);
  expect(lookedUp).toHaveLength(3);
});

test("each lookup has a result of its own, and each run uses an absent page of its own", async () => {
  await canaries.check(lookup, ask);
  says.absent = "indexed";
  expect(await canaries.check(other, ask)).toBe(false);
  expect(await canaries.check(lookup, ask)).toBe(true);
  expect(canaries.reasonOf("serper")).toBeNull();
  const absent = lookedUp.filter((url) => !KNOWN.includes(url));
  expect(new Set(absent).size).toBe(2);
});
