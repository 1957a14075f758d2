import { TaskNotFoundError } from "@a2a-js/sdk/errors";
import { beforeEach, expect, test } from "vitest";
import { Refusal } from "../../../src/platform/errors/errors.ts";
import { EXTENSION } from "../../support/a2a/scripted-agent.ts";
import { a2aClient, allEvents, message, rpc, testA2a } from "../../support/a2a/test-bindings.ts";
import { allTests } from "../../support/service/each-test.ts";

const at = allTests(testA2a);
let client: ReturnType<typeof a2aClient>;

beforeEach(async () => {
  at.errors.length = 0;
  at.agent.seen = [];
  client = a2aClient(at.url, await at.key());
});

test("200: a message is answered with a task, as JSON that is not cached", async () => {
  const { status, headers, json } = await client.rpc("SendMessage", { message: message() });
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("application/json");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(json).toMatchObject({
    jsonrpc: "2.0",
    id: 1,
    result: { task: { status: { state: "TASK_STATE_COMPLETED" } } },
  });
});

test.each([0, -7, "", "a text", null, 2 ** 53 - 1])("200: the id %j is returned unchanged", async (id) => {
  const { json } = await client.post(rpc("ListTasks", {}, id));
  expect(json).toMatchObject({ id, result: { tasks: [] } });
  const refused = await client.post(rpc("Nothing", {}, id));
  expect(refused.json).toMatchObject({ id, error: { code: -32601 } });
});

test.each([
  ["an empty body", ""],
  ["a batch", JSON.stringify([rpc("ListTasks")])],
  ["an empty batch", "[]"],
  ["a number", "7"],
  ["null", "null"],
  ["jsonrpc 1.0", JSON.stringify({ ...rpc("ListTasks"), jsonrpc: "1.0" })],
  ["no jsonrpc", JSON.stringify({ id: 1, method: "ListTasks" })],
  ["no method", JSON.stringify({ jsonrpc: "2.0", id: 1 })],
  ["a method that is a number", JSON.stringify({ ...rpc("ListTasks"), method: 7 })],
  ["an empty method", JSON.stringify(rpc(""))],
  ["an id that is an object", JSON.stringify(rpc("ListTasks", {}, {}))],
  ["an id that is a list", JSON.stringify(rpc("ListTasks", {}, [1]))],
  ["an id that is a fraction", JSON.stringify(rpc("ListTasks", {}, 1.5))],
  ["an id that is true", JSON.stringify(rpc("ListTasks", {}, true))],
  ["an id that is too large to come back as it is", '{"jsonrpc":"2.0","id":9007199254740993,"method":"ListTasks"}'],
  ["an id of 257 characters", JSON.stringify(rpc("ListTasks", {}, "x".repeat(257)))],
])("-32600: %s", async (_, body) => {
  const { status, json } = await client.post(body, { headers: { "Content-Type": "application/json" } });
  expect(status).toBe(200);
  expect(json).toMatchObject({ jsonrpc: "2.0", error: { code: -32600, data: [{ reason: "INVALID_REQUEST" }] } });
  expect(at.agent.seen).toEqual([]);
});

test("-32600: a request without an id is not executed", async () => {
  const { id, ...notification } = rpc("SendMessage", { message: message() });
  const { json } = await client.post(notification);
  expect(json).toMatchObject({ id: null, error: { code: -32600, message: expect.stringContaining("notifications") } });
  expect(at.agent.seen).toEqual([]);
});

test("200: 64 levels of nesting are accepted, and brackets in a text are not levels", async () => {
  const deep = `{"jsonrpc":"2.0","id":1,"method":"ListTasks","x":${"[".repeat(63)}${"]".repeat(63)},"y":"\\"${"[".repeat(999)}\\\\"}`;
  expect((await client.post(deep)).json).toHaveProperty("result");
});

test.each([
  ["half an object", '{"jsonrpc":'],
  ["not UTF-8", new Uint8Array([0x22, 0xff, 0x22])],
  ["no text", "\u0000"],
])("-32700: %s", async (_, body) => {
  const { status, json } = await client.post(body);
  expect(status).toBe(200);
  expect(json).toMatchObject({ id: null, error: { code: -32700, data: [{ reason: "PARSE_ERROR" }] } });
});

test.each(["Nothing", "message/send", "sendMessage", "constructor", "__proto__"])("-32601: %s", async (method) => {
  const { status, json } = await client.rpc(method, { message: message() });
  expect(status).toBe(200);
  expect(json.error).toMatchObject({
    code: -32601,
    data: [
      { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "METHOD_NOT_FOUND", domain: "a2a-protocol.org" },
    ],
  });
});

test("200: ListTasks needs no parameters", async () => {
  expect((await client.rpc("ListTasks")).json.result).toMatchObject({ tasks: [], nextPageToken: "", totalSize: 0 });
});

test.each([
  ["CreateTaskPushNotificationConfig", { taskId: "x", url: "https://example.com" }],
  ["GetTaskPushNotificationConfig", { taskId: "x", id: "y" }],
  ["ListTaskPushNotificationConfigs", { taskId: "x" }],
])("-32001: %s for an unknown task", async (method, params) => {
  const { json } = await client.rpc(method, params);
  expect(json.error).toMatchObject({ code: -32001, data: [{ reason: "TASK_NOT_FOUND" }] });
});

