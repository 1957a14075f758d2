import { expect, test } from "vitest";
import { eachTest } from "../../../support/service/each-test.ts";
import { type Page, pagesOf, sitemapOf } from "../../../support/watches/virtual-site.ts";
import { SITEMAP, watchBed } from "../../../support/watches/watch-bed.ts";

const t = eachTest(watchBed);

const serve = (pages: readonly Page[]) => t.site.serve(SITEMAP, sitemapOf(pages));
const KNOWN = pagesOf(40);
const others = (count: number, name: string): Page[] =>
  Array.from({ length: count }, (_, no) => ({ url: `https://example.com/${name}/${no}` }));

/** A watch of forty pages that is held, since thirty of its pages are new. */
async function held(shown: readonly Page[] = [...KNOWN, ...others(30, "a")]) {
  const account = await t.account(1_000);
  serve(KNOWN);
  const watch = await t.watch(account);
  await t.run(watch);
  serve(shown);
  expect(await t.run(watch)).toMatchObject({ result: "held", submitted: 0 });
  return { account, watch };
}

test.each([
  ["as many other pages", [...KNOWN, ...others(30, "b")], { newPages: 30, removedPages: 0 }],
  ["one page that was swapped", [...KNOWN, ...others(29, "a"), ...others(1, "b")], { newPages: 30 }],
  ["one page more", [...KNOWN, ...others(31, "a")], { newPages: 31 }],
  ["one page less", [...KNOWN, ...others(29, "a")], { newPages: 29 }],
  ["a page of its own gone", [...KNOWN.slice(1), ...others(30, "a")], { newPages: 30, removedPages: 1 }],
  ["none of its pages", others(30, "a"), { newPages: 30, removedPages: 40 }],
])(
  "law: a release is for what was held: with %s it is held again, until that is released",
  async (_, swapped, found) => {
    const { account, watch } = await held();
    serve(swapped);
    expect(await t.run(watch, true)).toMatchObject({ result: "held", submitted: 0, ...found });
    expect(await t.submitted(account)).toEqual([]);
    expect(await t.run(watch, true)).toMatchObject({ result: "done", submitted: found.newPages });
    expect(await t.reload(watch)).toMatchObject({ status: "active", heldDigest: null });
  },
);

test("a release of pages that are gone is for these pages", async () => {
  const { watch } = await held(KNOWN.slice(15));
  serve(KNOWN.slice(0, 25));
  expect(await t.run(watch, true)).toMatchObject({ result: "held", removedPages: 15 });
  expect(await t.run(watch, true)).toMatchObject({ result: "done", removedPages: 15 });
});

test("a sitemap that makes sense again by the time of the release is taken as any other", async () => {
  const { account, watch } = await held();
  serve([...KNOWN, ...others(2, "b")]);
  expect(await t.run(watch, true)).toMatchObject({ result: "done", newPages: 2, submitted: 2 });
  expect(await t.submitted(account)).toEqual(others(2, "b").map(({ url }) => url));
});

test("law: a release of a watch that is not held accepts nothing", async () => {
  const account = await t.account(1_000);
  serve(KNOWN);
  const watch = await t.watch(account);
  await t.run(watch);
  serve([...KNOWN, ...others(30, "a")]);
  expect(await t.run(watch, true)).toMatchObject({ result: "held", reason: "many_new", submitted: 0 });
});
