import { expect, test } from "vitest";
import { changeHook, hookedWatch, noteHookCall } from "../../../../src/domain/watches/hooks.ts";
import type { WatchRow } from "../../../../src/domain/watches/rows.ts";
import { loadPages } from "../../../../src/domain/watches/store-pages.ts";
import { takeNamed, watchesWithNamed } from "../../../../src/domain/watches/take-named.ts";
import { SECOND } from "../../../../src/platform/clock.ts";
import { SecretBox } from "../../../../src/platform/secret-box.ts";
import { ownerPrincipal } from "../../../support/database/people.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { pagesOf, sitemapOf } from "../../../support/watches/virtual-site.ts";
import { watchBed } from "../../../support/watches/watch-bed.ts";

const t = eachTest(watchBed);
const box = new SecretBox(() => [Buffer.alloc(32, 7)]);

/** A watch of a site with 3 pages that it knows, and with a hook. */
async function hooked(account: string, host: string): Promise<WatchRow> {
  const url = `https://${host}/sitemap.xml`;
  t.site.serve(url, sitemapOf(pagesOf(3, undefined, host)));
  const watch = await t.watch(account, {}, url);
  await t.run(watch);
  await t.db.tx(async (tx) => {
    const principal = await ownerPrincipal(tx, account);
    await changeHook(tx, watch, { change: "new", principal, box, now: t.clock.now() });
  });
  return t.reload(watch);
}

async function name(watch: WatchRow, ...urls: string[]) {
  const proved = (await hookedWatch(t.db, watch.id))!;
  await t.db.tx((tx) => noteHookCall(tx, { proved, urls, ...t.times() }));
}

async function take(watch: WatchRow) {
  const [principal, known] = [await ownerPrincipal(t.db, watch.accountId), await loadPages(t.db, watch)];
  await t.db.tx((tx) => takeNamed(tx, watch, { principal, known, preflight: false, times: t.times() }));
}

const waiting = async () => (await watchesWithNamed(t.db, t.clock.service(), 10)).map(({ no }) => no);

test("pages that a hook has named are taken together, once: the sitemap's own are known, others are submitted", async () => {
  const account = await t.account(10);
  const [one, other] = [await hooked(account, "one.example"), await hooked(account, "two.example")];
  await name(one, "https://one.example/1", "https://one.example/new");
  await name(one, "https://one.example/new", "https://one.example/newer");
  await name(other, "https://two.example/new");
  expect(await waiting()).toEqual([]);
  t.clock.pass(20 * SECOND);
  expect((await waiting()).sort()).toEqual([one.no, other.no].sort());
  for (let n = 0; n < 2; n++) await take(one);
  expect(await t.submitted(account)).toEqual(["https://one.example/new", "https://one.example/newer"]);
  expect((await t.runs(one)).at(-1)).toMatchObject({ result: "done", newPages: 2, submitted: 2, creditsSpent: 2 });
  expect(await t.runs(one)).toHaveLength(2);
  expect(await waiting()).toEqual([other.no]);
  expect(await t.problems()).toEqual([]);
});
