import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { MINUTE } from "../src/platform/clock.ts";
import { testService } from "./support/service/service.ts";
import { SURFACES } from "./support/service/surface-client.ts";

const urls = ["https://example.com/1", "https://example.com/2"];

describe.each(Object.entries(SURFACES))("%s: null in an optional field", (_at, connect) => {
  const ready = testService().then((service) => ({ service, client: connect(service) }));
  afterAll(async () => {
    const { service, client } = await ready;
    await client.close();
    await service.close();
  });
  beforeEach(async () => (await ready).service.clock.pass(MINUTE));

  const account = async () => (await ready).service.account();
  const call = async (name: string, input: Record<string, unknown>, key: string, idempotencyKey?: string) =>
    (await ready).client.call(name, input, { key, idempotencyKey });

  test("is as absent, and replays the answer of a call without it", async () => {
    const { key } = await account();
    const named = randomUUID();
    const first = await call("submit_urls", { urls }, key, named);
    const nulls = { mode: null, name: null, bing: null, yandex: null, drip_days: null, skip_indexed: null };
    const again = await call("submit_urls", { urls, ...nulls }, key, named);
    expect([first.ok, again.ok, again.replayed, again.body]).toEqual([true, true, true, first.body]);
  });

  test("an idempotency key of null is none", async () => {
    const { key } = await account();
    const made = [1, 2].map(() => call("submit_urls", { urls, idempotency_key: null }, key));
    const ids = (await Promise.all(made)).map(({ body }) => body.project.id);
    expect(new Set(ids).size).toBe(2);
  });

  test("has the default of the surface", async () => {
    const { key } = await account();
    const { body } = await call("submit_urls", { urls: urls.concat(urls.map((url) => `${url}0`)) }, key);
    const project_id = body.project.id;
    const nulls = { status: null, sort: null, limit: null, offset: null };
    const listed = await call("list_links", { project_id, ...nulls }, key);
    expect(listed.body).toEqual((await call("list_links", { project_id }, key)).body);
    expect(listed.body.links).toHaveLength(4);
  });

  test("400 invalid_request: cancel_links without its selection would cancel everything", async () => {
    const { key } = await account();
    const { body } = await call("submit_urls", { urls, drip_days: 30 }, key);
    const project_id = body.project.id;
    const refused = await call("cancel_links", { project_id, link_ids: null }, key);
    expect([refused.code, refused.body.issues]).toEqual([
      "invalid_request",
      [{ path: "link_ids", message: "must be a list" }],
    ]);
    expect((await call("get_project", { project_id }, key)).body.counts).toMatchObject({ failed: 0 });
  });
});
