import { afterAll, beforeEach, expect, test } from "vitest";
import { MINUTE } from "../../../../src/platform/clock.ts";
import { message, modern, poster, toolCall } from "../../../support/mcp/post.ts";
import { testService } from "../../../support/service/service.ts";
import { stateOf } from "../../../support/website/account-state.ts";

const service = await testService();
afterAll(() => service.close());
beforeEach(() => service.clock.pass(MINUTE));
const post = poster(service.url);
const submit = (id: number) => toolCall("submit_urls", { urls: [`https://example.com/${id}`] }, id);

test("200: each message is answered, and each request counts", async () => {
  const { key } = await service.account();
  const batch = [toolCall("get_account", {}, 1), submit(2), message("ping", {}, 3)];
  const { status, headers, json } = await post(batch, { key });
  expect(status).toBe(200);
  expect(json.map(({ id }: { id: number }) => id).sort()).toEqual([1, 2, 3]);
  expect(headers.get("ratelimit-remaining")).toBe("117");
});

test("401, 403: one call that is not allowed refuses the whole batch", async () => {
  const { id, key } = await service.account({ scopes: ["index"] });
  const before = await stateOf(service.db, id);
  const refused = await post([submit(1), toolCall("list_projects", {}, 2)], { key });
  expect([refused.status, refused.json.id, refused.json.error.data.code]).toEqual([403, null, "insufficient_scope"]);
  expect((await post([toolCall("get_pricing", {}, 1), submit(2)])).status).toBe(401);
  expect(await stateOf(service.db, id)).toEqual(before);
});

test("429: a batch that exceeds the limit per minute is refused as a whole", async () => {
  const { id, key } = await service.account();
  const before = await stateOf(service.db, id);
  for (let i = 0; i < 30; i++) await post(message("ping"), { key });
  const batch = Array.from({ length: 91 }, (_, i) => submit(i));
  const { status, headers } = await post(batch, { key });
  expect([status, headers.get("ratelimit-remaining")]).toEqual([429, "0"]);
  expect(await stateOf(service.db, id)).toEqual(before);
});

test("400: more than 100 messages; none is executed", async () => {
  const { key } = await service.account();
  const batch = Array.from({ length: 101 }, (_, i) => message("ping", {}, i));
  expect((await post(batch, { key })).status).toBe(400);
});

test("200: a batch with a call and its cancellation is answered", async () => {
  const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
  const { json } = await post([toolCall("get_pricing", {}, 1), cancelled]);
  expect(json).toMatchObject([{ id: 1, result: { structuredContent: { object: "pricing" } } }]);
});

test("200: a batch of one is answered by a list of one", async () => {
  const { status, json } = await post([toolCall("get_pricing", {}, 7)], {
    headers: { "MCP-Protocol-Version": "2025-03-26" },
  });
  expect([status, json]).toMatchObject([200, [{ id: 7, result: { structuredContent: { object: "pricing" } } }]]);
});

test("400: 2026-07-28 has no batches", async () => {
  const { body, headers } = modern(toolCall("get_pricing"));
  expect((await post([body], { headers })).status).toBe(400);
});
