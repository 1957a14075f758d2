import { afterEach, expect, test } from "vitest";
import { cancelLinks } from "../../../../src/domain/projects/cancel.ts";
import { LANES } from "../../../../src/domain/projects/states.ts";
import { prepare } from "../../../../src/indexing/checker/prepare.ts";
import type { PageReport } from "../../../../src/indexing/preflight/report.ts";
import { DAY, MINUTE } from "../../../../src/platform/clock.ts";
import { pages, testStore } from "../../../support/database/store.ts";
import { testChecker } from "../../../support/service/checker.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
afterEach(async () => {
  expect(await store.problems()).toEqual([]);
});

const FINE: PageReport = { refusal: null, warnings: [] };

/** A checker that gets the given reports about pages, and records which pages were fetched and which URLs were sent. */
function work(report: (url: string) => PageReport, during: () => Promise<void> = async () => undefined) {
  const fetched: string[] = [];
  const sent: Record<string, string[]> = { google: [], bing: [], yandex: [] };
  const deadlines: number[] = [];
  const checker = testChecker(store, (sandbox) => {
    const submitters = Object.fromEntries(
      Object.entries(sandbox.submitters).map(([name, submitter]) => [
        name,
        {
          send: async (batch: Parameters<NonNullable<typeof submitter>["send"]>[0]) => {
            sent[name]!.push(...batch.urls);
            return submitter!.send(batch);
          },
        },
      ]),
    ) as unknown as typeof sandbox.submitters;
    return {
      ...sandbox,
      submitters,
      pages: {
        check: async (urls, deadline) => {
          fetched.push(...urls);
          deadlines.push(deadline - store.clock.now());
          await during();
          return urls.map(report);
        },
      },
    };
  });
  return { ...checker, fetched, sent, deadlines };
}

const index = async (urls: readonly string[], more = {}) => {
  const account = await store.account(100);
  const project = await store.index(account, urls, { preflight: true, bing: true, yandex: true, ...more });
  return { account, project };
};

test("a page that refuses fails with its reason, its credits are returned, and it is sent to no engine", async () => {
  const [dead, odd, fine] = pages(3, "hour") as [string, string, string];
  const reports: Record<string, PageReport> = {
    [dead]: { refusal: "noindex", warnings: ["redirects"] },
    [odd]: { refusal: null, warnings: ["http_403", "canonical_elsewhere"] },
  };
  const { checker, fetched, sent } = work((url) => reports[url] ?? FINE);
  const { account, project } = await index([dead, odd, fine]);
  await checker.drain();
  expect(fetched).toEqual([dead, odd, fine]);
  expect(sent).toEqual({ google: [odd, fine], bing: [odd, fine], yandex: [odd, fine] });
  const links = (await store.links(project)).map(({ link }) => [link.state, link.error, link.warnings]);
  expect(links).toEqual([
    ["failed", "noindex", "redirects"],
    ["checking", null, "http_403 canonical_elsewhere"],
    ["checking", null, null],
  ]);
  expect(await store.balance(account)).toBe(98);
  expect(await store.ledger(account)).toEqual([
    ["purchase", 100],
    ["spend", -3],
    ["return", 1],
  ]);
});

test("a project of pages that all refuse is completed, and all its credits are returned", async () => {
  const { checker } = work(() => ({ refusal: "http_404", warnings: [] }));
  const { account, project } = await index(pages(5));
  await checker.drain();
  expect(await store.reload(project)).toMatchObject({ status: "completed", failed: 5, creditsReturned: 5 });
  expect(await store.balance(account)).toBe(100);
});

test("each page is fetched once, the pages of a drip in their slots, and the checks go on to the end", async () => {
  const { until, fetched, troubles } = work(() => FINE);
  const { project } = await index(pages(72, "hour"), { dripDays: 3 });
  const start = store.clock.service();
  await until(start + DAY);
  expect(fetched.length).toBe(25);
  await until(start + 30 * DAY);
  expect([...fetched].sort()).toEqual([...pages(72, "hour")].sort());
  expect(await store.reload(project)).toMatchObject({ status: "completed" });
  expect(troubles).toEqual([]);
});

const NOT_REACHED: PageReport = { refusal: null, warnings: ["not_looked_at"] };

test("a page that was not reached is fetched again while the others go on, and is sent after an hour anyway", async () => {
  const [slow, quick] = pages(2, "hour") as [string, string];
  const { until, fetched, sent } = work((url) => (url === slow ? NOT_REACHED : FINE));
  const { project } = await index([slow, quick]);
  const start = store.clock.service();
  await until(start + 5 * MINUTE);
  expect(sent.google).toEqual([quick]);
  expect(fetched.filter((url) => url === slow).length).toBeGreaterThan(2);
  await until(start + 60 * MINUTE);
  expect(sent).toEqual({ google: [quick, slow], bing: [quick, slow], yandex: [quick, slow] });
  expect(fetched.filter((url) => url === slow)).toHaveLength(24);
  expect((await store.links(project)).map(({ link }) => link.warnings)).toEqual(["not_looked_at", null]);
});

