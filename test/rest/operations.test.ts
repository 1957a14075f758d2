import { afterAll, beforeEach, expect, test } from "vitest";
import { MINUTE } from "../../src/platform/clock.ts";
import { testService } from "../support/service/service.ts";

const service = await testService();
const { request, clock } = service;
afterAll(() => service.close());
beforeEach(() => clock.pass(MINUTE));

const urls = ["https://example.com/a", "https://example.com/a#again", "nothing", "https://example.com/b"];

test("200 get_account: has the fields of the specification", async () => {
  const { id, key } = await service.account();
  const { status, json } = await request("GET", "/account", { key });
  expect(status).toBe(200);
  expect(json).toMatchObject({
    id,
    credits: 150,
    paid: true,
    credential: { type: "api_key", name: "test", scopes: ["read", "index", "purchase"] },
    usage_today: { requests: 1, submissions: 0 },
    dashboard_url: "http://beckon.test/dashboard",
  });
});

test("200 get_pricing: works with and without a credential", async () => {
  const { key } = await service.account();
  const open = await request("GET", "/pricing");
  expect(open.json.packs.map(({ id }: { id: string }) => id)).toEqual(["basic", "pro", "premium", "agency"]);
  expect((await request("GET", "/pricing", { key })).text).toBe(open.text);
});

test("201 submit_urls: spends credits, and everything it wrote can be read", async () => {
  const { key } = await service.account();
  const made = await request("POST", "/projects", { key, body: { urls, drip_days: 3 } });
  expect(made.status).toBe(201);
  expect(made.json).toMatchObject({ urls_accepted: 2, invalid: 1, duplicates: 1, credits_spent: 2, balance: 148 });
  expect(made.headers.get("cache-control")).toBe("no-store");
  const { project } = made.json;

  expect((await request("GET", `/projects/${project.id}`, { key })).json).toEqual(project);
  const listed = await request("GET", "/projects?kind=index&status=active&limit=1&offset=0", { key });
  expect(listed.json).toEqual({ projects: [project], has_more: false });
  const links = await request("GET", `/projects/${project.id}/links?status=waiting&limit=1`, { key });
  expect(links.json).toMatchObject({ links: [{ url: "https://example.com/a" }], has_more: true });
  const link = await request("GET", `/projects/${project.id}/links/${links.json.links[0].id}`, { key });
  expect(link.json).toMatchObject({ url: "https://example.com/a", checks: [] });
  expect((await request("GET", "/ledger", { key })).json.entries[0]).toMatchObject({ kind: "spend", credits: -2 });

  const one = await request("POST", `/projects/${project.id}/cancel`, { key, body: { link_ids: [link.json.id] } });
  expect(one.json).toMatchObject({ cancelled: 1, credits_returned: 1, balance: 149 });
  const rest = await request("POST", `/projects/${project.id}/cancel`, { key });
  expect(rest.json).toMatchObject({ cancelled: 1, balance: 150, project: { status: "completed" } });
  expect((await request("POST", `/projects/${project.id}/cancel`, { key })).json.cancelled).toBe(0);
});

test("201 check_urls: each group of ten URLs costs a credit", async () => {
  const { key } = await service.account();
  const { status, json } = await request("POST", "/checks", { key, body: { urls, name: "Look" } });
  expect(status).toBe(201);
  expect(json).toMatchObject({ credits_spent: 1, project: { kind: "check", mode: null, name: "Look" } });
});

test("200 list_orders, get_order: return the order that paid the account", async () => {
  const { key } = await service.account();
  const { json } = await request("GET", "/orders?status=paid", { key });
  expect(json.orders).toHaveLength(1);
  expect((await request("GET", `/orders/${json.orders[0].id}`, { key })).json).toEqual(json.orders[0]);
});

test("404 not_found: for projects, links and orders of another account", async () => {
  const [owner, stranger] = [await service.account(), await service.account()];
  const { project } = (await request("POST", "/projects", { key: owner.key, body: { urls } })).json;
  const { orders } = (await request("GET", "/orders", { key: owner.key })).json;
  const { links } = (await request("GET", `/projects/${project.id}/links`, { key: owner.key })).json;
  const reads = [`/projects/${project.id}`, `/projects/${project.id}/links`, `/projects/${project.id}/links.csv`];
  for (const path of [...reads, `/projects/${project.id}/links/${links[0].id}`, `/orders/${orders[0].id}`]) {
    const answer = await request("GET", path, { key: stranger.key });
    expect([path, answer.status, answer.json.error.code]).toEqual([path, 404, "not_found"]);
  }
  const cancel = await request("POST", `/projects/${project.id}/cancel`, { key: stranger.key });
  expect(cancel.status).toBe(404);
  expect((await request("GET", `/projects/${project.id}`, { key: owner.key })).json).toEqual(project);
});

test("400 invalid_request: cancelling an empty list or a link of another project cancels nothing", async () => {
  const { key } = await service.account();
  const { project } = (await request("POST", "/projects", { key, body: { urls } })).json;
  for (const link_ids of [[], ["lnk_00000000000000000000_0"], [`lnk_${project.id.slice(4)}_2`], "all"]) {
    const answer = await request("POST", `/projects/${project.id}/cancel`, { key, body: { link_ids } });
    expect(answer.json.error.code).toBe("invalid_request");
  }
  expect((await request("GET", `/projects/${project.id}`, { key })).json.counts.waiting).toBe(2);
});

test("the project in the path is used, even if the body names another", async () => {
  const { key } = await service.account();
  const { project } = (await request("POST", "/projects", { key, body: { urls } })).json;
  const answer = await request("POST", `/projects/${project.id}/cancel`, { key, body: { project_id: "prj_other" } });
  expect(answer.json).toMatchObject({ cancelled: 2, project: { id: project.id } });
});

test("HEAD answers as GET does, without a body", async () => {
  const { key } = await service.account();
  const head = await request("HEAD", "/pricing", { key });
  const get = await request("GET", "/pricing", { key });
  expect(head.status).toBe(200);
  expect(head.text).toBe("");
  expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(get.text)));
});