test.each([
  ["taskId", { url: "https://example.com" }],
  ["url", { taskId: "x" }],
  ["token", { taskId: "x", url: "https://example.com", token: "two\r\nlines" }],
  ["authentication.scheme", { taskId: "x", url: "https://example.com", authentication: { scheme: "a b" } }],
  [
    "authentication.credentials",
    { taskId: "x", url: "https://x.com", authentication: { scheme: "a", credentials: "ü" } },
  ],
])("-32602: a push configuration without a valid `%s`", async (field, params) => {
  const { json } = await client.rpc("CreateTaskPushNotificationConfig", params);
  expect([json.error.code, json.error.data[1].fieldViolations[0].field]).toEqual([-32602, field]);
  expect(at.agent.seen).toEqual([]);
});

test("200: a message brings a push configuration, whatever the names of its members", async () => {
  const configuration = { task_push_notification_config: { url: "https://example.com/hook", task_id: "", id: "" } };
  await client.rpc("SendMessage", { message: message(), configuration });
  expect(at.agent.seen).toMatchObject([
    { configuration: { taskPushNotificationConfig: { url: "https://example.com/hook" } } },
  ]);
});

test("-32004: GetExtendedAgentCard, with parameters or without, since the card does not announce it", async () => {
  for (const params of [undefined, {}]) {
    const { json } = await client.rpc("GetExtendedAgentCard", params);
    expect(json.error).toMatchObject({ code: -32004, data: [{ reason: "UNSUPPORTED_OPERATION" }] });
  }
});

test("-32001: an error of the agent has status 200, and its reason", async () => {
  const { status, json } = await client.rpc("GetTask", { id: "nothing" });
  expect(status).toBe(200);
  expect(json.error).toEqual({
    code: -32001,
    message: new TaskNotFoundError().message,
    data: [
      { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "TASK_NOT_FOUND", domain: "a2a-protocol.org" },
    ],
  });
});

test("500 -32603: an internal error is logged, and reveals no details", async () => {
  at.agent.failNext = new Error("secret path /srv/x.db");
  const { status, text, json } = await client.rpc("SendMessage", { message: message() });
  expect(status).toBe(500);
  expect(json.error.code).toBe(-32603);
  expect(text).not.toContain("/srv");
  expect(at.errors).toHaveLength(1);
});

test("503 -32603: a busy agent says when to retry", async () => {
  at.agent.failNext = new Refusal("unavailable", "Busy.", {}, { "Retry-After": "7" });
  const { status, headers, json } = await client.rpc("SendMessage", { message: message() });
  expect([status, headers.get("retry-after"), json.error.code, json.id]).toEqual([503, "7", -32603, 1]);
  expect(at.errors).toEqual([]);
});

test("405: GET; Allow names the methods that are allowed", async () => {
  const { status, headers, json } = await client.raw("GET", "");
  expect([status, headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
  expect(json).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32600 } });
});

test.each(["text/plain", "application/a2a+json", "application/json; charset=latin1", ""])(
  "415 -32005: a body of type %j",
  async (type) => {
    const { status, json } = await client.post(rpc("ListTasks"), { headers: { "Content-Type": type } });
    expect(status).toBe(415);
    expect(json.error).toMatchObject({ code: -32005, data: [{ reason: "CONTENT_TYPE_NOT_SUPPORTED" }] });
  },
);

test("200: extensions of both headers reach the agent, and the activated ones are named", async () => {
  const headers = { "A2A-Extensions": `https://other.example, ${EXTENSION}`, "X-A2A-Extensions": EXTENSION };
  const answer = await client.rpc("SendMessage", { message: message() }, { headers });
  expect(at.agent.calls.at(-1)!.extensions).toEqual(["https://other.example", EXTENSION]);
  expect(answer.headers.get("a2a-extensions")).toBe(EXTENSION);
  const stream = await client.openRpc("SendStreamingMessage", { message: message("tck-stream-001") }, { headers });
  expect(stream.headers.get("a2a-extensions")).toBe(EXTENSION);
  await allEvents(stream);
  const without = await client.rpc("SendMessage", { message: message() });
  expect(without.headers.get("a2a-extensions")).toBeNull();
});

test("204: a page of another site may call, and read the headers that it needs", async () => {
  const preflight = await client.raw("OPTIONS", "");
  expect([preflight.status, preflight.headers.get("allow")]).toEqual([204, "POST, OPTIONS"]);
  const allowed = preflight.headers.get("access-control-allow-headers");
  for (const name of ["A2A-Version", "A2A-Extensions", "X-A2A-Extensions", "Last-Event-ID", "Authorization"])
    expect(allowed).toContain(name);
  const { headers } = await client.rpc("ListTasks");
  expect(headers.get("access-control-allow-origin")).toBe("*");
  for (const name of ["A2A-Extensions", "WWW-Authenticate"])
    expect(headers.get("access-control-expose-headers")).toContain(name);
});
