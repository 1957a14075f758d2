import { beforeEach, expect, test } from "vitest";
import { audit } from "../../../../src/domain/audit/audit.ts";
import { DAY } from "../../../../src/platform/clock.ts";
import { rawQuery } from "../../../support/database/raw-query.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { sitemapOf } from "../../../support/watches/virtual-site.ts";
import { SITEMAP, watchBed } from "../../../support/watches/watch-bed.ts";

const t = eachTest(watchBed);

/** A watch that spent 2 credits in July and 2 in August, with one page that waits. */
beforeEach(async () => {
  const account = await t.account(100);
  const pages = Array.from({ length: 5 }, (_, at) => ({ url: `https://example.com/${at}` }));
  t.site.serve(SITEMAP, sitemapOf(pages));
  const watch = await t.watch(account, { firstRun: "submit", mostPerRun: 2 });
  await t.run(watch);
  t.clock.pass(31 * DAY);
  await t.run(watch);
  expect(await t.reload(watch)).toMatchObject({ spentThisMonth: 2, pages: 5, waiting: 1 });
  expect((await audit(t.db)).problems).toEqual([]);
});

test.each([
  ["UPDATE watches SET spent_this_month = 4", /^watch wat_\w+: spent this month is 4, should be 2$/],
  ["UPDATE watches SET month = month - 12", /: spent this month is 2, should be 0$/],
  ["DELETE FROM watch_runs WHERE no = 2", /: spent this month is 2, should be 0$/],
  ["UPDATE watch_runs SET credits_spent = 3 WHERE no = 1", /, run run_\w+_1: credits spent is 3, should be 2$/],
  ["UPDATE watch_runs SET project_id = NULL", /, run run_\w+_1: credits spent is 2, should be 0$/],
  ["UPDATE watch_runs SET project_id = 'prj_none' WHERE no = 1", /: project prj_none does not exist$/],
  [
    "UPDATE watch_runs SET project_id = (SELECT min(id) FROM projects)",
    /^project prj_\w+ was made by two runs of watches$/,
  ],
  [
    "UPDATE watches SET account_id = (SELECT id FROM accounts ORDER BY credits LIMIT 1)",
    /: its project is another account's$/,
  ],
  ["UPDATE watches SET pages = 6", /^watch wat_\w+: pages is 6, should be 5$/],
  ["UPDATE watches SET waiting = 0", /^watch wat_\w+: waiting pages is 0, should be 1$/],
  ["UPDATE watch_pages SET part = 7", /^watch wat_\w+: stored parts beyond its 1 is 1, should be 0$/],
  ["DELETE FROM watch_pages", /^watch wat_\w+: pages is 5, should be 0$/],
])("damage is named: %s: %s", async (statement, sentence) => {
  await t.account(0);
  await rawQuery(t.url, statement);
  const { ok, problems } = await audit(t.db);
  expect(ok).toBe(false);
  expect(problems.join("\n")).toMatch(new RegExp(sentence.source, "m"));
});
