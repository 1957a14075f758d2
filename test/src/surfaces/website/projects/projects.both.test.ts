import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { DAY } from "../../../../../src/platform/clock.ts";
import { pages } from "../../../../support/database/store.ts";
import { testChecker } from "../../../../support/service/checker.ts";
import { testService } from "../../../../support/service/service.ts";
import { HOSTILE, projectOf } from "../../../../support/website/account-fixtures.ts";
import { type PageSeen, signedIn } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

const idsIn = ({ html }: PageSeen) => [...html.matchAll(/\/dashboard\/projects\/(prj_\w+)"/g)].map(([, id]) => id!);
const urlsIn = ({ html }: PageSeen) => [...html.matchAll(/<bdi dir="ltr">([^<]*)</g)].map(([, url]) => url!);

test("200 /dashboard/projects: pages of 50, newest first, and none of another account", async () => {
  const { user, accountId } = await signedIn(service);
  const other = await signedIn(service);
  expect((await user.get("/dashboard/projects")).text).toContain("Nothing here yet");
  await projectOf(service, other.accountId, pages(1));
  const ids: string[] = [];
  for (let n = 0; n < 51; n++) ids.unshift(await projectOf(service, accountId, pages(1), { name: HOSTILE }));

  const first = await user.get("/dashboard/projects");
  expect(idsIn(first)).toEqual(ids.slice(0, 50));
  expect(first.text).toContain(HOSTILE);
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

/** Two index projects of 2 and 3 URLs, and a check that is completed. */
async function threeProjects() {
  const { user, accountId } = await signedIn(service);
  const shop = await projectOf(service, accountId, pages(2), { name: "Shop 100%" });
  const blog = await projectOf(service, accountId, pages(3), { name: "blog" });
  const done = await projectOf(service, accountId, pages(1), { name: "A shop, done" });
  const completed = {
    kind: "check",
    status: "completed",
    waiting: 0,
    indexed: 1,
    completedAt: service.clock.service(),
  };
  await service.db.tx((tx) => tx.q.update(tx.t.projects).set(completed).where(eq(tx.t.projects.id, done)).returning());
  return { user, shop, blog, done };
}

test("200 /dashboard/projects: searched, filtered and sorted, with the counts of each filter", async () => {
  const { user, shop, blog, done } = await threeProjects();
  const get = async (query: string) => idsIn(await user.get(`/dashboard/projects${query}`));
  expect(await get("?search=SHOP")).toEqual([done, shop]);
  expect(await get("?search=%25")).toEqual([shop]);
  expect(await get("?sort=name")).toEqual([done, blog, shop]);
  expect(await get("?sort=-total")).toEqual([blog, shop, done]);
  expect(await get("?kind=index")).toEqual([blog, shop]);
  expect(await get("?status=completed&search=shop")).toEqual([done]);
  const page = await user.get("/dashboard/projects?search=shop&sort=name");
  expect(page.text).toMatch(/All 2 ?Indexing 1 ?Checks 1 Any status 2 ?Active 1 ?Completed 1/);
  expect(page.html).toContain('<input type="hidden" name="sort" value="name"');
  expect(page.html).toContain('aria-sort="ascending"><a href="/dashboard/projects?search=shop&amp;sort=-name">');
  expect(page.html).toContain('href="/dashboard/projects.csv?search=shop&amp;sort=name&amp;archived=hide"');
});

test("200 /dashboard/projects: each rate stands with the number that it is a share of", async () => {
  const { user } = await threeProjects();
  const { text, html } = await user.get("/dashboard/projects?sort=name");
  expect(text).toMatch(/A shop, done Check Completed .*?1 of 1 \(100%\)/);
  expect(text).toMatch(/blog Indexing Active .*?0 of 3 so far /);
  expect(html).toContain('aria-label="3 still open"');
});

test("200 /dashboard/projects: the page says that the order does not exist, the text is too long, or nothing was found", async () => {
  const { user, blog } = await threeProjects();
  expect((await user.get("/dashboard/projects?sort=%3Cb%3E")).text).toContain("This list has no such order");
  const long = await user.get(`/dashboard/projects?search=${"x".repeat(201)}`);
  expect(long.text).toContain("at most 200 characters");
  expect(idsIn(long)).toContain(blog);
  const none = await user.get(`/dashboard/projects?search=${encodeURIComponent(HOSTILE)}`);
  expect(none.text).toContain("No project like this");
  expect(none.html).not.toContain("<b onclick");
});

test("200 /dashboard/projects: names with marks of direction and wide letters are isolated, and whole in the title", async () => {
  const { user, accountId } = await signedIn(service);
  const name = `\u202e${"漢".repeat(119)}`;
  await projectOf(service, accountId, pages(1), { name });
  expect((await user.get("/dashboard/projects")).html).toContain(`<bdi>${name}</bdi>`);
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
  expect(page.text).toContain("3 of 6 in Google so far · 3 by day 4 · 3 looked for until day 14");
  expect(page.text).toMatch(/In Google 3 ?Checking 3/);
  expect(page.text).toContain("Google: 6 URLs accepted Bing: 6 URLs accepted");
  expect(page.text).toContain("None of 6 credits so far.");
  expect(page.text).toContain("Why the others are not there No search of Google found the page. 3");
  expect(page.text).toContain("6 URLs: look up in Google on day 14, for the last time");
  expect(urlsIn(page)).toHaveLength(6);
  expect(page.html).not.toContain("<b>");

  await work.until(service.clock.service() + 10 * DAY);
  const { db, clock } = service;
  await db.tx((tx) => tx.q.update(tx.t.sessions).set({ lastSeenAt: clock.now(), createdAt: clock.now() }).returning());
  const settled = await user.get(`/dashboard/projects/${id}`);
  expect(settled.text).toContain("3 of 6 in Google · 3 by day 4 · 3 credits back");
  expect(settled.text).toContain("3 credits of 6 spent. 3 URLs Not in Google: 3 credits");
  expect(settled.text).toContain("Completed 19 Jan 2026");
  expect(settled.text).not.toContain("What happens next");
});

test("304: the script of the page asks with the fingerprint it has, until something changes", async () => {
  const { user, accountId } = await signedIn(service);
  const id = await projectOf(service, accountId, pages(2, "hour"));
  const first = await user.get(`/dashboard/projects/${id}`);
  const fingerprint = /data-live="([^"]+)"/.exec(first.html)![1]!;
  expect(first.headers.get("etag")).toBe(`W/"${fingerprint}"`);
  const ask = () => user.get(`/dashboard/projects/${id}`, { "If-None-Match": `W/"${fingerprint}"` });
  const same = await ask();
  expect([same.status, same.html]).toEqual([304, ""]);
  await testChecker(service).until(service.clock.service() + 5 * DAY);
  const changed = await ask();
  expect(changed.status).toBe(200);
  expect(changed.html).not.toContain(`data-live="${fingerprint}"`);
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
  expect(after.text).toContain("4 URLs Not sent: 4 credits");
  expect(after.text).toContain("0 of 4 in Google");
  expect(after.forms.filter(({ method }) => method === "post").map(({ action }) => action)).toEqual(["/sign-out"]);
});
