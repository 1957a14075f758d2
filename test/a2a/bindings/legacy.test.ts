import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { EXTENSION } from "../../support/a2a/scripted-agent.ts";
import { a2aClient, allEvents, legacyMessage, rpc, testA2a } from "../../support/a2a/test-bindings.ts";
import { allTests } from "../../support/service/each-test.ts";

const at = allTests(testA2a);
let client: ReturnType<typeof a2aClient>;

beforeEach(async () => {
  at.errors.length = 0;
  at.agent.seen = [];
  client = a2aClient(at.url, await at.key());
});

const LEGACY = { headers: { "A2A-Version": "0.3" } };

async function taskOf(prefix: string): Promise<string> {
  const params = { message: legacyMessage(prefix), configuration: { blocking: false } };
  return (await client.legacy("message/send", params)).json.result.id;
}

test("200: a message of 0.3 is answered in the shapes of 0.3", async () => {
  const { status, json } = await client.legacy("message/send", { message: legacyMessage("tck-artifact-data") });
  expect(status).toBe(200);
  expect(json).toMatchObject({
    jsonrpc: "2.0",
    id: 1,
    result: {
      kind: "task",
      status: { state: "completed", message: { kind: "message", role: "agent" } },
      artifacts: [{ parts: [{ kind: "data", data: { key: "value", count: 42 } }] }],
      history: [{ kind: "message", role: "user", parts: [{ kind: "text", text: "Hello" }] }],
    },
  });
});

test("200: null in an optional member is as absent, and stays in the data, which the skill reads", async () => {
  const data = { skill: "get_account", input: { limit: null } };
  const nulls = { contextId: null, taskId: null, extensions: null, referenceTaskIds: null };
  const message = legacyMessage("tck", {
    parts: [{ kind: "data", data, metadata: null }],
    ...nulls,
    metadata: { a: null },
  });
  const configuration = { acceptedOutputModes: null, historyLength: null, pushNotificationConfig: null };
  for (const more of [{ configuration, metadata: null }, { configuration: null }])
    expect((await client.legacy("message/send", { message, ...more })).json).toHaveProperty("result");
  expect(at.agent.seen[0]).toMatchObject({ message: { parts: [{ data }] } });
});

test("200: the agent answers with a message", async () => {
  const { json } = await client.legacy("message/send", { message: legacyMessage("tck-message-response") });
  expect(json.result).toMatchObject({ kind: "message", role: "agent", parts: [{ kind: "text" }] });
});

test("the agent gets the message in the form of 1.0", async () => {
  const data = { skill: "get_account", input: { a: [1, null] } };
  const parts = [
    { kind: "data", data, metadata: { x: 1 } },
    { kind: "text", text: "Hello" },
  ];
  const message = legacyMessage("tck", { parts, contextId: "c", metadata: { y: [2] } });
  await client.legacy("message/send", {
    message,
    configuration: { blocking: true, historyLength: 3 },
    metadata: { z: 3 },
  });
  expect(at.agent.seen).toEqual([
    {
      message: {
        messageId: message.messageId,
        role: "ROLE_USER",
        parts: [{ data, metadata: { x: 1 } }, { text: "Hello" }],
        contextId: "c",
        metadata: { y: [2] },
      },
      configuration: { historyLength: 3 },
      metadata: { z: 3 },
    },
  ]);
});

test("200: tasks/get and tasks/cancel; -32002 for a task that cannot be cancelled", async () => {
  const id = await taskOf("tck-working");
  expect((await client.legacy("tasks/get", { id, historyLength: 1 })).json.result).toMatchObject({
    id,
    status: { state: "working" },
  });
  expect((await client.legacy("tasks/cancel", { id })).json.result).toMatchObject({
    id,
    status: { state: "canceled" },
  });
  const again = await client.legacy("tasks/cancel", { id });
  expect([again.status, again.json.error.code]).toEqual([200, -32002]);
});

test("200: a stream has the shapes of 0.3, and its last event is marked as final", async () => {
  const response = await client.openRpc("message/stream", { message: legacyMessage("tck-stream-001") }, LEGACY);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const events = await allEvents(response);
  expect(events.every(({ jsonrpc, id }) => jsonrpc === "2.0" && id === 1)).toBe(true);
  expect(events.map(({ result }) => [result.kind, result.final])).toEqual([
    ["task", undefined],
    ["status-update", false],
    ["artifact-update", undefined],
    ["status-update", true],
  ]);
});