test("an instant link whose page was not reached is sent at once", async () => {
  const { checker, sent } = work(() => NOT_REACHED);
  await index(pages(2, "hour"), { mode: "instant" });
  await checker.drain();
  expect(sent.google).toEqual(pages(2, "hour"));
});

test("the preflight of instant links takes at most a minute, and of other links five", async () => {
  const { checker, deadlines } = work(() => FINE);
  await index(pages(1), { mode: "instant" });
  await checker.drain();
  await index(["https://example.org/"]);
  await checker.drain();
  expect(deadlines[0]).toBeLessThanOrEqual(MINUTE);
  expect(deadlines[1]).toBe(5 * MINUTE);
});

test("links cancelled while their pages are fetched are dropped before they are sent, and their credits returned", async () => {
  const cancelled: { project?: Parameters<typeof cancelLinks>[1] } = {};
  const { checker, sent } = work(
    () => FINE,
    async () => {
      const times = { now: store.clock.now(), service: store.clock.service() };
      await store.db.tx((tx) => cancelLinks(tx, cancelled.project!, [0, 2], times));
    },
  );
  const { account, project } = await index(pages(4));
  cancelled.project = project;
  await checker.drain();
  expect(sent.google).toEqual([pages(4)[1], pages(4)[3]]);
  expect(sent.bing).toEqual(sent.google);
  expect(await store.reload(project)).toMatchObject({ failed: 2, checking: 2, creditsReturned: 2 });
  expect(await store.balance(account)).toBe(98);
});

test("a crash during the preflight: the pages are fetched again, and no link is sent twice", async () => {
  let crashes = 1;
  const { checker, sent } = work(
    () => FINE,
    async () => {
      if (crashes-- > 0) throw new Error("the process dies");
    },
  );
  await index(pages(4));
  await checker.drain();
  expect(sent.google).toEqual([]);
  store.clock.pass(2 * MINUTE);
  await checker.drain();
  expect(sent).toEqual({ google: pages(4), bing: pages(4), yandex: pages(4) });
});

test("links cancelled while every lane has claimed them are sent in none, whichever lane is first", async () => {
  const account = await store.account(100);
  const project = await store.index(account, pages(4), { bing: true, yandex: true });
  const claims = await Promise.all(
    [0, 1].map((priority) => {
      const now = store.clock.now();
      const lease = `held ${priority}`;
      return store.db.claimSteps({
        priority,
        dueBy: store.clock.service(),
        now,
        lease,
        leaseUntil: now + MINUTE,
        limit: 9,
      });
    }),
  );
  const held = claims.flat();
  expect(held).toHaveLength(3);
  const times = { now: store.clock.now(), service: store.clock.service() };
  await store.db.tx((tx) => cancelLinks(tx, project, [0, 2], times));
  // Google's lane comes last, since it alone returns the credits.
  for (const step of held.sort((a, b) => LANES.indexOf(b.lane) - LANES.indexOf(a.lane))) {
    const members = (await store.links(project)).map(({ link }, position) => ({ position, link }));
    const left = await prepare(store.db, project, step, members, times, new Set());
    expect([step.lane, left!.map(({ position }) => position)]).toEqual([step.lane, [1, 3]]);
    expect(await store.balance(account)).toBe(step.lane === "google" ? 98 : 96);
  }
});

test("links cancelled after their call has begun go on in every lane", async () => {
  const account = await store.account(100);
  const project = await store.index(account, pages(4), { bing: true });
  const now = store.clock.now();
  const times = { now, service: store.clock.service() };
  const claim = { dueBy: times.service, now, lease: "held", leaseUntil: now + MINUTE, limit: 9 };
  const held = [0, 1].map((priority) => store.db.claimSteps({ ...claim, priority }));
  const [google, bing] = (await Promise.all(held)).flat().sort((a, b) => LANES.indexOf(a.lane) - LANES.indexOf(b.lane));
  const members = (await store.links(project)).map(({ link }, position) => ({ position, link }));
  expect(await prepare(store.db, project, google!, members, times, new Set())).toHaveLength(4);
  await store.db.tx((tx) => cancelLinks(tx, project, null, times));
  expect(await prepare(store.db, project, bing!, members, times, new Set())).toHaveLength(4);
  expect(await store.balance(account)).toBe(96);
});
