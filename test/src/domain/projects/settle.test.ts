import { and, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { entriesOf } from "../../../../src/domain/ledger/ledger.ts";
import { createProject } from "../../../../src/domain/projects/create.ts";
import type { Move } from "../../../../src/domain/projects/move.ts";
import type { ProjectRow } from "../../../../src/domain/projects/read.ts";
import { settleLinks } from "../../../../src/domain/projects/settle.ts";
import { DAY } from "../../../../src/platform/clock.ts";
import { packUrls } from "../../../../src/platform/urls/packed-urls.ts";
import { pages, testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
let account: string;
beforeEach(async () => {
  account = await store.account(1_000);
});

const times = () => ({ now: store.clock.now(), service: store.clock.service() });
const settle = (
  project: ProjectRow,
  moves: readonly Move[],
  {
    mayComplete = false,
    lookedUp,
    source = "step 1",
  }: { mayComplete?: boolean; lookedUp?: number; source?: string } = {},
) =>
  store.db.tx((tx) =>
    settleLinks(tx, project, moves, {
      source,
      times: times(),
      mayComplete,
      ...(lookedUp !== undefined && { lookedUp }),
    }),
  );

/** Ends the steps of a project in a lane. */
const endSteps = ({ no }: ProjectRow, lane: "google" | "bing" = "google") => {
  const { steps } = store.db.t;
  return store.db.tx((tx) => tx.q.delete(steps).where(and(eq(steps.projectNo, no), eq(steps.lane, lane))));
};
/** The last events of the account, of links that were settled and of projects that are completed. */
async function told() {
  const { events } = store.db.t;
  const rows = await store.db.q.select().from(events).where(eq(events.accountId, account)).orderBy(events.no);
  return rows
    .filter(({ type }) => /^links|^project.completed/.test(type))
    .map(({ type, data }) => [type, JSON.parse(data)]);
}
const returns = async () => {
  const { rows } = await entriesOf(store.db, account, { limit: 100, offset: 0 });
  return rows
    .filter(({ kind }) => kind === "return")
    .map(({ credits, description }) => `${credits} ${description}`)
    .sort();
};
const countsOf = ({ waiting, checking, indexed, notIndexed, failed }: ProjectRow) => ({
  ...{ waiting, checking, indexed, notIndexed, failed },
});

test("links move to their new states, and the project counts them", async () => {
  const project = await store.index(account, pages(9), { mode: "instant" });
  const moves: Move[] = [
    { positions: [], from: "checking", to: "indexed" },
    { positions: [0, 1, 2, 3, 4, 5], from: "waiting", to: "checking" },
    { positions: [0], from: "checking", to: "indexed" },
    { positions: [1, 2], from: "checking", to: "not_indexed", patch: { error: "no_match" } },
    { positions: [6], from: "waiting", to: "failed", patch: { error: "http_404" } },
    { positions: [7], from: "waiting", to: "waiting", patch: { warnings: "http_403" } },
  ];
  expect(await settle(project, moves)).toBe(9);
  const after = await store.reload(project);
  expect(countsOf(after)).toEqual({ waiting: 2, checking: 3, indexed: 1, notIndexed: 2, failed: 1 });
  expect(after).toMatchObject({
    creditsReturned: 9,
    status: "active",
    completedAt: null,
    lookedUp: 0,
    alreadyIndexed: 0,
  });
  const states = (await store.links(project)).map(({ link }) => link.state);
  expect(states.slice(0, 8)).toEqual([
    ...["indexed", "not_indexed", "not_indexed", "checking", "checking", "checking", "failed", "waiting"],
  ]);
  const counts = { indexed: 1, not_indexed: 2, failed: 1 };
  expect(await told()).toMatchObject([["links.settled", { counts, credits_returned: 9 }]]);
  expect(await store.balance(account)).toBe(1_000 - 27 + 9);
});

test("law: each reason is one entry of the ledger, with the day and how many it was", async () => {
  const project = await store.index(account, pages(8));
  store.clock.pass(3 * DAY);
  const moves: Move[] = [
    { positions: [0, 1], from: "waiting", to: "not_indexed", patch: { error: "no_match" } },
    { positions: [2], from: "waiting", to: "not_indexed", patch: { error: "no_match" } },
    { positions: [], from: "waiting", to: "failed", patch: { error: "noindex" } },
    { positions: [3], from: "waiting", to: "failed", patch: { error: "cancelled" } },
    { positions: [4], from: "waiting", to: "indexed" },
  ];
  expect(await settle(project, moves, { source: "call 7" })).toBe(4);
  expect(await returns()).toEqual([
    "1 Day 3: 1 URL was cancelled before sending",
    "3 Day 3: 3 URLs were not found in Google",
  ]);
  const { ledger } = store.db.t;
  const entries = await store.db.q.select().from(ledger).where(eq(ledger.kind, "return"));
  const common = { accountId: account, projectId: project.id, credential: project.credential };
  expect(entries.map(({ source }) => source).sort()).toEqual(["call 7:cancelled", "call 7:no_match"]);
  expect(entries).toMatchObject([common, common]);
  // The same cause a second time is another one by its source alone.
  expect(await settle(project, [{ positions: [5], from: "waiting", to: "not_indexed" }], { source: "call 8" })).toBe(1);
  expect(await returns()).toContain("1 Day 3: 1 URL was not found in Google");
});

test("law: links that are not in the state that they should leave roll everything back", async () => {
  const project = await store.index(account, pages(3));
  const moves: Move[] = [
    { positions: [0], from: "waiting", to: "failed", patch: { error: "cancelled" } },
    { positions: [0, 1], from: "waiting", to: "checking" },
  ];
  await expect(settle(project, moves)).rejects.toThrow(`${project.id}: 1 of 2 links were in state waiting`);
  expect(countsOf(await store.reload(project))).toMatchObject({ waiting: 3, failed: 0 });
  expect([await returns(), await told()]).toEqual([[], []]);
});

test("a project is completed once no step of Google's lane is left, and only where these links were the last", async () => {
  const project = await store.index(account, pages(2), { bing: true });
  const last: Move[] = [{ positions: [0], from: "waiting", to: "indexed" }];
  const status = async () => (await store.reload(project)).status;
  await settle(project, last, { mayComplete: true });
  expect(await status()).toBe("active");
  await endSteps(project);
  await settle(project, [{ positions: [1], from: "waiting", to: "not_indexed" }]);
  expect(await status()).toBe("active");
  store.clock.pass(DAY);
  expect(await settle(project, [], { mayComplete: true })).toBe(0);
  const completedAt = store.clock.service();
  expect(await store.reload(project)).toMatchObject({ status: "completed", completedAt, creditsReturned: 1 });
  expect((await told()).filter(([type]) => type === "project.completed")).toMatchObject([
    ["project.completed", { counts: { total: 2, indexed: 1, not_indexed: 1 }, credits_spent: 2, credits_returned: 1 }],
  ]);
  store.clock.pass(DAY);
  await settle(project, [], { mayComplete: true });
  expect(await store.reload(project)).toMatchObject({ completedAt });
  expect((await told()).filter(([type]) => type === "project.completed")).toHaveLength(1);
});

test.each([
  { failed: 1, back: 1, told: ["1 1 URL was not looked up"] },
  { failed: 12, back: 2, told: ["2 12 URLs were not looked up"] },
  { failed: 0, back: 0, told: [] },
])(
  "a check of 21 URLs of which $failed were not looked up gives $back credits back",
  async ({ failed, back, told }) => {
    const project = await store.check(account, pages(21));
    const at = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);
    await endSteps(project);
    const moves: Move[] = [
      { positions: at(0, failed), from: "waiting", to: "failed", patch: { error: "unverifiable" } },
      { positions: at(failed, 20), from: "waiting", to: "indexed" },
      { positions: [20], from: "waiting", to: "not_indexed", patch: { error: "no_match" } },
    ];
    expect(await settle(project, moves, { mayComplete: true })).toBe(back);
    expect(await returns()).toEqual(told);
    expect(await store.reload(project)).toMatchObject({ status: "completed", creditsReturned: back });
    expect(await store.balance(account)).toBe(1_000 - 3 + back);
    expect(await store.problems()).toEqual([]);
  },
);

test("pages that are held out are looked up twice, and what was not looked up comes back for both", async () => {
  const urls = packUrls(pages(11));
  const draft = { kind: "check", accountId: account, isHeldOut: true, urls, ...times() } as const;
  const { project } = await store.db.tx((tx) => createProject(tx, draft));
  await store.db.tx((tx) => {
    const { projects } = tx.t;
    return tx.q.update(projects).set({ experimentId: "exp_gone" }).where(eq(projects.no, project.no));
  });
  expect(project.creditsSpent).toBe(4);
  await endSteps(project);
  const moves: Move[] = [
    { positions: [0], from: "waiting", to: "failed", patch: { error: "unverifiable" } },
    { positions: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], from: "waiting", to: "indexed" },
  ];
  expect(await settle(project, moves, { mayComplete: true })).toBe(2);
  expect(await returns()).toEqual(["2 1 URL was not looked up"]);
});

