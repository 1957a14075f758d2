import type { Engine } from "../db/engine.ts";
import { Checker } from "../src/indexing/checker/checker.ts";
import type { Engines, Submitter } from "../src/indexing/engines/engine.ts";

/** How many of ten links are found when they are looked up. */
const FOUND = 7;

const accepts: Submitter = {
  send: async ({ urls }) => urls.map(() => ({ kind: "accepted" as const, provider: "instant" })),
};

/** Accepts every submission immediately and finds seven links in ten; each negative of the others is confirmed by a second check. */
function engines(count: { checks: number; found: number }): Engines {
  return {
    submitters: { google: accepts, bing: accepts, yandex: accepts },
    verifier: {
      check: async ({ links }) =>
        links.map(({ url }) => {
          const isFound = Number(/(\d+)\.html$/.exec(url)![1]) % 10 < FOUND;
          count.checks += 1;
          if (isFound) count.found += 1;
          const counts = { queries: isFound ? 1 : 2, results: 10, matches: isFound ? 1 : 0 };
          const result = isFound ? ("indexed" as const) : ("not_indexed" as const);
          return { result, available: true, provider: "instant", method: "bench", reason: "match", counts };
        }),
    },
    pages: { check: async (urls) => urls.map(() => ({ refusal: null, warnings: [] })) },
  };
}

/** Runs the checker in fast time: the clock jumps from one due step to the next. */
export class FastLife {
  /** Service time, in ms. */
  time = Date.now();
  /** Steps of the queue that were done. */
  steps = 0;
  readonly count = { checks: 0, found: 0 };
  readonly #checker: Checker;

  constructor(db: Engine) {
    const log = { info() {}, warn: console.warn, error: console.error };
    const clock = { now: () => Date.now(), service: () => this.time };
    this.#checker = new Checker({ db, clock, engines: engines(this.count), log });
  }

  async until(end: number): Promise<void> {
    for (;;) {
      const due = await this.#checker.nextDue();
      if (due === null || due > end) break;
      this.time = Math.max(this.time, due);
      this.steps += await this.#checker.drain();
    }
    this.time = end;
  }
}
