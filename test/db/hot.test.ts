import { randomUUID } from "node:crypto";
import { asc } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import type { Claim, Engine, NewStep } from "../../db/engine.ts";
import { linkKey } from "../../src/platform/ids.ts";
import { packUrls } from "../../src/platform/urls/packed-urls.ts";
import { testStore } from "../support/database/store.ts";
import { eachTest } from "../support/service/each-test.ts";

// The statements that are written once per dialect: the same cases for both.

const store = eachTest(testStore);
let db: Engine;
beforeEach(async () => {
  ({ db } = store);
});

const STEP: NewStep = {
  bucket: 1,
  projectNo: 1,
  lane: "google",
  action: "send",
  stage: "none",
  negatives: 0,
  tries: 0,
  availableMs: 0,
  checkedAt: null,
  priority: 1,
  dueAt: 0,
  first: 0,
  members: Buffer.from([1]),
  size: 1,
};
const allSteps = async () => db.q.select().from(db.t.steps).orderBy(asc(db.t.steps.id));
const allLinks = async () => db.q.select().from(db.t.links).orderBy(asc(db.t.links.id));

/** What has been taken for something else between a program and a database. */
const URLS = [
  "https://example.com/",
  "NULL",
  "",
  'https://example.com/?a="b"&c=\\d',
  "https://example.com/{1,2},(3)",
  "https://example.com/'; DROP TABLE links; --",
  "https://example.com/$1?:id@x",
];

test("links keep their order and their exact text", async () => {
  await db.tx((tx) => tx.insertLinks({ no: 3, bucket: 63 }, packUrls(URLS)));
  expect(await allLinks()).toEqual(
    URLS.map((url, position) => ({
      id: linkKey(3, position),
      bucket: 63,
      url,
      state: "waiting",
      error: null,
      sentAt: null,
      indexedAt: null,
      cancelledAt: null,
      warnings: null,
    })),
  );
});

test("the 10,000 links of the project with the greatest number have ids of their own, in order", async () => {
  const no = 2 ** 39 - 1;
  const urls = Array.from({ length: 10_000 }, (_, i) => `https://example.com/${i}`);
  await db.tx((tx) => tx.insertLinks({ no, bucket: 0 }, packUrls(urls)));
  const found = await db.linksBetween(linkKey(no, 0), linkKey(no, 9_999));
  expect(found.map(({ url }) => url)).toEqual(urls);
  expect(found.map(({ id }) => id - linkKey(no, 0))).toEqual(urls.map((_, i) => i));
  const ids = found.map(({ id }) => id);
  expect(await db.tx((tx) => tx.moveLinks({ ids, from: "waiting", patch: { state: "checking" } }))).toBe(10_000);
});

test("links are moved that are near each other, far apart and named in any order, and none between them", async () => {
  const no = 2 ** 31;
  await db.tx((tx) =>
    tx.insertLinks({ no, bucket: 0 }, packUrls(Array.from({ length: 2_000 }, (_, i) => `https://example.com/${i}`))),
  );
  const positions = [0, 1, 2, 5, 63, 64, 130, 900, 901, 1_999];
  const ids = [...positions].reverse().map((position) => linkKey(no, position));
  expect(await db.tx((tx) => tx.moveLinks({ ids, from: "waiting", patch: { state: "checking" } }))).toBe(ids.length);
  const moved = (await allLinks()).filter(({ state }) => state === "checking");
  expect(moved.map(({ id }) => id - linkKey(no, 0))).toEqual(positions);
});

test("steps are read back as written, with numbers beyond 32 bits, any bytes and no bytes", async () => {
  const steps = [
    STEP,
    { ...STEP, dueAt: 2 ** 52, availableMs: 2 ** 40, checkedAt: 2 ** 41, members: Buffer.from([0, 255, 92, 34, 0]) },
    { ...STEP, members: Buffer.alloc(0), first: 9_999, size: 500, priority: 0 },
  ];
  await db.tx((tx) => tx.insertSteps(steps));
  await db.tx((tx) => tx.insertSteps([]));
  expect(await allSteps()).toEqual(
    steps.map((step) => ({ ...step, id: expect.any(Number), lease: null, leaseUntil: null, intentAt: null })),
  );
});

