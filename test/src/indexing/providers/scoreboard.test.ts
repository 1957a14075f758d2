import { expect, test } from "vitest";
import { ProviderBook, type Tally } from "../../../../src/indexing/providers/book.ts";
import { UpstreamFailure } from "../../../../src/indexing/providers/failure.ts";
import { scoreboard } from "../../../../src/indexing/providers/scoreboard.ts";
import { DAY, HOUR } from "../../../../src/platform/clock.ts";
import { packPositions } from "../../../../src/platform/link-set.ts";
import { pages, testStore } from "../../../support/database/store.ts";
import { anyQuota } from "../../../support/indexing/any-quota.ts";
import { testChecker } from "../../../support/service/checker.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);

const scores = async (days: number) => {
  const rows = await scoreboard(store.db, days, store.clock.service());
  return Object.fromEntries(rows.map(({ provider, ...score }) => [provider, score]));
};

test("a provider has the sum of its calls of the last days, over all its sites, and says why it is held", async () => {
  const book = new ProviderBook(store.db, store.clock);
  const quota = anyQuota("p", { isPerSite: true, price: 2_000 });
  const call = async (site: string, tally: Tally) => {
    await store.db.tx((tx) => book.take(tx, { ...quota, site }, 3));
    await store.db.tx((tx) => book.note(tx, { ...quota, site }, tally));
  };
  await call("old.example", { accepted: 100 });
  store.clock.pass(3 * DAY);
  await call("one.example", { accepted: 2, rejected: 1, indexed: 4 });
  await call("two.example", { uncertain: 1, notIndexed: 5, unknown: 6 });
  const refused = new UpstreamFailure("p", "key_refused");
  await store.db.tx((tx) => book.note(tx, { ...quota, site: "two.example" }, {}, refused));
  await store.db.tx((tx) => book.note(tx, anyQuota("failing"), {}, new UpstreamFailure("failing", "unauthorized")));
  const none = { calls: 0, sent: 0, accepted: 0, rejected: 0, looks: 0, unknown: 0, cost: 0, decided: 0, indexed: 0 };
  const { p, failing } = await scores(2);
  expect(p).toEqual({
    ...{ calls: 2, sent: 4, accepted: 2, rejected: 1, looks: 15, unknown: 6, errors: 1, cost: 12_000 },
    // What one site is refused says nothing about the provider.
    ...{ decided: 0, indexed: 0, ok: true, reason: null, heldUntil: null },
  });
  const heldUntil = store.clock.service() + HOUR;
  expect(failing).toEqual({ ...none, errors: 1, ok: false, reason: "unauthorized", heldUntil });
  store.clock.pass(HOUR);
  expect((await scores(2)).failing).toMatchObject({ ok: false, heldUntil: null });
  expect((await scores(3)).p).toMatchObject({ calls: 3, sent: 104, cost: 18_000 });
});

test("a link that is decided counts for the provider that was the last to send it to Google", async () => {
  const decided = async (days: number) => {
    const found = Object.entries(await scores(days));
    return Object.fromEntries(found.map(([name, score]) => [name, [score.decided, score.indexed]]));
  };
  const account = await store.account(10);
  const start = store.clock.service();
  const project = await store.index(account, [...pages(2, "hour"), ...pages(2, "never")], { bing: true });
  await testChecker(store).until(start + 5 * DAY);
  // Two were sent once more, by another provider; a third one could not be.
  const sent = {
    projectNo: project.no,
    lane: "google",
    provider: "second",
    detail: null,
    at: start + 5 * DAY,
  } as const;
  const delivered = (status: "accepted" | "failed", ...positions: number[]) => {
    const { first, last, members } = packPositions(positions);
    return { ...sent, status, first, last, members };
  };
  const rows = [delivered("accepted", 1, 2), delivered("failed", 3)];
  await store.db.tx(({ q, t }) => q.insert(t.deliveries).values(rows).returning());
  // Those that are found early are not counted before the others are known.
  expect(await decided(30)).toEqual({ sandbox: [0, 0] });
  await testChecker(store).until(start + 15 * DAY);
  const { no: projectNo } = await store.index(account, pages(1, "hour"));
  await testChecker(store).until(start + 20 * DAY);
  // What is sent of another project says nothing about these links, and it is not decided yet.
  const elsewhere = { ...delivered("accepted", 0), projectNo, provider: "third", at: start + 15 * DAY };
  await store.db.tx(({ q, t }) => q.insert(t.deliveries).values(elsewhere).returning());
  expect(await decided(30)).toEqual({ sandbox: [2, 1], second: [2, 1] });
  expect(await decided(14)).toEqual({ sandbox: [0, 0] });
});
