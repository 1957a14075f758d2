import { afterAll, expect, test } from "vitest";
import { accountById, createAccount } from "../../src/domain/accounts/accounts.ts";
import { DAY } from "../../src/platform/clock.ts";
import { testChecker } from "../support/service/checker.ts";
import { urlOf } from "../support/service/sandbox-urls.ts";
import { testService } from "../support/service/service.ts";

const service = await testService();
const { request, clock, db } = service;
afterAll(() => service.close());

test("200 get_pricing: returns the packs and what work costs", async () => {
  const { json } = await request("GET", "/pricing");
  expect(json.packs).toEqual([
    pack("basic", "Basic", "$9.99", 999, 150, "$0.067"),
    { ...pack("pro", "Pro", "$29.99", 2999, 500, "$0.060"), popular: true },
    pack("premium", "Premium", "$59.99", 5999, 1100, "$0.055"),
    pack("agency", "Agency", "$149.99", 14999, 3000, "$0.050"),
  ]);
  expect(json.costs).toEqual({ standard_url: 1, instant_url: 3, urls_checked_per_credit: 10 });
});

test("400 invalid_request: urls and count cannot be sent together", async () => {
  const { status, json } = await request("POST", "/estimate", { body: { urls: ["https://example.com/"], count: 1 } });
  expect([status, json.error.code, json.error.issues[0].path]).toEqual([400, "invalid_request", "count"]);
});

test("200: without urls and count, one URL is assumed", async () => {
  const { json } = await request("POST", "/estimate", { body: { kind: "instant" } });
  expect(json).toMatchObject({ urls: 1, credits: 3 });
});

test("400 too_many_urls: for 10,001 valid URLs", async () => {
  const urls = Array.from({ length: 10_001 }, (_, i) => `https://example.com/${i}`);
  const { status, json } = await request("POST", "/estimate", { body: { urls } });
  expect([status, json.error.code]).toEqual([400, "too_many_urls"]);
});

test("200: a list without a valid URL costs nothing", async () => {
  const { status, json } = await request("POST", "/estimate", { body: { urls: ["example.com"] } });
  expect([status, json]).toMatchObject([200, { urls: 0, invalid: 1, credits: 0 }]);
});

test("index_rate is the percentage of indexed links among the decided ones, with one decimal", async () => {
  const { key } = await service.account();
  const urls = [urlOf("day_4", "one"), urlOf("day_4", "two"), urlOf("never", "three"), urlOf("rejected", "four")];
  const { json } = await request("POST", "/projects", { key, body: { urls } });
  expect(json.project.index_rate).toBeNull();
  await testChecker(service).until(clock.service() + 16 * DAY);
  const project = await request("GET", `/projects/${json.project.id}`, { key });
  expect(project.json).toMatchObject({ counts: { indexed: 2, not_indexed: 1, failed: 1 }, index_rate: 66.7 });
});

test("default names: of a project the host of its first URL in ASCII, of an account the local part of its address", async () => {
  const { key } = await service.account();
  const body = { urls: ["no URL", "https://Bücher.example:8443/", "https://example.com/"] };
  const { json } = await request("POST", "/projects", { key, body });
  expect(json.project.name).toBe("xn--bcher-kva.example");
  const made = await db.tx((tx) => createAccount(tx, { email: "ann.lee@example.com", now: clock.now() }));
  expect((await accountById(db, made.id)).name).toBe("ann.lee");
});

function pack(id: string, name: string, price: string, amount_cents: number, credits: number, per_link: string) {
  return { id, name, price, amount_cents, credits, per_link, popular: false };
}
