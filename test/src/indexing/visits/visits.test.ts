import { beforeEach, expect, test } from "vitest";
import {
  type PageVisits,
  purgeVisits,
  recordVisits,
  rememberImport,
  VISITS_KEPT,
  visitsOfProject,
} from "../../../../src/indexing/visits/visits.ts";
import { DAY } from "../../../../src/platform/clock.ts";
import { pages, testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
const [FIRST, SECOND, THIRD] = pages(3) as [string, string, string];
const now = () => store.clock.now();
let accountId: string;
beforeEach(async () => {
  accountId = await store.account(10);
});

/** Visits of a crawler that began a day before the last one. */
const visits = (
  url: string,
  agent: PageVisits["agent"],
  lastAt: number,
  more: Partial<PageVisits> = {},
): PageVisits => ({
  ...{ url, agent, verified: "range", firstAt: lastAt - DAY, lastAt, count: 2, status: 200, ...more },
});
const record = (owner: string, ...rows: PageVisits[]) => store.db.tx((tx) => recordVisits(tx, owner, rows));

const NONE = { verified: 0, unverified: 0, lastAt: null };

test("a project has the verified crawls of its own pages, and what searchers of agents have read of them", async () => {
  const [project, at] = [await store.index(accountId, [FIRST, SECOND]), now()];
  expect(await visitsOfProject(store.db, project)).toBeNull();
  await record(
    accountId,
    visits(FIRST, "Googlebot", at - 2 * DAY),
    visits(FIRST, "Googlebot-Image", at - DAY, { verified: "dns" }),
    visits(FIRST, "Googlebot", at, { verified: "no" }),
    visits(FIRST, "Google-InspectionTool", at),
    visits(SECOND, "bingbot", at - 3 * DAY),
    visits(SECOND, "OAI-SearchBot", at - 4 * DAY),
    visits(FIRST, "OAI-SearchBot", at - 5 * DAY),
    visits(FIRST, "OAI-SearchBot", at, { verified: "no" }),
    visits(FIRST, "PerplexityBot", at, { verified: "no" }),
    visits(THIRD, "Googlebot", at),
    visits(THIRD, "Claude-SearchBot", at),
  );
  await record(await store.account(0), visits(SECOND, "Googlebot", at), visits(FIRST, "Claude-SearchBot", at));
  expect(await visitsOfProject(store.db, project)).toEqual({
    searchers: [
      { agent: "OAI-SearchBot", verified: 2, unverified: 1, lastAt: at - 4 * DAY },
      { agent: "Claude-SearchBot", ...NONE },
      { agent: "PerplexityBot", ...NONE, unverified: 1 },
    ],
    crawls: { google: new Map([[0, at - DAY]]), bing: new Map([[1, at - 3 * DAY]]) },
  });
  const others = await store.index(accountId, [THIRD]);
  expect(await visitsOfProject(store.db, others)).toMatchObject({ crawls: { google: new Map([[0, at]]) } });
});

test("a log is imported once to its site within a week, whatever is imported elsewhere", async () => {
  const log = { accountId, siteId: "site_1", digest: "a" };
  const others = [log, { ...log, siteId: "site_2" }, { ...log, digest: "b" }, { ...log, accountId: "acc_other" }];
  const remembered = async () => {
    const made: boolean[] = [];
    for (const one of others) made.push(await store.db.tx((tx) => rememberImport(tx, { ...one, at: now() })));
    return made;
  };
  expect(await remembered()).toEqual([true, true, true, true]);
  store.clock.pass(7 * DAY);
  expect(await remembered()).toEqual([false, false, false, false]);
  store.clock.pass(1);
  expect(await store.db.tx((tx) => rememberImport(tx, { ...log, at: now() }))).toBe(true);
  expect(await store.db.tx((tx) => rememberImport(tx, { ...log, at: now() }))).toBe(false);
});

test("visits are deleted after their time, and the digests of logs after a week", async () => {
  const log = { accountId, siteId: "site_1", digest: "a", at: now() };
  await store.db.tx((tx) => rememberImport(tx, log));
  await record(accountId, visits(FIRST, "Googlebot", now()), visits(SECOND, "Googlebot", now() + 1));
  const left = async () => {
    const { visits: rows, visitImports } = store.db.t;
    const urls = (await store.db.q.select().from(rows)).map(({ url }) => url).sort();
    return [urls, (await store.db.q.select().from(visitImports)).length];
  };
  await purgeVisits(store.db, now() + 7 * DAY);
  expect(await left()).toEqual([[FIRST, SECOND], 1]);
  await purgeVisits(store.db, now() + VISITS_KEPT + 1);
  expect(await left()).toEqual([[SECOND], 0]);
});
