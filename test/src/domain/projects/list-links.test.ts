import { beforeEach, expect, test } from "vitest";
import { cancelLinks } from "../../../../src/domain/projects/cancel.ts";
import { eachLink, type LinkFilter, linksOf, positionsInOrder } from "../../../../src/domain/projects/list-links.ts";
import type { ProjectRow } from "../../../../src/domain/projects/read.ts";
import { DAY } from "../../../../src/platform/clock.ts";
import { normaliseUrl } from "../../../../src/platform/urls/urls.ts";
import { pages, testStore } from "../../../support/database/store.ts";
import { testChecker } from "../../../support/service/checker.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
let account: string;
beforeEach(async () => {
  account = await store.account(10_000);
});

const ALL = { state: null, limit: 10_000, offset: 0 };

/** The paths of the links of a page. */
async function pathsOf(project: ProjectRow, filter: Partial<LinkFilter & { limit: number; offset: number }>) {
  const { records, hasMore } = await linksOf(store.db, project, { ...ALL, ...filter });
  return { paths: records.map(({ link }) => new URL(link.url).pathname.slice(1)), hasMore };
}

const at = (...paths: string[]) => paths.map((path) => normaliseUrl(`https://example.com/${path}`)!);

test("search finds text anywhere in the URL, whatever its capitals, and takes every character for itself", async () => {
  const project = await store.index(account, at("a%25b", "a_b", "axb", "Blog/Post", "blog/other", "a!b", "a'b"));
  const found = async (search: string) => (await pathsOf(project, { search })).paths;
  expect(await found("BLOG/")).toEqual(["Blog/Post", "blog/other"]);
  expect(await found("a_b")).toEqual(["a_b"]);
  expect(await found("%")).toEqual(["a%25b"]);
  expect(await found("a!b")).toEqual(["a!b"]);
  expect(await found("' OR 1=1 --")).toEqual([]);
  expect(await found("a'b")).toEqual(["a'b"]);
  expect(await found("")).toHaveLength(7);
});

test("search finds text in Arabic, and a whole URL as somebody pastes it", async () => {
  const project = await store.index(account, [
    ...at("مرحبا/بالعالم", "Ünder", "c"),
    normaliseUrl("https://bücher.example/")!,
  ]);
  const found = async (search: string) => {
    const { records } = await linksOf(store.db, project, { ...ALL, search });
    return records.map(({ position }) => position);
  };
  expect(await found("بالعالم")).toEqual([0]);
  expect(await found("ünd")).toEqual([1]);
  expect(await found("HTTPS://EXAMPLE.com:443/x/../c#top")).toEqual([2]);
  expect(await found("bücher")).toEqual([3]);
});

test("sort by URL ignores capitals; equal ones stand in submission order, also over pages", async () => {
  const project = await store.index(account, at("b", "A", "a", "C"));
  expect((await pathsOf(project, { sort: "url" })).paths).toEqual(["A", "a", "b", "C"]);
  expect((await pathsOf(project, { sort: "-url" })).paths).toEqual(["C", "b", "A", "a"]);
  expect((await pathsOf(project, { sort: "-submitted" })).paths).toEqual(["C", "a", "A", "b"]);
  expect(await pathsOf(project, { sort: "url", limit: 1, offset: 1 })).toEqual({ paths: ["a"], hasMore: true });
  expect(await pathsOf(project, { sort: "url", limit: 2, offset: 2 })).toEqual({ paths: ["b", "C"], hasMore: false });
});

test("sort by status goes from waiting to failed; by the last check, links without one come last", async () => {
  const { db, clock } = store;
  const urls = [...pages(1, "never"), ...pages(1, "day_4"), ...pages(1, "never").map((url) => `${url}&b`)];
  const project = await store.index(account, urls, { mode: "instant", dripDays: 30 });
  await testChecker(store).until(clock.service() + 15 * DAY);
  const order = async (sort: LinkFilter["sort"]) =>
    (await linksOf(db, project, { ...ALL, ...(sort ? { sort } : {}) })).records.map(({ position }) => position);
  const { records } = await linksOf(db, project, ALL);
  expect(records.map(({ link }) => link.state)).toEqual(["not_indexed", "indexed", "waiting"]);
  const checks = records.map(({ observations }) => observations.at(-1)?.at ?? null);
  expect(checks[0]! > checks[1]! && checks[2] === null).toBe(true);
  expect(await order("status")).toEqual([2, 1, 0]);
  expect(await order("-status")).toEqual([0, 1, 2]);
  expect(await order("checked")).toEqual([1, 0, 2]);
  expect(await order("-checked")).toEqual([0, 1, 2]);
  expect((await linksOf(db, project, { ...ALL, sort: "checked", limit: 1, offset: 1 })).hasMore).toBe(true);
});

test("status, search and sort apply together, and the search limits what is counted", async () => {
  const { db, clock } = store;
  const project = await store.index(account, at("a1", "b2", "a3", "a4"));
  const times = { service: clock.service(), now: clock.now() };
  await db.tx((tx) => cancelLinks(tx, project, [0, 1, 2], times));
  expect((await pathsOf(project, { state: "failed", search: "/A", sort: "-url" })).paths).toEqual(["a3", "a1"]);
  expect(await positionsInOrder(db, project, { search: "/a", sort: "-url" })).toEqual([3, 2, 0]);
  expect(await positionsInOrder(db, project, {})).toEqual([0, 1, 2, 3]);
});

test("all links in batches: each once, in the order that was asked for, with their records", async () => {
  const project = await store.index(account, pages(1_100));
  const other = await store.index(account, pages(3));
  const batches: number[][] = [];
  for await (const batch of eachLink(store.db, project, { state: null, sort: "-submitted" }))
    batches.push(batch.map(({ position }) => position));
  expect(batches.map(({ length }) => length)).toEqual([500, 500, 100]);
  expect(batches.flat()).toEqual(Array.from({ length: 1_100 }, (_, i) => 1_099 - i));
  for await (const batch of eachLink(store.db, other, { state: "failed" })) expect(batch).toEqual([]);
});
