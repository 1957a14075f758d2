import type { Access } from "../../../domain/projects/access.ts";
import type { CheckReason } from "../../../domain/projects/evidence-codes.ts";
import { DAY, MINUTE } from "../../../platform/clock.ts";
import { UpstreamFailure } from "../../providers/failure.ts";
import type { BingLookup, CheckBatch, CheckOutcome, Engines, SendBatch, SendOutcome, Submitter } from "../engine.ts";
import { crawlOf, fateOf, isIndexed, reasonOf } from "./fate.ts";
import type { FaultInjector } from "./faults.ts";

const PROVIDER = "sandbox";
const METHOD = "sandbox";

/** Time since sending that is assumed for a URL that was never submitted. Every fate is decided by then. */
const LONG_AGO = 400 * DAY;

/**
 * Simulated search engines. Nothing leaves the process, and every answer names the provider `sandbox`. An answer is
 * given as of the time at which the step was due, so that a project has the same outcome however fast the clock runs.
 */
export function sandboxEngines(faults: FaultInjector): Engines {
  return {
    submitters: {
      google: submitter("google", faults, (url) => fateOf(url) === "rejected"),
      bing: submitter("bing", faults, () => false),
      yandex: submitter("yandex", faults, () => false),
    },
    verifier: { check: async (batch) => check(batch, faults) },
    bing: bingLookup(faults),
    pages: {
      check: async (urls) =>
        urls.map((url) => ({ refusal: fateOf(url) === "withdrawn" ? "noindex" : null, warnings: [] })),
    },
  };
}

/** What the robots.txt of the pages says. The sandbox fetches none, so it tells this with the first check. */
const KEPT_OUT: Access = { "OAI-SearchBot": "robots", PerplexityBot: "robots" };
const ALL_LET_IN: Access = {};

/** Bing has, from the first check on, what Google has in the end; it is asked for pages of every verified site. */
function bingLookup(faults: FaultInjector): BingLookup {
  return {
    covers: () => true,
    async check({ urls, asOf }) {
      const isDown = faults.isActive("outage", asOf) || faults.isActive("timeout", asOf) || faults.failsNow(asOf);
      if (isDown) return urls.map(() => ({ result: "unknown", reason: "unavailable" }));
      return urls.map((url) => {
        const isThere = fateOf(url) === "silent" ? null : isIndexed(url, LONG_AGO);
        if (isThere === null) return { result: "unknown", reason: "no_answer" };
        return isThere
          ? { result: "indexed", crawl: { crawledAt: asOf - DAY, shared: { status: "200" }, own: null } }
          : { result: "not_indexed", crawl: { crawledAt: null, shared: { never: true }, own: null } };
      });
    },
  };
}

function submitter(engine: string, faults: FaultInjector, refuses: (url: string) => boolean): Submitter {
  return {
    async send({ urls, asOf }: SendBatch) {
      if (faults.isActive("outage", asOf)) throw new UpstreamFailure(PROVIDER, "unreachable");
      if (faults.isActive("timeout", asOf)) throw new UpstreamFailure(PROVIDER, "timeout");
      if (faults.failsNow(asOf)) throw new UpstreamFailure(PROVIDER, "server_error");
      const half = faults.isActive("rate_limit", asOf) ? Math.ceil(urls.length / 2) : urls.length;
      const taken = Math.min(half, faults.takeQuota(engine, asOf, urls.length));
      const until = taken < half ? (Math.floor(asOf / DAY) + 1) * DAY : asOf + MINUTE;
      return urls.map((url, index): SendOutcome => {
        if (index >= taken) return { kind: "deferred", provider: PROVIDER, until };
        return { kind: refuses(url) ? "rejected" : "accepted", provider: PROVIDER, detail: "sandbox" };
      });
    },
  };
}

function check({ links, asOf }: CheckBatch, faults: FaultInjector): CheckOutcome[] {
  const down = faults.isActive("outage", asOf) || faults.isActive("timeout", asOf) || faults.failsNow(asOf);
  if (down) return links.map(() => unknown("unavailable", false));
  return links.map(({ url, sentAt }) => outcome(url, sentAt, asOf));
}

function outcome(url: string, sentAt: number | null, asOf: number): CheckOutcome {
  const elapsed = sentAt === null ? elapsedUnsent(url) : asOf - sentAt;
  const indexed = isIndexed(url, elapsed);
  if (indexed === null) return unknown("no_answer", true);
  const counts = indexed ? { queries: 1, results: 1, matches: 1 } : { queries: 2, results: 0, matches: 0 };
  const result = indexed
    ? { result: "indexed" as const }
    : { result: "not_indexed" as const, reason: reasonOf(url) ?? ("no_match" as const) };
  const crawl = crawlOf(url, elapsed, asOf);
  const said = crawl ? { crawl, access: fateOf(url) === "crawled_not_indexed" ? KEPT_OUT : ALL_LET_IN } : {};
  return { ...result, available: true, provider: PROVIDER, method: METHOD, counts, ...said };
}

function elapsedUnsent(url: string): number {
  return fateOf(url) === "only_sent" ? 0 : LONG_AGO;
}

function unknown(reason: CheckReason, available: boolean): CheckOutcome {
  return { result: "unknown", available, provider: PROVIDER, method: METHOD, reason };
}
