import { afterAll, expect, test } from "vitest";
import { createKey } from "../../../../../src/domain/credentials/keys.ts";
import { pages } from "../../../../support/database/store.ts";
import { testService } from "../../../../support/service/service.ts";
import { projectOf } from "../../../../support/website/account-fixtures.ts";
import { signedIn, User } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

const { user, accountId } = await signedIn(service);
const { db, clock } = service;
const key = await db.tx((tx) => createKey(tx, { accountId, name: "k", mode: "sandbox", now: clock.now() }));
const id = await projectOf(service, accountId, pages(140), { name: "=HYPERLINK(1)" });
await projectOf(service, accountId, pages(2), { name: "second" });

test.each([
  [`projects/${id}/links.csv`, ""],
  [`projects/${id}/report.csv`, ""],
  [`projects/${id}/links.json`, ""],
  [`projects/${id}/links.csv`, "?search=%2F69&sort=-url&status=waiting"],
  [`projects/${id}/links.json`, "?search=%2F69&sort=-url"],
  ["projects.csv", "?sort=name"],
  ["projects.json", "?search=second&kind=index"],
])("200 /dashboard/%s%s: to the byte what the API answers, as a file", async (path, query) => {
  const file = await user.get(`/dashboard/${path}${query}`);
  const api = await service.request("GET", `/${path}${query}`, { key });
  expect([file.status, api.status]).toEqual([200, 200]);
  expect(file.html).toBe(api.text);
  expect(file.html.length).toBeGreaterThan(100);
  expect(file.headers.get("content-type")).toBe(api.headers.get("content-type"));
  expect(file.headers.get("content-disposition")).toMatch(/^attachment; filename="[\w-]+\.(csv|json)"$/);
  expect(file.headers.get("cache-control")).toBe("no-store");
});

test("303 signed out: to the sign-in page", async () => {
  const page = await new User(service).get("/dashboard/projects.csv");
  expect([page.status, page.location]).toEqual([303, "/sign-in?return_to=%2Fdashboard%2Fprojects.csv"]);
});

test("404 of another account's project, 400 of an order that does not exist: a page that says so", async () => {
  const other = await signedIn(service);
  const foreign = await other.user.get(`/dashboard/projects/${id}/links.json`);
  expect([foreign.status, foreign.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
  for (const path of [`projects/${id}/links.csv`, "projects.json"]) {
    const page = await user.get(`/dashboard/${path}?sort=odd`);
    expect(page.status).toBe(400);
    expect(page.text).toContain("sort");
  }
});
