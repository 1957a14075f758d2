import { expect, test } from "vitest";
import { HostThrottle, PACE } from "../../../../src/indexing/preflight/host-throttle.ts";
import { PageCheck, type PreflightDeps } from "../../../../src/indexing/preflight/page-check.ts";
import { FactsCache } from "../../../../src/indexing/preflight/page-facts.ts";
import { robotsRules } from "../../../../src/indexing/preflight/robots-rules.ts";
import { MINUTE } from "../../../../src/platform/clock.ts";
import { FetchFailure } from "../../../../src/platform/http-client/http-client.ts";
import { Lru } from "../../../../src/platform/lru.ts";

/** A status with headers; null: no answer. */
type Answer = readonly [status: number, headers?: Readonly<Record<string, string>>] | null;

const URL_OF_PAGE = "https://example.com/a?x=1";
const NOINDEX = { "x-robots-tag": "noindex" };

/** Checks pages of a site without a network. Each request gets the next answer, and the last one again and again. */
function site(answers: readonly Answer[], { robots = "", isReached = true, now = 1_000_000 } = {}) {
  const clock = { now: () => world.now, service: () => world.now };
  const http = {
    fetchPublic: async (url: string) => {
      const answer = answers[Math.min(world.requests, answers.length - 1)]!;
      world.requests += 1;
      if (answer === null) throw new FetchFailure("unreachable");
      const [status, headers = {}] = answer;
      const all: Readonly<Record<string, string>> = { "content-type": "text/plain", ...headers };
      const headerLines = (name: string) => (all[name] === undefined ? [] : [all[name]]);
      return { status, headers: all, headerLines, url, discard: () => {} };
    },
  };
  const deps = {
    ...{ http, clock, throttle: new HostThrottle({ ...PACE, gapMs: 0 }), facts: new FactsCache(clock) },
    ...{ restingHosts: new Lru<true>(clock, { entries: 10, weight: 1_000 }), pageMs: 1_000, recheckMs: 1 },
    robots: { of: async () => ({ rules: robotsRules(robots), isReached }) },
  } as unknown as PreflightDeps;
  const world = {
    now,
    requests: 0,
    facts: deps.facts,
    check: async (left = MINUTE) => (await new PageCheck(deps, world.now + left, false).run([URL_OF_PAGE]))[0],
  };
  return world;
}

const UNKNOWN = Object.fromEntries(
  ["Googlebot", "bingbot", "OAI-SearchBot", "Claude-SearchBot", "PerplexityBot", "Applebot"].map((agent) => [
    agent,
    "unknown",
  ]),
);

test("a report has who is kept out, and when the page was changed where the page says so; the facts are stored", async () => {
  const plain = site([[200]]);
  expect(await plain.check()).toStrictEqual({ refusal: null, warnings: [], access: {} });
  expect(plain.facts.of(URL_OF_PAGE)).toMatchObject({ status: 200, access: {} });
  const dated = site([[200, { "last-modified": "Mon, 05 Jan 2026 12:00:00 GMT" }]], { now: Date.UTC(2026, 1) });
  expect(await dated.check()).toMatchObject({ changedAt: Date.UTC(2026, 0, 5, 12) });
});

test("robots_disallowed: nothing is fetched; the query is a part of the address", async () => {
  const closed = site([[200]], { robots: "User-agent: Googlebot\nDisallow: /*x=1$" });
  const access = { ...UNKNOWN, Googlebot: "robots", Applebot: "robots" };
  expect(await closed.check()).toStrictEqual({ refusal: "robots_disallowed", warnings: [], access });
  expect(closed.requests).toBe(0);
  expect(await site([[200]], { robots: "User-agent: Googlebot\nDisallow: /b" }).check()).toMatchObject({
    refusal: null,
  });
});

test.each<[warnings: string[], refusal: string | null, answer: Answer, isReached: boolean]>([
  [["robots_unreachable"], null, [200], false],
  [["http_403", "robots_unreachable"], null, [403], false],
  [[], "noindex", [200, NOINDEX], false],
  [["unreachable"], null, null, false],
  [[], null, [200], true],
])("warnings %j, refusal %s, where the page answers %j and robots.txt was read: %s", async (...row) => {
  const [warnings, refusal, answer, isReached] = row;
  expect(await site([answer], { isReached }).check()).toMatchObject({ warnings, refusal });
});

test("agents_kept_out: where others are, and the page itself is not refused", async () => {
  const robots = "User-agent: bingbot\nDisallow: /";
  expect(await site([[200]], { robots }).check()).toMatchObject({ refusal: null, warnings: ["agents_kept_out"] });
  expect(await site([[200, NOINDEX]], { robots }).check()).toMatchObject({ refusal: "noindex", warnings: [] });
});

test.each<[first: number, second: Answer, refusal: string | null, warnings: string[]]>([
  [404, [404], "http_404", []],
  [404, [410], "http_410", []],
  [410, [200], null, []],
  [404, [299], null, []],
  [404, [300], null, ["http_404", "redirects"]],
  [404, [500], null, ["http_404", "http_5xx"]],
  [404, null, null, ["http_404", "unreachable"]],
  [404, [200, NOINDEX], "noindex", []],
])("a page answers %d, and %j the second time: refusal %s, warnings %j", async (first, second, refusal, warnings) => {
  const pages = site([[first], second]);
  expect(await pages.check()).toMatchObject({ refusal, warnings });
  expect(pages.requests).toBe(2);
});

test("http_404 as a warning: a second request would come at the deadline or later", async () => {
  const missing = site([[404], [200]]);
  expect(await missing.check(1)).toMatchObject({ refusal: null, warnings: ["http_404"] });
  expect(missing.requests).toBe(1);
  expect(await site([[404], [404]]).check(2)).toMatchObject({ refusal: "http_404" });
});

test("http_429: a host rests as long as it asks for, ten minutes at most, and not at all where it names no time", async () => {
  const resting = async (answer: Answer, ms: number) => {
    const host = site([answer, [200]]);
    expect(await host.check()).toMatchObject({ refusal: null, warnings: ["http_429"] });
    host.now += ms;
    return (await host.check())?.warnings;
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
  await expect(broken.check()).rejects.toThrow("a fault");
});
