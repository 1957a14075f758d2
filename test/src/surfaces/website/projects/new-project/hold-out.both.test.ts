import { afterAll, beforeEach, expect, test } from "vitest";
import { balanceOf } from "../../../../../../src/domain/ledger/ledger.ts";
import { projectsOf } from "../../../../../../src/domain/projects/list-projects.ts";
import { MINUTE } from "../../../../../../src/platform/clock.ts";
import { urlset } from "../../../../../support/network/sitemap-server.ts";
import { testService } from "../../../../../support/service/service.ts";
import { NEW_PROJECT, sendList } from "../../../../../support/website/list-form.ts";
import { signedIn } from "../../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());
beforeEach(() => service.clock.pass(MINUTE));

const { db } = service;
const pages = (count: number) => Array.from({ length: count }, (_, no) => `https://held.example/${no}`);
const list = (count: number) => pages(count).join("\n");
const HELD = { urls: list(100), holdout_percent: "20" };

const projectsIn = async (accountId: string) =>
  (await projectsOf(db, accountId, { kind: "all", status: "any", limit: 50, offset: 0 })).rows;

test("200: what is held out and what it costs is said before anything is spent, and is then done for that price", async () => {
  const { user, accountId } = await signedIn(service);
  const counted = await sendList(user, await user.get(NEW_PROJECT), { fields: HELD });
  for (const text of ["Sent 80", "Held out 20, looked up for 4 credits", "Price 84 credits"])
    expect(counted.text).toContain(text);
  expect(counted.html).toContain("Submit 80 URLs and hold out 20 for 84 credits");
  expect([await projectsIn(accountId), await balanceOf(db, accountId)]).toEqual([[], 150]);
  const done = await sendList(user, counted);
  expect(done.status).toBe(303);
  const made = (await projectsIn(accountId)).map(({ kind, total }) => [kind, total]);
  expect(new Map(made as [string, number][])).toEqual(
    new Map([
      ["index", 80],
      ["check", 20],
    ]),
  );
  expect(await balanceOf(db, accountId)).toBe(66);
  expect((await user.get(done.location!)).text).toContain("Did sending help?");
});

test("200: a sitemap is priced with its hold-out, and submitted for that price", async () => {
  const { user, accountId } = await signedIn(service);
  const sitemap_url = service.site.serve("/held.xml", urlset(pages(100)));
  const fields = { source: "sitemap", sitemap_url, holdout_percent: "20", kind: "instant" };
  const counted = await sendList(user, await user.get(NEW_PROJECT), { fields });
  expect(counted.text).toContain("Price 244 credits");
  const cheaper = await sendList(user, await user.get(NEW_PROJECT), { fields: { ...fields, kind: "standard" } });
  expect((await sendList(user, cheaper)).status).toBe(303);
  expect(await balanceOf(db, accountId)).toBe(66);
});

test.each([
  ["fewer than 20 pages", { urls: list(90) }, "At least 20 pages have to be held out"],
  ["together with what Google has already", { skip_indexed: "yes" }, "Choose one of both"],
  ["with a percentage that is none", { holdout_percent: "all" }, "Choose how many pages are held out"],
  ["with another percentage", { holdout_percent: "51" }, "Choose how many pages are held out"],
])("400: %s cannot be held out, which the form says with all that was typed", async (_, fields, said) => {
  const { user, accountId } = await signedIn(service);
  const page = await sendList(user, await user.get(NEW_PROJECT), { fields: { ...HELD, ...fields } });
  expect(page.status).toBe(400);
  expect(page.text).toContain(said);
  expect(page.html).toMatch(/<details open[^>]*>\s*<summary>Measure whether it helped/);
  expect(page.html).toContain("https://held.example/80");
  expect(await projectsIn(accountId)).toEqual([]);
});

test("303: a check holds nothing out, whatever stands in the fold", async () => {
  const { user, accountId } = await signedIn(service);
  const counted = await sendList(user, await user.get(NEW_PROJECT), { fields: { ...HELD, kind: "check" } });
  expect((await sendList(user, counted)).status).toBe(303);
  expect(await projectsIn(accountId)).toMatchObject([{ kind: "check", total: 100 }]);
});
