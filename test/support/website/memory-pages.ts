import { HostThrottle, PACE } from "../../../src/indexing/preflight/host-throttle.ts";
import { PageCheck, type PreflightDeps } from "../../../src/indexing/preflight/page-check.ts";
import { FactsCache } from "../../../src/indexing/preflight/page-facts.ts";
import { robotsRules } from "../../../src/indexing/preflight/robots-rules.ts";
import { MINUTE } from "../../../src/platform/clock.ts";
import { FetchFailure, type FetchProblem } from "../../../src/platform/http-client/http-client.ts";
import { Lru } from "../../../src/platform/lru.ts";

/** A status with headers, or why there is none. */
export type Answer = readonly [status: number, headers?: Readonly<Record<string, string>>] | FetchProblem;

/** Answers a request. @param number of the request of that URL, from 0 */
type Answers = (url: string, number: number) => Answer | Promise<Answer>;

/** Checks pages of hosts without a network, one request of a host at a time. */
export function memoryPages(answers: Answers, { robots = "", isReached = true, now = 1_000_000, recheckMs = 1 } = {}) {
  const clock = { now: () => pages.now, service: () => pages.now };
  const fetchPublic = async (url: string) => {
    const number = pages.requests.filter((one) => one === url).length;
    pages.requests.push(url);
    const answer = await answers(url, number);
    if (typeof answer === "string") throw new FetchFailure(answer);
    const [status, headers = {}] = answer;
    const all: Readonly<Record<string, string>> = { "content-type": "text/plain", ...headers };
    const headerLines = (name: string) => (all[name] === undefined ? [] : [all[name]]);
    return { status, headers: all, headerLines, url, discard: () => {} };
  };
  const deps = {
    ...{ http: { fetchPublic }, clock, throttle: new HostThrottle({ ...PACE, perHost: 1, gapMs: 0 }) },
    ...{ facts: new FactsCache(clock), restingHosts: new Lru<true>(clock, { entries: 10, weight: 1_000 }) },
    ...{ pageMs: 1_000, recheckMs },
    robots: { of: async () => ({ rules: robotsRules(robots), isReached }) },
  } as unknown as PreflightDeps;
  const pages = {
    now,
    /** The URLs of the requests, in their order. */
    requests: [] as string[],
    facts: deps.facts,
    restingHosts: deps.restingHosts,
    check: (urls: readonly string[], left = MINUTE) => new PageCheck(deps, pages.now + left, false).run(urls),
  };
  return pages;
}
