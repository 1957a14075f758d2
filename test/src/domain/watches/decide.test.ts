import { beforeEach, expect, test } from "vitest";
import { decideRun, type RunInput } from "../../../../src/domain/watches/decide.ts";
import type { Difference } from "../../../../src/domain/watches/difference.ts";
import type { WatchRow } from "../../../../src/domain/watches/rows.ts";
import { EMPTY_RUN } from "../../../../src/domain/watches/runs.ts";
import { DEFAULT_SETTINGS } from "../../../../src/domain/watches/settings.ts";
import { ownerOf } from "../../../support/database/people.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
let watch: WatchRow;
beforeEach(async () => {
  const accountId = await store.account(1_000);
  watch = {
    ...{ ...DEFAULT_SETTINGS, include: "[]", exclude: "[]", changedPages: "submit", waiting: 4 },
    ...{ accountId, maker: await ownerOf(store.db, accountId), month: 0, spentThisMonth: 0, firstRun: "done" },
  } as unknown as WatchRow;
});

const URLS = Array.from({ length: 9 }, (_, n) => `https://example.com/${n}`);
const GONE = ["https://example.com/gone/1", "https://example.com/gone/2"];

interface Given extends Partial<Omit<RunInput, "difference" | "watch">> {
  readonly watch?: Partial<WatchRow>;
  readonly difference?: Partial<Difference>;
  readonly urls?: readonly string[];
  readonly balance?: number;
}

/** By default nothing has changed. */
function decide({ watch: change, difference, urls = URLS, hold = null, removedUrls = [], balance = 1_000 }: Given) {
  const input = {
    ...{ watch: { ...watch, ...change }, hold, removedUrls },
    listing: { urls, modified: new Uint32Array(urls.length), isComplete: true },
    difference: {
      ...{ fresh: [], waitingNew: [], waitingChanged: [], changed: [], corrected: [], removed: [], same: 5 },
      ...difference,
    },
  } as unknown as RunInput;
  return decideRun(store.db, input, { balance, now: store.clock.now(), service: store.clock.service() });
}

test("what was found is counted, shown by examples and submitted", async () => {
  const { run, plan, hold } = await decide({
    difference: { fresh: [1, 2], changed: [3], removed: [0, 1] },
    removedUrls: GONE,
  });
  expect(run).toEqual({
    ...EMPTY_RUN,
    ...{ newPages: 2, changedPages: 1, removedPages: 2, samePages: 5, submitted: 3, creditsSpent: 3, waiting: 0 },
    examples: { new: URLS.slice(1, 3), changed: [URLS[3]], removed: GONE },
    ...{ result: "done", reason: null, at: store.clock.service() },
  });
  expect([plan!.submit, hold]).toEqual([[1, 2, 3], null]);
});

test("nothing new: the run is unchanged, and shows no examples", async () => {
  const { run } = await decide({});
  expect(run).toEqual({ ...EMPTY_RUN, samePages: 5, result: "unchanged", at: store.clock.service() });
});

test.each<[string, Given]>([
  ["new pages that cannot be paid", { difference: { fresh: [1] }, balance: 0 }],
  ["changed pages that are ignored", { difference: { changed: [1] }, watch: { changedPages: "ignore" } }],
  ["pages that are gone", { difference: { removed: [0] } }],
  ["pages that waited, and are submitted now", { difference: { waitingNew: [1] } }],
  [
    "pages that waited, and of which engines are notified",
    {
      difference: { waitingChanged: [1] },
      watch: { changedPages: "notify" },
    },
  ],
  ["the first run of a site without pages", { watch: { firstRun: "submit" } }],
])("done: %s", async (_, given) => {
  expect((await decide(given)).run).toMatchObject({ result: "done", examples: { new: expect.anything() } });
});

test("unchanged: pages that still wait for credits", async () => {
  const { run } = await decide({ difference: { waitingNew: [1, 2], waitingChanged: [3] }, balance: 0 });
  expect(run).toMatchObject({ result: "unchanged", waiting: 3, submitted: 0, reason: "balance", examples: null });
});

test("a first run that takes all pages as known finds nothing, and submits nothing", async () => {
  const { run, plan } = await decide({
    watch: { firstRun: "baseline" },
    difference: { fresh: [0, 1, 2], changed: [3], removed: [0], same: 0 },
  });
  const found = { newPages: 0, changedPages: 0, removedPages: 0, samePages: 9, waiting: 0, submitted: 0 };
  expect(run).toMatchObject({ ...found, result: "done", examples: null, creditsSpent: 0 });
  expect([plan!.submit, [...plan!.note]]).toEqual([[], [0, 1, 2, 3]]);
});

test("a first run that submits all pages has new ones, and none that are gone", async () => {
  const { run } = await decide({
    watch: { firstRun: "submit" },
    difference: { fresh: [0, 1], removed: [0], same: 0 },
  });
  expect(run).toMatchObject({ newPages: 2, removedPages: 0, samePages: 0, submitted: 2, result: "done" });
});

test("held: nothing is planned, what waits goes on waiting, and the reason is told", async () => {
  const hold = { reason: "many_new", digest: "x" } as const;
  const decision = await decide({ hold, difference: { fresh: [1], same: 8 } });
  expect(decision).toEqual({
    run: {
      ...{ ...EMPTY_RUN, newPages: 1, samePages: 8, waiting: 4, result: "held", reason: "many_new" },
      ...{ examples: { new: [URLS[1]], changed: [], removed: [] }, at: store.clock.service() },
    },
    ...{ plan: null, hold },
  });
});

test("the examples are the first five URLs of at most 300 characters", async () => {
  const of = (length: number) => `https://example.com/${"a".repeat(length - 20)}`;
  const urls = [of(301), of(300), ...URLS.slice(0, 6)];
  const { run } = await decide({ urls, difference: { fresh: [0, 1, 2, 3, 4, 5, 6, 7], same: 0 } });
  expect(run.examples!.new).toEqual(urls.slice(1, 6));
});
