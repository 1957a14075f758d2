import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { MINUTE } from "../../../../src/platform/clock.ts";
import { message, modern, poster, toolCall } from "../../../support/mcp/post.ts";
import { testService } from "../../../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());
beforeEach(() => service.clock.pass(MINUTE));
const post = poster(service.url);
const { key } = await service.account();

const ERAS = {
  initialize: (plain: ReturnType<typeof message>) => ({ body: plain, headers: {} }),
  "2026-07-28": modern,
};

describe.each(Object.entries(ERAS))("era of %s", (_era, inEra) => {
  const send = (method: string, params: object) => {
    const { body, headers } = inEra(message(method, params));
    return post(body, { key, headers });
  };

  test.each([
    ["tools/list", {}, { cursor: null }],
    ["resources/list", {}, { cursor: null }],
    ["tools/call", { name: "get_pricing" }, { arguments: null }],
    ["tools/call", { name: "get_pricing" }, { _meta: { progressToken: null } }],
    ["prompts/get", { name: "top_up" }, { arguments: null }],
    ["prompts/get", { name: "top_up" }, { arguments: { pack: null } }],
    [
      "completion/complete",
      { ref: { type: "ref/prompt", name: "top_up" }, argument: { name: "pack", value: "" } },
      { context: null },
    ],
  ])("200: %s with %j answers the same with %j", async (method, params, nulls) => {
    const [plain, answer] = [await send(method, params), await send(method, { ...params, ...nulls })];
    expect(answer.json).toHaveProperty("result");
    expect([answer.status, answer.text]).toEqual([200, plain.text]);
  });
});

test.each(["ping", "tools/list"])("200: %s with params of null", async (method) => {
  const plain = await post(message(method), { key });
  const answer = await post({ jsonrpc: "2.0", id: 1, method, params: null }, { key });
  expect([answer.status, answer.text]).toEqual([200, plain.text]);
});

test("202: a notification with params of null", async () => {
  expect((await post({ jsonrpc: "2.0", method: "notifications/initialized", params: null }, { key })).status).toBe(202);
});

test("200: initialize with nulls for capabilities and names that a client has not", async () => {
  const capabilities = { roots: null, sampling: null, elicitation: { form: null } };
  const clientInfo = { name: "test", version: "1.0.0", title: null };
  const params = { protocolVersion: "2025-06-18", capabilities, clientInfo };
  const { json } = await post(message("initialize", params), { key });
  expect(json.result.protocolVersion).toBe("2025-06-18");
});

const WITH_ID = (id: string) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;

test.each(["9007199254740991", "-9007199254740991", "0", '"9007199254740993"', '"\\ud800"'])(
  "200: the id %s comes back as it was",
  async (id) => {
    expect((await post(WITH_ID(id), { key })).text).toContain(`"id":${id}`);
  },
);

test.each(["9007199254740992", "9007199254740993", "-9007199254740995", "1e400", "18446744073709551615", "1.5"])(
  "-32600: the id %s could not come back as it was, and is null",
  async (id) => {
    const refused = { status: 400, json: { id: null, error: { code: -32600, data: { issues: [{ path: "id" }] } } } };
    expect(await post(WITH_ID(id), { key })).toMatchObject(refused);
    expect(await post(`[${WITH_ID("1")},${WITH_ID(id)}]`, { key })).toMatchObject(refused);
    const call = modern(toolCall("get_pricing"));
    const text = JSON.stringify(call.body).replace('"id":1', `"id":${id}`);
    expect(await post(text, { key, headers: call.headers })).toMatchObject(refused);
  },
);
