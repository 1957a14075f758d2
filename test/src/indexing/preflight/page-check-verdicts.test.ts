import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { MINUTE } from "../../../../src/platform/clock.ts";
import { holdTimers } from "../../../support/service/held-timers.ts";
import { type Answer, memoryPages } from "../../../support/website/memory-pages.ts";

const URL_OF_PAGE = "https://example.com/a?x=1";
const NOINDEX = { "x-robots-tag": "noindex" };

/** Checks a page. Each request gets the next answer, and the last one again and again. */
function site(answers: readonly Answer[], options = {}) {
  const pages = memoryPages((_, number) => answers[Math.min(number, answers.length - 1)]!, options);
  return Object.assign(pages, { checkPage: async (left?: number) => (await pages.check([URL_OF_PAGE], left))[0] });
}

const UNKNOWN = Object.fromEntries(
  ["Googlebot", "bingbot", "OAI-SearchBot", "Claude-SearchBot", "PerplexityBot", "Applebot"].map((agent) => [
    agent,
    "unknown",
  ]),
);

test("a report has who is kept out, and when the page was changed where the page says so; the facts are stored", async () => {
  const plain = site([[200]]);
  expect(await plain.checkPage()).toStrictEqual({ refusal: null, warnings: [], access: {} });
  expect(plain.facts.of(URL_OF_PAGE)).toMatchObject({ status: 200, access: {} });
  const dated = site([[200, { "last-modified": "Mon, 05 Jan 2026 12:00:00 GMT" }]], { now: Date.UTC(2026, 1) });
  expect(await dated.checkPage()).toMatchObject({ changedAt: Date.UTC(2026, 0, 5, 12) });
});

test("robots_disallowed: nothing is fetched; the query is a part of the address", async () => {
  const closed = site([[200]], { robots: "User-agent: Googlebot\nDisallow: /*x=1$" });
  const access = { ...UNKNOWN, Googlebot: "robots", Applebot: "robots" };
  expect(await closed.checkPage()).toStrictEqual({ refusal: "robots_disallowed", warnings: [], access });
  expect(closed.requests).toHaveLength(0);
  expect(await site([[200]], { robots: "User-agent: Googlebot\nDisallow: /b" }).checkPage()).toMatchObject({
    refusal: null,
  });
});

test.each<[warnings: string[], refusal: string | null, answer: Answer, isReached: boolean]>([
  [["robots_unreachable"], null, [200], false],
  [["http_403", "robots_unreachable"], null, [403], false],
  [[], "noindex", [200, NOINDEX], false],
  [["unreachable"], null, "unreachable", false],
  [[], null, [200], true],
])("warnings %j, refusal %s, where the page answers %j and robots.txt was read: %s", async (...row) => {
  const [warnings, refusal, answer, isReached] = row;
  expect(await site([answer], { isReached }).checkPage()).toMatchObject({ warnings, refusal });
});

test("agents_kept_out: where others are, and the page itself is not refused", async () => {
  const robots = "User-agent: bingbot\nDisallow: /";
  expect(await site([[200]], { robots }).checkPage()).toMatchObject({ refusal: null, warnings: ["agents_kept_out"] });
  expect(await site([[200, NOINDEX]], { robots }).checkPage()).toMatchObject({ refusal: "noindex", warnings: [] });
});

test.each<[first: number, second: Answer, refusal: string | null, warnings: string[]]>([
  [404, [404], "http_404", []],
  [404, [410], "http_410", []],
  [410, [200], null, []],
  [404, [299], null, []],
  [404, [300], null, ["http_404", "redirects"]],
  [404, [500], null, ["http_404", "http_5xx"]],
  [404, "unreachable", null, ["http_404", "unreachable"]],
  [404, [200, NOINDEX], "noindex", []],
])("a page answers %d, and %j the second time: refusal %s, warnings %j", async (first, second, refusal, warnings) => {
  const pages = site([[first], second]);
  expect(await pages.checkPage()).toMatchObject({ refusal, warnings });
  expect(pages.requests).toHaveLength(2);
});

test("http_404 as a warning: a second request would come at the deadline or later, and is not awaited", async () => {
  const missing = site([[404], [200]]);
  const timers = holdTimers(1);
  const checking = missing.checkPage(1);
  for (let turn = 0; turn < 9; turn++) await setImmediate();
  expect(timers.waiting(1)).toBe(0);
  expect(await checking).toMatchObject({ refusal: null, warnings: ["http_404"] });
  expect(missing.requests).toHaveLength(1);
});

test("http_404 as a refusal: a second request comes before the deadline", async () => {
  // The timer of the deadline is held: on a busy machine, two milliseconds end before the pause of one does.
  holdTimers(2);
  expect(await site([[404]]).checkPage(2)).toMatchObject({ refusal: "http_404" });
});

test("http_429: a host rests as long as it asks for, ten minutes at most, and not at all where it names no time", async () => {
  const resting = async (answer: Answer, ms: number) => {
    const host = site([answer, [200]]);
    expect(await host.checkPage()).toMatchObject({ refusal: null, warnings: ["http_429"] });
    host.now += ms;
    return (await host.checkPage())?.warnings;
  };
  expect(await resting([429], 0)).toEqual([]);
  expect(await resting([429, { "retry-after": "30" }], 29_999)).toEqual(["http_429"]);
  expect(await resting([429, { "retry-after": "30" }], 30_000)).toEqual([]);
  expect(await resting([429, { "retry-after": "3600" }], 10 * MINUTE - 1)).toEqual(["http_429"]);
  expect(await resting([429, { "retry-after": "3600" }], 10 * MINUTE)).toEqual([]);
});

test("an error that is no failure of a request ends the check", async () => {
  const broken = site([[200]]);
  broken.facts.store = () => {
    throw new Error("a fault");
  };
  await expect(broken.checkPage()).rejects.toThrow("a fault");
});