/** A project that looks 30 pages up before it sends them, and what comes back at its end. */
test.each([
  { known: 1, returned: 0, told: [] },
  { known: 4, returned: 1, told: ["1 4 URLs were in Google already, less 3 credits for looking up 30"] },
  { known: 30, returned: 27, told: ["27 30 URLs were in Google already, less 3 credits for looking up 30"] },
])("$known of 30 pages that Google has give $returned credits back, at the end, less the lookups", async (row) => {
  const project = await store.index(account, pages(30), { skipIndexed: true });
  const at = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);
  const skipped: Move = {
    positions: at(0, row.known),
    from: "waiting",
    to: "failed",
    patch: { error: "already_indexed" },
  };
  const sent: Move = { positions: at(row.known, 30), from: "waiting", to: "checking" };
  expect(await settle(project, [skipped, sent], { lookedUp: 30 })).toBe(0);
  const looked = await store.reload(project);
  expect(looked).toMatchObject({ lookedUp: 30, alreadyIndexed: row.known, creditsReturned: 0, failed: row.known });
  expect(await returns()).toEqual([]);
  await endSteps(project);
  const found: Move = { positions: at(row.known, 30), from: "checking", to: "indexed" };
  expect(await settle(project, [found], { mayComplete: true })).toBe(row.returned);
  expect(await returns()).toEqual(row.told);
  expect(await store.reload(project)).toMatchObject({
    creditsReturned: row.returned,
    lookedUp: 30,
    status: "completed",
  });
  const completed = (await told()).findLast(([type]) => type === "project.completed");
  expect(completed).toMatchObject(["project.completed", { credits_returned: row.returned }]);
  expect(await store.balance(account)).toBe(1_000 - 30 + row.returned);
});

test("links that are looked up twice are counted twice, and one that Google has is said as one", async () => {
  const project = await store.index(account, pages(1), { skipIndexed: true, mode: "instant" });
  await settle(project, [], { lookedUp: 1 });
  const skipped: Move = { positions: [0], from: "waiting", to: "failed", patch: { error: "already_indexed" } };
  await settle(project, [skipped], { lookedUp: 1 });
  await endSteps(project);
  expect(await settle(project, [], { mayComplete: true })).toBe(2);
  expect(await store.reload(project)).toMatchObject({ lookedUp: 2, alreadyIndexed: 1 });
  expect(await returns()).toEqual(["2 1 URL was in Google already, less 1 credit for looking up 2"]);
});
