import { afterEach, expect, test } from "vitest";
import { openDatabase } from "../../../../db/open.ts";
import { post } from "../../../../src/domain/ledger/ledger.ts";
import type { ProjectRow } from "../../../../src/domain/projects/read.ts";
import { LINK_STATES } from "../../../../src/domain/projects/states.ts";
import type { Engines, SendBatch } from "../../../../src/indexing/engines/engine.ts";
import { DAY, HOUR, MINUTE } from "../../../../src/platform/clock.ts";
import { pages, testStore } from "../../../support/database/store.ts";
import { testChecker } from "../../../support/service/checker.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
afterEach(async () => {
  expect(await store.problems()).toEqual([]);
});

/** The sandbox, and how often each URL was sent to Google and not deferred. */
function counting() {
  const sentTimes = new Map<string, number>();
  const change = (sandbox: Engines): Engines => {
    const google = {
      send: async (batch: SendBatch) => {
        const count = (url: string) => void sentTimes.set(url, (sentTimes.get(url) ?? 0) + 1);
        try {
          const outcomes = await sandbox.submitters.google!.send(batch);
          batch.urls.filter((_, index) => outcomes[index]!.kind !== "deferred").forEach(count);
          return outcomes;
        } catch (thrown) {
          if ((thrown as { kind?: string }).kind === "timeout") batch.urls.forEach(count);
          throw thrown;
        }
      },
    };
    return { ...sandbox, submitters: { ...sandbox.submitters, google } };
  };
  return { sentTimes, change };
}

const counts = async (project: ProjectRow) => {
  const links = await store.links(project);
  return Object.fromEntries(
    LINK_STATES.map((state) => [state, links.filter(({ link }) => link.state === state).length] as const).filter(
      ([, n]) => n !== 0,
    ),
  );
};

test("an outage of days: no link is lost, charged twice or sent twice", async () => {
  const { sentTimes, change } = counting();
  const work = testChecker(store, change);
  const start = store.clock.service();
  work.faults.during("outage", start, start + 3 * DAY);
  const project = await store.index(await store.account(10), pages(10, "day_4"));
  await work.until(start + 3 * DAY - 1);
  expect(await counts(project)).toEqual({ waiting: 10 });
  await work.until(start + 3 * DAY + 6 * HOUR);
  expect(await counts(project)).toEqual({ checking: 10 });
  await work.until(start + 30 * DAY);
  expect(await counts(project)).toEqual({ indexed: 10 });
  expect(new Set(sentTimes.values())).toEqual(new Set([1]));
  expect(work.troubles).toEqual([]);
});

test("an outage over day 14: nothing is settled for 7 days, and then as unverifiable, with credits returned", async () => {
  const work = testChecker(store);
  const start = store.clock.service();
  work.faults.during("outage", start + 13 * DAY, start + 40 * DAY);
  const account = await store.account(5);
  const project = await store.index(account, pages(5, "never"));
  await work.until(start + 21 * DAY - 1);
  expect(await counts(project)).toEqual({ checking: 5 });
  await work.until(start + 21 * DAY);
  expect(await store.reload(project)).toMatchObject({ status: "completed", notIndexed: 5, creditsReturned: 5 });
  expect((await store.links(project)).map(({ link }) => link.error)).toEqual(Array(5).fill("unverifiable"));
  const [sandbox] = await store.db.q.select().from(store.db.t.providers);
  expect(sandbox).toMatchObject({ name: "sandbox", reason: "unavailable" });
  expect(sandbox!.failures).toBeGreaterThan(5);
});

test("an outage that ends on day 18: the checks go on, and Google's answer is the verdict", async () => {
  const work = testChecker(store);
  const start = store.clock.service();
  work.faults.during("outage", start + 13 * DAY, start + 18 * DAY);
  const account = await store.account(10);
  const [there, gone] = [await store.index(account, pages(5, "day_14")), await store.index(account, pages(5, "never"))];
  await work.until(start + 21 * DAY);
  expect([await counts(there), await counts(gone)]).toEqual([{ indexed: 5 }, { not_indexed: 5 }]);
  expect((await store.links(gone)).map(({ link }) => link.error)).toEqual(Array(5).fill("no_match"));
});

