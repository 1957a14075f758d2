import { expect, test } from "vitest";
import { LATE_MS } from "../../db/engine.ts";
import { MINUTE } from "../../src/platform/clock.ts";
import { pages, testStore } from "../support/database/store.ts";
import { eachTest } from "../support/service/each-test.ts";

const store = eachTest(testStore);

/** A project of three steps, of an account of its own. @returns its number */
async function newProject(): Promise<number> {
  const { no } = await store.index(await store.account(1_500), pages(1_500));
  return no;
}

/** The projects of the steps that a worker gets, `at` ms from now; its leases last a minute. */
async function claim(worker: string, { at = 0, limit = 10 } = {}): Promise<number[]> {
  const [now, dueBy] = [store.clock.now() + at, store.clock.service() + at];
  const claimed = await store.db.claimSteps({
    priority: 1,
    dueBy,
    now,
    lease: `${worker}.${at}`,
    leaseUntil: now + MINUTE,
    limit,
  });
  return claimed.map(({ projectNo }) => projectNo).sort();
}

test("the steps of an account are left to the worker that is doing one of them; others get those of other accounts", async () => {
  const [one, other] = [await newProject(), await newProject()];
  expect(await claim("a", { limit: 1 })).toEqual([one]);
  expect(await claim("b")).toEqual([other, other, other]);
  expect(await claim("b")).toEqual([]);
  expect(await claim("a")).toEqual([one, one]);
});

test("a step that is late is done by any worker", async () => {
  const one = await newProject();
  expect(await claim("a", { limit: 1 })).toEqual([one]);
  expect(await claim("b", { at: LATE_MS - 1 })).toEqual([]);
  expect(await claim("b", { at: LATE_MS + 1, limit: 2 })).toEqual([one, one]);
});

test("the account of a worker that died is taken over when its leases expire", async () => {
  const one = await newProject();
  expect(await claim("a", { limit: 1 })).toEqual([one]);
  expect(await claim("b")).toEqual([]);
  expect(await claim("b", { at: MINUTE })).toEqual([one, one, one]);
});
