import type { Engine } from "../db/engine.ts";
import { Checker } from "../src/indexing/checker/checker.ts";
import type { Engines } from "../src/indexing/engines/engine.ts";
import { DAY } from "../src/platform/clock.ts";
import { DUE } from "./field.ts";

/** Answers immediately: every second link is indexed, which changes it; for the others a negative is recorded. Of each it is known when it was crawled. */
export const instantEngines: Engines = {
  submitters: { google: null, bing: null, yandex: null },
  verifier: {
    async check({ links }) {
      return links.map((_, index) => ({
        result: index % 2 === 0 ? ("indexed" as const) : ("not_indexed" as const),
        available: true,
        provider: "instant",
        method: "bench",
        counts: { queries: 1, results: index % 2, matches: index % 2 },
        crawl: { crawledAt: DUE - DAY - 1_000 * index, shared: { as: "mobile", status: "successful" }, own: null },
      }));
    },
  },
  pages: { check: async (urls) => urls.map(() => ({ refusal: null, warnings: [] })) },
};

/** The checker of the service at the time at which the steps of a field are due, with engines that answer immediately. */
export function instantChecker(db: Engine): Checker {
  const log = { info() {}, warn: console.warn, error: console.error };
  const clock = { now: () => Date.now(), service: () => DUE };
  return new Checker({ db, clock, engines: instantEngines, log });
}