test("429 after half of the links: the accepted half is never sent again", async () => {
  const { sentTimes, change } = counting();
  const work = testChecker(store, change);
  const start = store.clock.service();
  work.faults.set("rate_limit");
  const project = await store.index(await store.account(8), pages(8, "day_4"));
  const seen: unknown[] = [];
  for (let minute = 0; minute <= 4; minute++) {
    await work.until(start + minute * MINUTE);
    seen.push((await counts(project)).checking);
  }
  expect(seen).toEqual([4, 6, 7, 8, 8]);
  expect([...sentTimes.values()]).toEqual(Array(8).fill(1));
});

test("a quota of ten a day: ten links are sent each day, from midnight UTC on", async () => {
  const { sentTimes, change } = counting();
  const work = testChecker(store, change);
  work.faults.set("quota");
  const start = store.clock.service();
  const midnight = Math.ceil(start / DAY) * DAY;
  const project = await store.index(await store.account(25), pages(25, "day_4"));
  await work.until(start);
  expect(await counts(project)).toEqual({ waiting: 15, checking: 10 });
  await work.until(midnight - 1);
  expect(await counts(project)).toEqual({ waiting: 15, checking: 10 });
  await work.until(midnight);
  expect(await counts(project)).toEqual({ waiting: 5, checking: 20 });
  await work.until(midnight + DAY);
  expect(await counts(project)).toEqual({ checking: 25 });
  expect([...sentTimes.values()]).toEqual(Array(25).fill(1));
});

test("a timeout: the links count as sent, and are never sent again because of it", async () => {
  const { sentTimes, change } = counting();
  const work = testChecker(store, change);
  const start = store.clock.service();
  work.faults.during("timeout", start, start + HOUR);
  const project = await store.index(await store.account(5), pages(5, "day_4"));
  await work.until(start + 30 * DAY);
  const links = await store.links(project);
  expect(links.map(({ link }) => [link.state, link.sentAt])).toEqual(Array(5).fill(["indexed", start]));
  expect(links[0]!.deliveries.google).toMatchObject({ status: "sent", detail: "answer_lost" });
  expect([...sentTimes.values()]).toEqual(Array(5).fill(1));
});

test("5xx at every second call: the step is retried with backoff, and sent once", async () => {
  const { sentTimes, change } = counting();
  const work = testChecker(store, change);
  work.faults.set("server_error");
  const start = store.clock.service();
  const project = await store.index(await store.account(5), pages(5, "day_4"), { bing: true });
  await work.until(start + 5 * DAY);
  expect(await counts(project)).toEqual({ indexed: 5 });
  expect([...sentTimes.values()]).toEqual(Array(5).fill(1));
  expect(work.troubles).toEqual([]);
});

test("no provider can submit a link to Google: the link fails, and its credit is returned at once", async () => {
  const work = testChecker(store, (sandbox) => ({
    ...sandbox,
    submitters: { google: null, bing: null, yandex: null },
  }));
  const account = await store.account(5);
  const project = await store.index(account, pages(5), { bing: true });
  await work.until(store.clock.service());
  const links = await store.links(project);
  expect(links.map(({ link }) => link.error)).toEqual(Array(5).fill("no_provider"));
  expect(links[0]!.deliveries.bing).toMatchObject({ status: "skipped", detail: "no_provider" });
  expect(await store.reload(project)).toMatchObject({ status: "completed", creditsReturned: 5 });
  expect(await store.balance(account)).toBe(5);
});

test("balance below zero: waiting links are held until it is zero again, and sent ones go on", async () => {
  const { sentTimes, change } = counting();
  const work = testChecker(store, change);
  const start = store.clock.service();
  const account = await store.account(10);
  const sent = await store.index(account, pages(3, "day_4"));
  await work.until(start);
  const held = await store.index(
    account,
    pages(7, "day_4").map((url) => `${url}&held`),
  );
  const adjust = (credits: number, source: string) =>
    store.db.tx((tx) =>
      post(tx, { accountId: account, kind: "adjustment", credits, source, description: "x", now: store.clock.now() }),
    );
  await adjust(-1, "dispute");
  await work.until(start + 5 * DAY);
  expect(await store.balance(account)).toBe(-1);
  expect([await counts(sent), await counts(held)]).toEqual([{ indexed: 3 }, { waiting: 7 }]);
  expect(sentTimes.size).toBe(3);
  await adjust(1, "won");
  await work.until(start + 5 * DAY + HOUR);
  expect(await counts(held)).toEqual({ checking: 7 });
});