test("200: tasks/resubscribe continues with a task", async () => {
  const id = await taskOf("tck-working");
  const response = await client.openRpc("tasks/resubscribe", { id }, LEGACY);
  at.agent.finish(id);
  expect((await allEvents(response)).map(({ result }) => [result.kind, result.status?.state])).toEqual([
    ["task", "working"],
    ["status-update", "completed"],
  ]);
});

test("an error in the middle of a stream of 0.3 reveals no details", async () => {
  at.agent.failStream = new Error("secret path /srv/x.db");
  const events = await allEvents(
    await client.openRpc("message/stream", { message: legacyMessage("tck-stream-001") }, LEGACY),
  );
  expect(events.at(-1)).toEqual({
    jsonrpc: "2.0",
    id: 1,
    error: { code: -32603, message: expect.not.stringContaining("/srv") },
  });
  expect(at.errors).toHaveLength(1);
});

const sent = (change: object) => ({ message: { ...legacyMessage(), ...change } });

test.each<[string, string, unknown]>([
  ["no parameters", "message/send", undefined],
  ["a list", "message/send", []],
  ["no message", "message/send", {}],
  ["a message that is a text", "message/send", { message: "x" }],
  ["empty parts", "message/send", sent({ parts: [] })],
  ["no parts", "message/send", sent({ parts: undefined })],
  ["a part of another kind", "message/send", sent({ parts: [{ kind: "dance" }] })],
  ["data that is null", "message/send", sent({ parts: [{ kind: "data", data: null }] })],
  ["a part of 1.0", "message/send", sent({ parts: [{ text: "x" }] })],
  ["a text that is a number", "message/send", sent({ parts: [{ kind: "text", text: 5 }] })],
  ["a file that is missing", "message/send", sent({ parts: [{ kind: "file" }] })],
  ["a file of bytes that are a number", "message/send", sent({ parts: [{ kind: "file", file: { bytes: 5 } }] })],
  ["the role of an agent", "message/send", sent({ role: "agent" })],
  ["the role of 1.0", "message/send", sent({ role: "ROLE_USER" })],
  ["no messageId", "message/send", sent({ messageId: "" })],
  ["a messageId of 257 characters", "message/send", sent({ messageId: "x".repeat(257) })],
  ["a taskId that is a number", "message/send", sent({ taskId: 7 })],
  ["extensions that are a number", "message/send", sent({ extensions: 7 })],
  ["a negative history", "message/send", { ...sent({}), configuration: { historyLength: -1 } }],
  ["a history without a value", "message/send", { ...sent({}), configuration: { historyLength: { toString: [] } } }],
  [
    "a stream of a history without a value",
    "message/stream",
    { ...sent({}), configuration: { historyLength: { toString: [] } } },
  ],
  ["a task's history without a value", "tasks/get", { id: "x", historyLength: { valueOf: 1, toString: 1 } }],
  ["a stream with empty parts", "message/stream", sent({ parts: [] })],
  ["a stream without a message", "message/stream", {}],
  ["no id", "tasks/get", {}],
  ["an id that is a number", "tasks/get", { id: 7 }],
  ["an id of 257 characters", "tasks/cancel", { id: "x".repeat(257) }],
  ["a stream of no task", "tasks/resubscribe", {}],
])("-32602: %s: %s", async (_, method, params) => {
  const { status, json } = await client.legacy(method, params);
  expect(status).toBe(200);
  expect(json).toEqual({ jsonrpc: "2.0", id: 1, error: { code: -32602, message: expect.any(String) } });
  expect(json.error.message).not.toMatch(/undefined|Cannot|TypeError/);
  expect([at.agent.seen, at.errors]).toEqual([[], []]);
});

