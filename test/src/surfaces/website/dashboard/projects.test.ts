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
  expect(page.text).toContain("3 of 6 URLs found in Google so far; 3 are looked for until day 14.");
  expect(page.text).toContain("Checking sent, and looked for until day 14 3 50%");
  expect(page.text).toContain("Indexed Google has it, at the last check 3 50%");
  expect(page.text).toContain("Google: 6 URLs accepted Bing: 6 URLs accepted");
  expect(page.text).toContain("No credits so far, of 6 spent.");
  expect(page.text).toContain("6 URLs: check whether Google has it on day 14, the last time");
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
  expect(settled.text).toContain("3 credits of 6 spent. 3 URLs, 3 credits: Google did not have it on day 14.");
  expect(settled.text).toContain("Nothing: every URL is decided. Completed 19 Jan 2026");
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

test("304: the script of the page asks with the version it has, until something changes", async () => {
  const { user, accountId } = await signedIn(service);
  const id = await projectOf(service, accountId, pages(2, "hour"));
  const first = await user.get(`/dashboard/projects/${id}`);
  const version = /data-live="([^"]+)"/.exec(first.html)![1]!;
  expect(first.headers.get("etag")).toBe(`W/"${version}"`);
  const ask = () => user.get(`/dashboard/projects/${id}`, { "If-None-Match": `W/"${version}"` });
  const same = await ask();
  expect([same.status, same.html]).toEqual([304, ""]);
  await testChecker(service).until(service.clock.service() + 5 * DAY);
  const changed = await ask();
  expect(changed.status).toBe(200);
  expect(changed.html).not.toContain(`data-live="${version}"`);
});

test("303: cancelling says before what comes back, and cancels what is not sent", async () => {
  const { user, accountId } = await signedIn(service);
  const id = await projectOf(service, accountId, pages(4, "never"), { dripDays: 14 });
  const page = await user.get(`/dashboard/projects/${id}`);
  expect(page.text).toContain("4 URLs will not be sent. 4 credits come back at once.");
  const form = page.forms.find(({ action }) => action.endsWith("/cancel"))!;
  expect((await user.post(form.action, form.fields)).location).toBe(`/dashboard/projects/${id}?done=cancelled`);
  const after = await user.get(`/dashboard/projects/${id}?done=cancelled`);
  expect(after.text).toContain("4 credits of 4 spent.");
  expect(after.text).toContain("4 URLs, 4 credits: Cancelled before it was sent.");
  expect(after.forms.map(({ action }) => action)).toEqual(["/sign-out"]);
});
