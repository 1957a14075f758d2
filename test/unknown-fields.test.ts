import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { MINUTE } from "../src/platform/clock.ts";
import { testService } from "./support/service/service.ts";
import { SURFACES } from "./support/service/surface-client.ts";

const urls = ["https://example.com/1", "https://example.com/2"];

describe.each(Object.entries(SURFACES))("%s: fields that an operation does not know", (_at, connect) => {
  const ready = testService().then((service) => ({ service, client: connect(service) }));
  afterAll(async () => {
    const { service, client } = await ready;
    await client.close();
    await service.close();
  });
  beforeEach(async () => (await ready).service.clock.pass(MINUTE));

  const account = async () => (await ready).service.account();
  const call = async (name: string, input: Record<string, unknown>, key: string) =>
    (await ready).client.call(name, input, { key });
  const balanceOf = async (key: string) => (await call("get_account", {}, key)).body.credits;

  test.each([
    ["submit_urls", { urls, drip_day: 30 }, "drip_day", "drip_days"],
    ["submit_urls", { urls, dripDays: 30 }, "dripDays", "drip_days"],
    ["submit_urls", { urls, idempotencyKey: "k" }, "idempotencyKey", "idempotency_key"],
    ["submit_urls", { url: urls }, "url", "urls"],
    ["check_urls", { urls, titel: "x", nam: "x" }, "titel", null],
    ["submit_sitemap", { sitemap: "https://example.com/sitemap.xml" }, "sitemap", "sitemap_url"],
    ["add_site", { host: "example.com", hosts: 1 }, "hosts", "host"],
    ["buy_credits", { pack: "basic", quantity: 2 }, "quantity", null],
  ])("invalid_request: %s with %j names the field, and the nearest one", async (name, input, field, nearest) => {
    const { key } = await account();
    const { code, body } = await call(name, input, key);
    const message = nearest
      ? `is not known; did you mean \`${nearest}\`?`
      : expect.stringMatching(/^is not known; it knows `/);
    expect([code, body.issues[0]]).toEqual(["invalid_request", { path: field, message }]);
    if (nearest)
      expect(body.message).toBe(`\`${field}\` is not known; did you mean \`${nearest}\`? Nothing was changed.`);
    expect(await balanceOf(key)).toBe(150);
    expect((await call("list_projects", {}, key)).body.projects).toEqual([]);
  });

  test("invalid_request: the key is named only among the fields of a call that is replayed by it", async () => {
    const { key } = await account();
    const known = async (name: string, input: Record<string, unknown>) =>
      (await call(name, input, key)).body.issues[0].message;
    expect(await known("check_urls", { urls, x: 1 })).toContain("`idempotency_key`");
    expect(await known("update_project", { project_id: "prj_0123456789abc", x: 1 })).not.toContain("idempotency_key");
  });

  test("invalid_request: a field that every object has is not known either", async () => {
    const { key } = await account();
    const { body } = await call("submit_urls", { urls, constructor: 1 }, key);
    expect(body.issues[0].path).toBe("constructor");
    expect(await balanceOf(key)).toBe(150);
  });

  test("a read ignores them", async () => {
    const { key } = await account();
    expect((await call("list_projects", { statuss: "active" }, key)).ok).toBe(true);
    expect((await call("estimate_cost", { count: 5, modus: "x" }, key)).body.credits).toBe(5);
  });

  test("a field that is missing is required, by its name", async () => {
    const { key } = await account();
    const { body } = await call("submit_urls", {}, key);
    expect(body.issues).toEqual([{ path: "urls", message: expect.stringMatching(/^(is )?required$/) }]);
  });

  test("a value of another type is refused in plain words", async () => {
    const { key } = await account();
    const { body } = await call("submit_urls", { urls: "https://example.com/", drip_days: 5, bing: 1 }, key);
    expect(body.issues).toEqual([
      { path: "urls", message: "must be a list" },
      { path: "bing", message: "must be true or false" },
      { path: "drip_days", message: "must be one of 0, 3, 7, 14, 30" },
    ]);
    expect(body.message).toBe("`urls`: must be a list. Nothing was changed.");
  });

  test.each([" ", " \u00a0\u3000", "\u200b", "\u2800"])("invalid_request: a name of blanks (%j)", async (name) => {
    const { key } = await account();
    const { body } = await call("submit_urls", { urls, name }, key);
    expect(body.issues).toEqual([{ path: "name", message: "must not consist of blanks" }]);
    expect(await balanceOf(key)).toBe(150);
  });

  test("an empty name is none", async () => {
    const { key } = await account();
    expect((await call("submit_urls", { urls, name: "" }, key)).body.project.name).toBe("example.com");
  });
});