test("only links in the given state are changed, and columns that the patch does not name stay", async () => {
  await db.tx((tx) => tx.insertLinks({ no: 1, bucket: 0 }, packUrls(["a", "b", "c"])));
  const ids = [0, 1, 2].map((position) => linkKey(1, position));
  const move = (batch: Parameters<Parameters<Parameters<Engine["tx"]>[0]>[0]["moveLinks"]>[0]) =>
    db.tx((tx) => tx.moveLinks(batch));
  expect(
    await move({
      ids: ids.slice(0, 2),
      from: "waiting",
      patch: { state: "checking", sentAt: 2 ** 41, warnings: "one two" },
    }),
  ).toBe(2);
  expect(await move({ ids, from: "checking", patch: { error: "noindex", cancelledAt: 7 } })).toBe(2);
  expect(
    await move({ ids, from: "checking", patch: { state: "indexed", indexedAt: 9, error: null, cancelledAt: null } }),
  ).toBe(2);
  expect(await move({ ids, from: "checking", patch: { state: "not_indexed" } })).toBe(0);
  expect(await move({ ids: [], from: "waiting", patch: { state: "not_indexed" } })).toBe(0);
  const moved = {
    state: "indexed",
    error: null,
    sentAt: 2 ** 41,
    indexedAt: 9,
    cancelledAt: null,
    warnings: "one two",
  };
  expect(await allLinks()).toMatchObject([
    moved,
    moved,
    { state: "waiting", error: null, sentAt: null, warnings: null },
  ]);
});

test("links of a range are returned in ascending order, both ends included", async () => {
  await db.tx((tx) => tx.insertLinks({ no: 1, bucket: 0 }, packUrls(["a", "b", "c", "d"])));
  await db.tx((tx) => tx.moveLinks({ ids: [linkKey(1, 1)], from: "waiting", patch: { sentAt: 5, state: "checking" } }));
  const [b, c] = await db.linksBetween(linkKey(1, 1), linkKey(1, 2));
  expect([b, c]).toEqual([
    { id: linkKey(1, 1), url: "b", state: "checking", sentAt: 5, cancelledAt: null },
    { id: linkKey(1, 2), url: "c", state: "waiting", sentAt: null, cancelledAt: null },
  ]);
  expect(await db.linksBetween(linkKey(2, 0), linkKey(2, 9))).toEqual([]);
});

test.each([0, 1, 40_000])("`among` passes %i ids as one value", async (count) => {
  await db.tx((tx) => tx.insertLinks({ no: 1, bucket: 0 }, packUrls(["a", "b"])));
  const ids = Array.from({ length: count }, (_, position) => linkKey(1, position));
  const { links } = db.t;
  const found = await db.q.select({ url: links.url }).from(links).where(db.among(links.id, ids));
  expect(found.map(({ url }) => url).sort()).toEqual(["a", "b"].slice(0, count));
});

const claim = (more: Partial<Claim> = {}) =>
  db.claimSteps({ priority: 1, dueBy: 100, now: 0, lease: randomUUID(), leaseUntil: 60, limit: 10, ...more });
const dues = (steps: readonly NewStep[]) => steps.map(({ dueAt }) => dueAt).sort((a, b) => a - b);

test("a claim takes due steps of its priority, the earliest first, and holds them until the lease ends", async () => {
  const due = (dueAt: number, priority = 1): NewStep => ({ ...STEP, dueAt, priority });
  await db.tx((tx) => tx.insertSteps([due(50), due(10), due(100), due(101), due(20, 0)]));
  const first = await claim({ lease: "one", limit: 2 });
  expect(dues(first)).toEqual([10, 50]);
  const [step] = first.filter(({ dueAt }) => dueAt === 10);
  expect(step).toEqual({ ...due(10), id: expect.any(Number), lease: "one", leaseUntil: 60, intentAt: null });
  expect(dues(await claim({ now: 59 }))).toEqual([100]);
  expect(await claim({ now: 59 })).toEqual([]);
  // At the very end of a lease it is over.
  expect(dues(await claim({ now: 60, leaseUntil: 90 }))).toEqual([10, 50, 100]);
  expect(dues(await claim({ priority: 0 }))).toEqual([20]);
  expect(dues(await claim({ dueBy: 101 }))).toEqual([101]);
  expect((await allSteps()).every(({ lease }) => lease !== null)).toBe(true);
});

test("law: simultaneous claims never get the same step, and leave no due step", async () => {
  await db.tx((tx) => tx.insertSteps(Array.from({ length: 100 }, (_, i) => ({ ...STEP, dueAt: i % 7 }))));
  const got: number[] = [];
  const worker = async () => {
    for (;;) {
      const steps = await claim({ limit: 3 });
      // Nothing free for the moment is no end where others hold rows locked; nothing at all is.
      if (steps.length === 0 && (await allSteps()).every(({ lease }) => lease !== null)) return;
      got.push(...steps.map(({ id }) => id));
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  expect(got).toHaveLength(100);
  expect(new Set(got).size).toBe(100);
});
