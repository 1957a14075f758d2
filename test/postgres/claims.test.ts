import { expect, onTestFinished, test } from "vitest";
import { type Engine, LATE_MS } from "../../db/engine.ts";
import { reopenDatabase } from "../../db/open.ts";
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
async function claim(worker: string, { at = 0, limit = 10, db = store.db } = {}): Promise<number[]> {
  const [now, dueBy] = [store.clock.now() + at, store.clock.service() + at];
  const claimed = await db.claimSteps({
    priority: 1,
    dueBy,
    now,
    lease: `${worker}.${at}`,
    leaseUntil: now + MINUTE,
    limit,
  });
  return claimed.map(({ projectNo }) => projectNo).sort();
}

test("the worker that does a step of an account gets its next steps; other workers get steps of other accounts", async () => {
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

test("law: of claims at the same moment one gets steps of an account, and no other does", async () => {
  const nodes = await Promise.all(["a", "b", "c"].map(async (name) => [name, await node()] as const));
  for (let round = 0; round < 20; round++) {
    const projects = [await newProject(), await newProject(), await newProject()];
    const claimed = await Promise.all(nodes.map(([name, db]) => claim(`${name}${round}`, { db, limit: 100 })));
    for (const no of projects) expect(claimed.filter((got) => got.includes(no))).toHaveLength(1);
    const left = await claim("d", { limit: 100 });
    expect(
      left.filter((no) => projects.includes(no)),
      "left to whoever has the first",
    ).toEqual([]);
  }
});

/** Another process, as far as the database can tell. */
async function node(): Promise<Engine> {
  const db = await reopenDatabase(store.url, {});
  onTestFinished(() => db.close());
  return db;
}
