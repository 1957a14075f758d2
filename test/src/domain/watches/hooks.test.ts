import { beforeEach, expect, test } from "vitest";
import { changeHook, type HOOK_CHANGES, hookedWatch, noteHookCall } from "../../../../src/domain/watches/hooks.ts";
import type { WatchRow } from "../../../../src/domain/watches/rows.ts";
import { SECOND } from "../../../../src/platform/clock.ts";
import { SecretBox } from "../../../../src/platform/secret-box.ts";
import { SIZES } from "../../../../src/platform/sizes.ts";
import { ownerPrincipal } from "../../../support/database/people.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { pagesOf, sitemapOf } from "../../../support/watches/virtual-site.ts";
import { SITEMAP, watchBed } from "../../../support/watches/watch-bed.ts";

const t = eachTest(watchBed);
const box = new SecretBox(() => [Buffer.alloc(32, 7)]);
let watch: WatchRow;
beforeEach(async () => {
  t.site.serve(SITEMAP, sitemapOf(pagesOf(3)));
  watch = await t.watch(await t.account(10));
});

const change = (what: (typeof HOOK_CHANGES)[number], of = watch) =>
  t.db.tx(async (tx) => {
    const principal = await ownerPrincipal(tx, of.accountId);
    return changeHook(tx, of, { change: what, principal, box, now: t.clock.now() });
  });
const hooked = async () => (await hookedWatch(t.db, watch.id))!;
/** Calls the hook, which names so many pages. */
const call = (count: number, proved: Awaited<ReturnType<typeof hooked>>) => {
  const urls = Array.from({ length: count }, (_, at) => `https://example.com/named/${at}`);
  return t.db.tx((tx) => noteHookCall(tx, { proved, urls, ...t.times() }));
};
const named = () => t.db.q.select().from(t.db.t.namedPages);

test("a watch has its hook by the newest secret alone, until it is removed", async () => {
  const other = await t.watch(watch.accountId, {}, "https://other.example/sitemap.xml");
  await change("new", other);
  expect(await hookedWatch(t.db, watch.id)).toBeNull();
  await change("new");
  const first = await hooked();
  await change("new");
  await expect(call(1, first)).rejects.toMatchObject({ code: "not_found" });
  const second = await hooked();
  expect(second.id).toBe(watch.id);
  expect(second.sealedHookSecret).not.toBe(first.sealedHookSecret);
  await change("off");
  expect(await hookedWatch(t.db, watch.id)).toBeNull();
  await expect(call(1, second)).rejects.toMatchObject({ code: "not_found" });
  expect(await hookedWatch(t.db, other.id)).toMatchObject({ id: other.id });
  expect(await named()).toEqual([]);
});

test("a call's pages are gathered as far as a submission has room, and otherwise the watch runs", async () => {
  await change("new");
  // It cannot know yet which pages are new.
  expect(await call(2, await hooked())).toBe(0);
  expect(await t.reload(watch)).toMatchObject({ calledAt: t.clock.service() });
  await t.run(watch);
  const proved = await hooked();
  expect(await call(2, proved)).toBe(2);
  expect(await named()).toMatchObject([
    { watchNo: watch.no, accountId: watch.accountId, at: t.clock.service() + 20 * SECOND, count: 2 },
  ]);
  const waiting = { watchNo: watch.no, accountId: watch.accountId, at: 0, urls: "[]" };
  // What waits for another watch takes no room.
  const others = { ...waiting, watchNo: watch.no + 1, count: SIZES.urlsPerSubmission };
  const own = { ...waiting, count: SIZES.urlsPerSubmission - 3 };
  await t.db.tx(({ q, t: { namedPages } }) => q.insert(namedPages).values([others, own]).returning());
  expect([await call(2, proved), await call(1, proved), await call(1, proved)]).toEqual([0, 1, 0]);
  expect(await named()).toHaveLength(4);
});