test("two checkers on two connections to one file: each step is done once", async () => {
  const { sentTimes, change } = counting();
  const account = await store.account(4_000);
  const start = store.clock.service();
  for (let i = 0; i < 20; i++) {
    await store.index(
      account,
      pages(100, "day_4").map((url) => `${url}&project=${i}`),
      { dripDays: i % 2 === 0 ? 0 : 3 },
    );
  }
  const other = await openDatabase(store.url, { durable: false });
  try {
    const workers = [testChecker(store, change), testChecker({ db: other, clock: store.clock }, change)];
    let shares = [0, 0];
    for (let hours = 0; hours <= 18 * 24; hours += 12) {
      store.clock.pass(Math.max(0, start + hours * HOUR - store.clock.service()));
      const done = await Promise.all(workers.map(({ checker }) => checker.drain()));
      shares = shares.map((share, i) => share + done[i]!);
    }
    expect(workers.flatMap(({ troubles }) => troubles)).toEqual([]);
    expect(Math.min(...shares)).toBeGreaterThan(0);
  } finally {
    await other.close();
  }
  expect(sentTimes.size).toBe(2_000);
  expect(new Set(sentTimes.values())).toEqual(new Set([1]));
  const projects = await store.db.q.select().from(store.db.t.projects);
  expect(projects.map(({ status, indexed }) => [status, indexed])).toEqual(Array(20).fill(["completed", 100]));
});

test("a worker whose lease ran out cannot write, and its interrupted call is not made again", async () => {
  const { sentTimes, change } = counting();
  const pending: { run?: () => void } = {};
  const slow = testChecker(store, (sandbox) => {
    const counted = change(sandbox);
    const send = async (batch: SendBatch) => {
      const outcomes = await counted.submitters.google!.send(batch);
      await new Promise<void>((resolve) => {
        pending.run = resolve;
      });
      return outcomes;
    };
    return { ...counted, submitters: { ...counted.submitters, google: { send } } };
  });
  const quick = testChecker(store, change);
  const project = await store.index(await store.account(5), pages(5, "day_4"));
  const draining = slow.checker.drain();
  while (!pending.run) await new Promise((resolve) => setImmediate(resolve));
  expect(await quick.checker.drain()).toBe(0);
  store.clock.pass(MINUTE);
  expect(await quick.checker.drain()).toBe(1);
  pending.run();
  await draining;
  expect(slow.troubles).toMatchObject([{ name: "LeaseLost" }]);
  expect(quick.troubles).toEqual([]);
  expect((await store.links(project)).map(({ deliveries }) => deliveries.google!.detail)).toEqual(
    Array(5).fill("answer_lost"),
  );
  expect([...sentTimes.values()]).toEqual(Array(5).fill(1));
});

test("a renewed lease is not taken over, however long the call lasts", async () => {
  const pending: { run?: () => void } = {};
  const slow = testChecker(store, (sandbox) => ({
    ...sandbox,
    verifier: {
      check: async (batch) => {
        await new Promise<void>((resolve) => {
          pending.run = resolve;
        });
        return sandbox.verifier.check(batch);
      },
    },
  }));
  const quick = testChecker(store);
  const project = await store.check(await store.account(1), pages(5, "hour"));
  const draining = slow.checker.drain();
  while (!pending.run) await new Promise((resolve) => setImmediate(resolve));
  for (let i = 0; i < 5; i++) {
    store.clock.pass(40_000);
    await slow.checker.renew();
    expect(await quick.checker.drain()).toBe(0);
  }
  pending.run();
  await draining;
  expect([slow.troubles, await counts(project)]).toEqual([[], { indexed: 5 }]);
});

test("steps of instant projects are done first", async () => {
  const order: string[] = [];
  const recording = (sandbox: Engines): Engines => ({
    ...sandbox,
    submitters: {
      ...sandbox.submitters,
      google: {
        send: async (batch) => {
          order.push(batch.urls[0]!);
          return sandbox.submitters.google!.send(batch);
        },
      },
    },
  });
  // Of five slots one is open to standard projects, and the first claim fills it, so that the order is certain.
  const { checker } = testChecker(store, recording, { concurrency: 5 });
  const account = await store.account(100);
  for (let i = 0; i < 20; i++) await store.index(account, [`https://standard.example/${i}`]);
  await store.index(account, ["https://instant.example/"], { mode: "instant" });
  await checker.drain();
  expect(order[0]).toBe("https://instant.example/");
  expect(order).toHaveLength(21);
});
