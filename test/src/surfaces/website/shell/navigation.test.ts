import { afterAll, expect, test } from "vitest";
import { placeAt, titleOf } from "../../../../../src/surfaces/website/shell/navigation.tsx";
import { asOwner } from "../../../../support/database/people.ts";
import { testService } from "../../../../support/service/service.ts";
import { signedIn, User } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

test("a title says which page of what it is, each name once", () => {
  expect(titleOf("orders", "Orders")).toBe("Orders - Credits - Beckon");
  expect(titleOf("overview", "Overview")).toBe("Overview - Beckon");
  expect(titleOf("projects", "Spring")).toBe("Spring - All projects - Projects - Beckon");
  expect(titleOf("search", "Search: shoes")).toBe("Search: shoes - Beckon");
});

test.each([
  ["/dashboard", "overview"],
  ["/dashboard/nothing", "overview"],
  ["/dashboard/projects", "projects"],
  ["/dashboard/projects/prj_1/links/x", "projects"],
  ["/dashboard/projects/new", "newProject"],
  ["/dashboard/projectsx", "overview"],
  ["/dashboard/security/delete", "deletion"],
])("%s is at the place %s", (path, name) => {
  expect(placeAt(path).name).toBe(name);
});

test.each([
  ["/dashboard/projects/prj_0123456789abc", "/dashboard/projects", "All projects"],
  ["/dashboard/keys/key_0123456789abcdefghjk", "/dashboard/keys", "API keys"],
  ["/dashboard/nothing", "/dashboard", "Overview"],
])("404 %s: a page of the dashboard, which leads back to its section", async (path, back, label) => {
  const { user } = await signedIn(service);
  const page = await user.get(path);
  expect([page.status, page.headers.get("cache-control")]).toEqual([404, "no-store"]);
  expect(page.html).toContain(`<a href="${back}">Go to ${label}</a>`);
  expect(page.html).toContain('aria-label="Dashboard"');
  expect(page.html).toContain("Page not found - ");
});

test("303 to sign in: a page of the dashboard that does not exist, for somebody who is signed out; 404 for a program", async () => {
  const { location } = await new User(service).get("/dashboard/nothing");
  expect(location).toBe("/sign-in?return_to=%2Fdashboard%2Fnothing");
  expect((await fetch(`${service.url}/dashboard/nothing`)).status).toBe(404);
});

test("403 insufficient_scope: what a role does not allow, within the dashboard, whose navigation leaves it out", async () => {
  const { user, accountId } = await signedIn(service);
  const owner = await asOwner(service.db, accountId);
  const { members } = service.db.t;
  await service.db.tx((tx) => tx.q.update(members).set({ role: "viewer" }).returning());
  expect(owner.accountId).toBe(accountId);
  const page = await user.get("/dashboard/security/export");
  expect([page.status, page.html.includes('aria-label="Dashboard"')]).toEqual([403, true]);
  expect(page.html).not.toContain('href="/dashboard/security/delete"');
});

test("a later page of a list says so in its title", async () => {
  const { user } = await signedIn(service);
  const titleAt = async (query: string) =>
    /<title>(.*?)<\/title>/.exec((await user.get(`/dashboard/orders${query}`)).html)![1];
  expect(await titleAt("?page=2")).toBe("Page 2: Orders - Credits - Beckon");
  for (const query of ["", "?page=1", "?page=x"]) expect(await titleAt(query)).toBe("Orders - Credits - Beckon");
});
