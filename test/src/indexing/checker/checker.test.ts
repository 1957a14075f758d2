import { expect, test } from "vitest";
import type { Engines } from "../../../../src/indexing/engines/engine.ts";
import { pages, testStore } from "../../../support/database/store.ts";
import { testChecker } from "../../../support/service/checker.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);

/** The sandbox, in which each step that sends to Google is held until it is released. */
function holding() {
  const held: (() => void)[] = [];
  const change = (sandbox: Engines): Engines => ({
    ...sandbox,
    submitters: {
      ...sandbox.submitters,
      google: {
        send: async (batch) => {
          await new Promise<void>((release) => held.push(release));
          return sandbox.submitters.google!.send(batch);
        },
      },
    },
  });
  const release = () => {
    for (const go of held.splice(0)) go();
  };
  return { held, change, release };
}

// The room of four steps is for instant projects alone.
test.each([
  { concurrency: 16, links: 1, steps: 60, first: 12, later: 48 },
  { concurrency: 16, links: 126, steps: 30, first: 12, later: 24 },
  { concurrency: 16, links: 500, steps: 26, first: 12, later: 12 },
  { concurrency: 64, links: 1, steps: 130, first: 60, later: 60 },
])(
  "$concurrency with steps of $links links: $first at a time until it is known how large they are, $later later",
  async (sizes) => {
    const { held, change, release } = holding();
    const { checker, troubles } = testChecker(store, change, { concurrency: sizes.concurrency });
    const account = await store.account(sizes.links * sizes.steps);
    for (let i = 0; i < sizes.steps; i++) await store.index(account, pages(sizes.links));
    const drained = checker.drain();
    let done = 0;
    for (const expected of [sizes.first, Math.min(sizes.later, sizes.steps - sizes.first)]) {
      await expect.poll(() => held.length).toBe(expected);
      done += expected;
      release();
    }
    await expect.poll(() => held.length).toBe(sizes.steps - done);
    release();
    await drained;
    expect([troubles, await store.problems()]).toEqual([[], []]);
  },
);