test.each<[number, string, object]>([
  [-32001, "tasks/get", { id: "nothing" }],
  [-32001, "tasks/cancel", { id: "nothing" }],
  [-32001, "tasks/resubscribe", { id: "nothing" }],
  [-32601, "tasks/list", {}],
  [-32601, "constructor", {}],
  [-32001, "tasks/pushNotificationConfig/set", { taskId: "x", pushNotificationConfig: { url: "https://example.com" } }],
  [-32001, "tasks/pushNotificationConfig/get", { id: "x" }],
  [-32001, "tasks/pushNotificationConfig/list", { id: "x" }],
  [-32007, "agent/getAuthenticatedExtendedCard", {}],
])("%i: %s", async (code, method, params) => {
  const { status, json } = await client.legacy(method, params);
  expect(status).toBe(200);
  expect(json).toEqual({ jsonrpc: "2.0", id: 1, error: { code, message: expect.any(String) } });
});

test("200: a message of 0.3 brings a push configuration, which is read and deleted by the methods of 0.3", async () => {
  const pushNotificationConfig = { url: "https://example.com/hook", authentication: { schemes: ["Bearer"] } };
  await client.legacy("message/send", { message: legacyMessage(), configuration: { pushNotificationConfig } });
  expect(at.agent.seen).toMatchObject([
    { configuration: { taskPushNotificationConfig: { url: pushNotificationConfig.url } } },
  ]);
  expect(at.agent.calls[0]!.protocol).toBe("0.3");
  const working = { message: legacyMessage("tck-working"), configuration: { blocking: false } };
  const { id: taskId } = (await client.legacy("message/send", working)).json.result;
  const own = { taskId, pushNotificationConfig: { ...pushNotificationConfig, id: "config" } };
  const set = await client.legacy("tasks/pushNotificationConfig/set", { taskId, pushNotificationConfig });
  expect(set.json.result).toEqual(own);
  const named = { id: taskId, pushNotificationConfigId: "config" };
  for (const params of [{ id: taskId }, named])
    expect((await client.legacy("tasks/pushNotificationConfig/get", params)).json.result).toEqual(own);
  expect((await client.legacy("tasks/pushNotificationConfig/list", { id: taskId })).json.result).toEqual([own]);
  expect((await client.legacy("tasks/pushNotificationConfig/delete", named)).json.result).toBe(null);
  expect((await client.legacy("tasks/pushNotificationConfig/list", { id: taskId })).json.result).toEqual([]);
});

test("200: a push configuration with several schemes keeps the first, and the log has none of them", async () => {
  const printed = vi.spyOn(console, "warn");
  onTestFinished(() => printed.mockRestore());
  const authentication = { schemes: ["Bearer", "no secret\nno line of a log"] };
  const pushNotificationConfig = { url: "https://example.com/hook", authentication };
  const working = { message: legacyMessage("tck-working"), configuration: { blocking: false, pushNotificationConfig } };
  const { id: taskId } = (await client.legacy("message/send", working)).json.result;
  const set = await client.legacy("tasks/pushNotificationConfig/set", { taskId, pushNotificationConfig });
  expect(set.json.result.pushNotificationConfig.authentication.schemes).toEqual(["Bearer"]);
  expect(printed).not.toHaveBeenCalled();
});

test("-32005: a file of 0.3", async () => {
  for (const file of [{ bytes: "aGk=" }, { uri: "https://example.com/a", mimeType: "text/plain" }]) {
    const { json } = await client.legacy("message/send", sent({ parts: [{ kind: "file", file }] }));
    expect(json.error.code).toBe(-32005);
  }
  expect(at.agent.seen).toEqual([]);
});

test("500: an internal error is logged, and reveals no details", async () => {
  at.agent.failNext = new Error("secret path /srv/x.db");
  const { status, text, json } = await client.legacy("message/send", { message: legacyMessage() });
  expect([status, json.error.code]).toEqual([500, -32603]);
  expect(text).not.toContain("/srv");
  expect(at.errors).toHaveLength(1);
});

test("200: extensions are sent in the header of 0.3", async () => {
  const headers = { "X-A2A-Extensions": EXTENSION };
  const answer = await client.legacy("message/send", { message: legacyMessage() }, { headers });
  expect(answer.headers.get("x-a2a-extensions")).toBe(EXTENSION);
});

test("-32600: the envelope is checked as strictly as in 1.0", async () => {
  const { status, json } = await client.raw("POST", "", { ...rpc("message/send", {}), jsonrpc: "1.0" });
  expect([status, json.error.code, json.id]).toEqual([200, -32600, 1]);
});
