import { expect, test } from "vitest";
import type { Tx } from "../../../../db/engine.ts";
import { commitRun, prepareRun } from "../../../../src/indexing/watches/run-watch.ts";
import { ownerPrincipal } from "../../../support/database/people.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { pagesOf, sitemapOf } from "../../../support/watches/virtual-site.ts";
import { SITEMAP, watchBed } from "../../../support/watches/watch-bed.ts";

const t = eachTest(watchBed);

class Killed extends Error {}

/** A transaction that ends at its nth statement, as with the process. */
function killedAt(tx: Tx, nth: number): Tx {
  let statements = 0;
  const counted = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(from, name) {
        const value = Reflect.get(from, name);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          if (++statements === nth) throw new Killed();
          return value.apply(from, args);
        };
      },
    });
  const [q, whole] = [counted(tx.q), counted(tx)];
  return new Proxy(tx, {
    get: (_, name) => (name === "q" ? q : name === "t" ? tx.t : Reflect.get(whole, name)),
  });
}

test("a run that is killed at any line leaves nothing, and the next one does everything once", async () => {
  const account = await t.account(1_000);
  t.site.serve(SITEMAP, sitemapOf(pagesOf(40, "2025-12-01")));
  const watch = await t.watch(account, { removedPages: "notify", changedPages: "submit" });
  await t.run(watch);
  const fresh = pagesOf(45, "2025-12-01").map((page, at) => (at < 3 ? { ...page, lastmod: "2026-01-04" } : page));
  t.site.serve(SITEMAP, sitemapOf(fresh.filter((_, at) => at !== 10)));
  const rest = { principal: await ownerPrincipal(t.db, account), preflight: false, times: t.times() };
  const stateOf = async () => JSON.stringify([await t.reload(watch), await t.runs(watch), await t.balance(account)]);
  const before = await stateOf();
  let kills = 0;
  for (let nth = 1; ; nth++) {
    const prepared = await prepareRun(t.deps, await t.reload(watch));
    const killed = await t.db
      .tx((tx) => commitRun(killedAt(tx, nth), prepared, rest))
      .then(
        () => false,
        (thrown) => {
          if (!(thrown instanceof Killed)) throw thrown;
          return true;
        },
      );
    if (!killed) break;
    kills += 1;
    expect(await stateOf()).toBe(before);
  }
  expect(kills).toBeGreaterThan(15);
  expect((await t.runs(watch)).at(-1)).toMatchObject({ newPages: 5, changedPages: 3, removedPages: 1, submitted: 8 });
  expect(await t.run(watch)).toMatchObject({ result: "unchanged" });
  expect(await t.submitted(account)).toHaveLength(8);
  expect(await t.problems()).toEqual([]);
});

test("pages that a killed process may not have announced are announced again", async () => {
  const account = await t.account(1_000);
  t.site.serve(SITEMAP, sitemapOf(pagesOf(5)));
  const watch = await t.watch(account, { newPages: "notify", removedPages: "notify" });
  await t.watcher.drain();
  const { sites } = t.db.t;
  const verified = {
    bucket: 0,
    status: "verified",
    indexnowKey: "key",
    keyUrl: "https://example.com/key.txt",
    connections: "{}",
  };
  await t.db.tx((tx) =>
    tx.q.insert(sites).values({
      ...verified,
      id: "site_1",
      accountId: account,
      host: "example.com",
      createdAt: 0,
      verifiedAt: 1,
    } as never),
  );
  t.site.serve(SITEMAP, sitemapOf(pagesOf(8).slice(1)));
  const run = await t.run(watch);
  expect(run).toMatchObject({ newPages: 3, removedPages: 1, notified: 0, creditsSpent: 0 });
  expect(JSON.parse(run.notifications!)).toEqual({
    updated: pagesOf(8)
      .slice(5)
      .map(({ url }) => url),
    deleted: ["https://example.com/1"],
  });
  await t.watcher.drain();
  expect((await t.runs(watch)).at(-1)).toMatchObject({ notified: 4, notifications: null, notifyAt: null });
});
