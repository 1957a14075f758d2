import { expect, test } from "vitest";
import { KnownPages } from "../../../../src/domain/watches/known-pages.ts";
import { planRun } from "../../../../src/domain/watches/plan.ts";
import { DEFAULT_SETTINGS } from "../../../../src/domain/watches/settings.ts";
import { testStore } from "../../../support/database/store.ts";
import { allTests } from "../../../support/service/each-test.ts";

const t = allTests(testStore);

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

/** All pages of a listing are new. */
function allNew(urls: readonly string[]) {
  const none = { waitingNew: [], waitingChanged: [], changed: [], corrected: [], removed: [], same: 0, known: 0 };
  const difference = { ...none, hashes: new Uint32Array(0), fresh: numbers(urls.length) };
  return { listing: { urls, modified: new Uint32Array(urls.length), isComplete: true }, difference };
}

const hashOf = (at: number) => [Math.imul(at, 2_654_435_761) >>> 0, at * 40_503] as const;

const allowance = { credits: 1_000_000, limit: "balance" } as const;

test("a list of 300,000 pages is noted at once", async () => {
  const urls = numbers(300_000).map((at) => `https://example.com/${at}`);
  const settings = { ...DEFAULT_SETTINGS, newPages: "list" } as const;
  const plan = await planRun(t.db, "acc_none", settings, allNew(urls), allowance);
  expect(plan).toMatchObject({ submit: [], notify: [], waitNew: [], credits: 0 });
  expect(plan.note).toHaveLength(300_000);
});

test("50,000 pages that are links already are looked up in one run, and the rest waits", async () => {
  const account = await t.account(10_000);
  const known = numbers(10_000).map((at) => `https://example.com/${at}`);
  await t.index(account, known);
  // The listing holds only pages that are links, as often as it takes: the plan does not look for duplicates.
  const urls = numbers(60_000).map((at) => known[at % known.length]!);
  const plan = await planRun(t.db, account, DEFAULT_SETTINGS, allNew(urls), allowance);
  expect(plan).toMatchObject({ submit: [], limit: "most_per_run" });
  expect([plan.note.length, plan.waitNew.length]).toEqual([50_000, 10_000]);
});

test("pages that are gone are forgotten when there would be more than two million", async () => {
  const known = await KnownPages.empty().copy(4);
  const states = ["taken", "gone", "waits_as_new", "gone_untaken"] as const;
  for (const [at, state] of states.entries()) known.add(at, at, { modified: at, state, since: 0 });
  const [small, large] = [await known.copy(100), await known.copy(2_000_001)];
  const left = (pages: KnownPages) => numbers(4).filter((at) => pages.find(at, at) !== -1);
  expect([left(small), left(large)]).toEqual([
    [0, 1, 2, 3],
    [0, 2],
  ]);
  expect(large.stateOf(large.find(2, 2))).toBe("waits_as_new");
  large.add(9, 9, { modified: 1, state: "taken", since: 0 });
  expect(large.modifiedOf(large.find(9, 9))).toBe(1);
});

test("what is known is the same after it was written and read in any number of parts", async () => {
  const known = await KnownPages.empty().copy(20_000);
  for (const at of numbers(20_000)) known.add(...hashOf(at), { modified: at, state: "taken", since: 0 });
  const parts = [];
  for await (const { part, records } of known.changedParts()) parts.push({ part, records });
  expect(parts.map(({ part }) => part)).toEqual(numbers(8));
  const again = await KnownPages.of(
    parts.map(({ records }) => records),
    known.parts,
  );
  expect(again.size).toBe(20_000);
  for (const at of numbers(20_000)) expect(again.modifiedOf(again.find(...hashOf(at)))).toBe(at);
  const unchanged = [];
  for await (const part of again.changedParts()) unchanged.push(part);
  expect(unchanged).toEqual([]);
});
