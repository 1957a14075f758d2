import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { cancelLinks } from "../../../../src/domain/projects/cancel.ts";
import type { ProjectRow } from "../../../../src/domain/projects/read.ts";
import { notSubmitted, takeFresh } from "../../../../src/domain/projects/submitted.ts";
import { hashUrls } from "../../../../src/platform/urls/urls.ts";
import { pages, testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
let account: string;
beforeEach(async () => {
  account = await store.account(100_000);
});

const urls = pages(10);
const fresh = (list: readonly string[]) => notSubmitted(store.db, account, list);
const take = (list: readonly string[], most: number, skip = true) =>
  store.db.tx((tx) => takeFresh(tx, account, list, { skip, most }));
const cancel = (project: ProjectRow, positions: number[]) =>
  store.db.tx((tx) => cancelLinks(tx, project, positions, { service: store.clock.service(), now: store.clock.now() }));

test("links of the account's index projects count as submitted; the other URLs keep their order", async () => {
  await store.index(account, [urls[3]!, urls[1]!]);
  await store.index(account, [urls[8]!]);
  const left = urls.filter((_, position) => ![1, 3, 8].includes(position));
  expect(await fresh(urls)).toEqual({ urls: left, submitted: 3 });
  expect(await store.db.tx((tx) => notSubmitted(tx, account, urls))).toEqual({ urls: left, submitted: 3 });
  expect(await fresh([])).toEqual({ urls: [], submitted: 0 });
});

test("links of check projects and of other accounts do not count as submitted", async () => {
  await store.check(account, urls);
  await store.index(await store.account(100), urls);
  expect(await fresh(urls)).toEqual({ urls, submitted: 0 });
});

test("failed links do not count as submitted, unless another project has the same URL", async () => {
  const project = await store.index(account, urls);
  await cancel(project, [0, 1, 2]);
  await store.index(account, [urls[1]!]);
  expect(await fresh(urls)).toEqual({ urls: [urls[0], urls[2]], submitted: 8 });
});

test("an equal hash alone does not count as submitted", async () => {
  const { no } = await store.index(account, urls);
  const others = urls.map((url) => url.replace("example.com", "example.org"));
  const { urlSets } = store.db.t;
  const hashes = hashUrls(others);
  await store.db.tx((tx) => tx.q.update(urlSets).set({ hashes }).where(eq(urlSets.projectNo, no)));
  expect(await fresh(others)).toEqual({ urls: others, submitted: 0 });
});

test("many projects, and many links of one", async () => {
  const list = pages(5_000);
  for (let i = 0; i < 150; i++) await store.index(account, [list[i * 2]!]);
  await store.index(account, list.slice(1_000, 3_500));
  const left = list.filter((_, i) => (i >= 300 || i % 2 === 1) && !(i >= 1_000 && i < 3_500));
  expect(await fresh(list)).toEqual({ urls: left, submitted: 5_000 - left.length });
});

test("takes the first `most` URLs; URLs submitted meanwhile are replaced by the next", async () => {
  await store.index(account, [urls[0]!, urls[2]!, urls[4]!]);
  expect(await take(urls, 4)).toEqual({ urls: [1, 3, 5, 6].map((i) => urls[i]), submitted: 3, left: 3 });
  expect(await take(urls, 4, false)).toEqual({ urls: urls.slice(0, 4), submitted: 0, left: 6 });
  await store.index(account, urls);
  expect(await take(urls, 4)).toEqual({ urls: [], submitted: 10, left: 0 });
});

test("takeFresh by itself changes nothing", async () => {
  await take(urls, 4);
  expect(await store.balance(account)).toBe(100_000);
  expect(await store.problems()).toEqual([]);
  expect(await fresh(urls)).toEqual({ urls, submitted: 0 });
});
