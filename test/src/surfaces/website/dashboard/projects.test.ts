import { afterAll, expect, test } from "vitest";
import { DAY } from "../../../../../src/platform/clock.ts";
import { pages } from "../../../../support/database/store.ts";
import { testChecker } from "../../../../support/service/checker.ts";
import { testService } from "../../../../support/service/service.ts";
import { ESCAPED, HOSTILE, projectOf } from "../../../../support/website/account-fixtures.ts";
import { type PageSeen, signedIn } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

const idsIn = ({ html }: PageSeen) => [...html.matchAll(/\/dashboard\/projects\/(prj_\w+)"/g)].map(([, id]) => id!);
const urlsIn = ({ html }: PageSeen) => [...html.matchAll(/rel="noreferrer nofollow">([^<]*)</g)].map(([, url]) => url!);

test("200 /dashboard/projects: pages of 50, newest first, and none of another account", async () => {
  const { user, accountId } = await signedIn(service);
  const other = await signedIn(service);
  expect((await user.get("/dashboard/projects")).text).toContain("Nothing here yet");
  await projectOf(service, other.accountId, pages(1));
  const ids: string[] = [];
  for (let n = 0; n < 51; n++) ids.unshift(await projectOf(service, accountId, pages(1), { name: HOSTILE }));

  const first = await user.get("/dashboard/projects");
  expect(idsIn(first)).toEqual(ids.slice(0, 50));
  expect(first.html).toContain(ESCAPED);
  expect(first.html).not.toContain("<b onclick");
  expect(first.html).toContain('<a href="/dashboard/projects?page=2" rel="next">');
  const second = await user.get("/dashboard/projects?page=2");
  expect(idsIn(second)).toEqual(ids.slice(50));
  expect(second.html).toContain('<a href="/dashboard/projects?page=1" rel="prev">');
  expect(second.html).not.toContain('rel="next"');
  expect((await user.get("/dashboard/projects?page=999999")).text).toContain("There are no more projects");
  for (const odd of ["0", "-1", "x", "1e9"])
    expect(idsIn(await user.get(`/dashboard/projects?page=${odd}`))).toEqual(ids.slice(0, 50));
  expect((await user.get("/dashboard/projects?page=1&page=2")).status).toBe(400);
});

test("404 /dashboard/projects/:id: of another account, unknown, or made up", async () => {
  const mine = await signedIn(service);
  const other = await signedIn(service);
  const id = await projectOf(service, other.accountId, pages(1), { name: "Not mine" });
  for (const path of [id, "prj_0123456789abc", "%3Cscript%3E", "constructor"]) {
    const page = await mine.user.get(`/dashboard/projects/${path}`);
    expect([path, page.status]).toEqual([path, 404]);
    expect(page.text).toContain("Your account has no such project");
    expect(page.html).not.toMatch(/<script(?! type="module" src="\/assets\/)|Not mine/);
  }
  expect((await other.user.get(`/dashboard/projects/${id}`)).text).toContain("Not mine");
});

test("200 /dashboard/projects/:id: counts, credits, engines, and each URL with its times", async () => {
  const { user, accountId } = await signedIn(service);
  const work = testChecker(service);
  const urls = [...pages(3, "day_4"), ...pages(2, "never"), "https://example.com/?a=<b>&c='\"&sandbox=never"];
  const id = await projectOf(service, accountId, urls);
  await work.until(service.clock.service() + 5 * DAY);

  const page = await user.get(`/dashboard/projects/${id}`);
  expect(page.text).toContain("Checking sent, not decided yet 3 50%");
  expect(page.text).toContain("Indexed found in Google 3 50%");
  expect(page.text).toContain("Search engines Google, Bing");
  expect(page.text).toContain("Credits 6 spent, 0 returned");
  expect(page.text).toContain("Decided so far: 3, of which 100% are indexed");
  expect(urlsIn(page)).toHaveLength(6);
  expect(page.html).not.toContain("<b>");
  expect(page.text).toMatch(
    /https:\/\/example.com\/0\?sandbox=day_4 Indexed 5 Jan 2026, 12:0\d UTC 9 Jan 2026, 12:\d\d UTC 19 Jan 2026, \d\d:\d\d UTC in 9 days/,
  );

  expect(urlsIn(await user.get(`/dashboard/projects/${id}?status=indexed`))).toHaveLength(3);
  const none = await user.get(`/dashboard/projects/${id}?status=failed`);
  expect(urlsIn(none)).toEqual([]);
  expect(none.text).toContain("Nothing here yet");
  expect(none.html).toMatch(/status=failed#urls" aria-current="true"/);
  expect(urlsIn(await user.get(`/dashboard/projects/${id}?status=%3Cx%3E`))).toHaveLength(6);

  await work.until(service.clock.service() + 10 * DAY);
  const { db, clock } = service;
  await db.tx((tx) => tx.q.update(tx.t.sessions).set({ lastSeenAt: clock.now(), createdAt: clock.now() }).returning());
  const settled = await user.get(`/dashboard/projects/${id}`);
  expect(settled.text).toContain("Credits 6 spent, 3 returned");
  expect(settled.text).toContain("completed 19 Jan 2026");
});

test("200 /dashboard/projects/:id: URLs in pages of 100, also of one status", async () => {
  const { user, accountId } = await signedIn(service);
  const id = await projectOf(service, accountId, pages(101));
  const path = `/dashboard/projects/${id}`;
  const first = await user.get(path);
  expect(urlsIn(first)).toEqual(pages(100));
  expect(first.text).toMatch(/example.com\/0 Waiting planned \d+ Jan 2026, \d\d:\d\d UTC – –/);
  expect(first.html).toContain(`<a href="${path}?page=2" rel="next">`);
  const waiting = await user.get(`${path}?status=waiting`);
  expect(waiting.html).toContain(`<a href="${path}?status=waiting&amp;page=2" rel="next">`);
  expect(urlsIn(await user.get(`${path}?status=waiting&page=2`))).toEqual(["https://example.com/100"]);
});
