import { ContentTypeNotSupportedError } from "@a2a-js/sdk/errors";
import { expect, test } from "vitest";
import { Fault } from "../../../a2a/bindings/errors.ts";
import { getTaskRequest, listTasksRequest, sendMessageRequest, taskIdRequest } from "../../../a2a/bindings/requests.ts";

const MESSAGE = { messageId: "m-1", role: "ROLE_USER", parts: [{ text: "Hello" }] };
const SECRET = "what-the-client-sent";

/** Fields that a refused request is refused for. */
function fieldsOf(read: (params: unknown) => unknown, params: unknown): string[] {
  try {
    read(params);
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(Fault);
    const { reason, violations, message } = thrown as Fault;
    expect(reason).toBe("INVALID_PARAMS");
    expect(JSON.stringify([message, violations])).not.toContain(SECRET);
    return violations.map(({ field }) => field);
  }
  throw new Error("it was taken");
}

const sent = (change: object) => ({ message: { ...MESSAGE, ...change } });

test.each([
  ["no message", {}, "message"],
  ["a list", [], "params"],
  ["null", null, "params"],
  ["a text", SECRET, "params"],
  ["a message that is a text", { message: SECRET }, "message"],
  ["the role of 0.3", sent({ kind: "message", role: "user" }), "message.role"],
  ["the role of an agent", sent({ role: "ROLE_AGENT" }), "message.role"],
  ["no role", sent({ role: undefined }), "message.role"],
  ["a role by its number", sent({ role: 1 }), "message.role"],
  ["no parts", sent({ parts: undefined }), "message.parts"],
  ["empty parts", sent({ parts: [] }), "message.parts"],
  ["parts that are a text", sent({ parts: SECRET }), "message.parts"],
  ["a part that is a text", sent({ parts: [SECRET] }), "message.parts[0]"],
  ["a part without content", sent({ parts: [{ text: "a" }, { mediaType: "text/plain" }] }), "message.parts[1]"],
  ["a part with two contents", sent({ parts: [{ text: SECRET, data: 1 }] }), "message.parts[0]"],
  ["data that is null", sent({ parts: [{ data: null }] }), "message.parts[0]"],
  ["a file of 0.3", sent({ parts: [{ kind: "file", file: { uri: SECRET } }] }), "message.parts[0]"],
  ["a text that is a number", sent({ parts: [{ text: 5 }] }), "message.parts[0].text"],
  ["bytes that are no base64", sent({ parts: [{ raw: `${SECRET}!` }] }), "message.parts[0].raw"],
  ["1,001 parts", sent({ parts: Array(1_001).fill({ text: "" }) }), "message.parts"],
  ["no messageId", sent({ messageId: undefined }), "message.messageId"],
  ["an empty messageId", sent({ messageId: "" }), "message.messageId"],
  ["a messageId that is a number", sent({ messageId: 7 }), "message.messageId"],
  ["a messageId of 257 characters", sent({ messageId: SECRET.padEnd(257) }), "message.messageId"],
  ["a contextId of 257 characters", sent({ contextId: "x".repeat(257) }), "message.contextId"],
  ["a taskId that is an object", sent({ taskId: { a: SECRET } }), "message.taskId"],
  ["metadata that is a list", sent({ metadata: [SECRET] }), "message.metadata"],
  ["a reference that is too long", sent({ referenceTaskIds: ["x".repeat(257)] }), "message.referenceTaskIds[0]"],
  ["a tenant", { message: MESSAGE, tenant: SECRET }, "tenant"],
  ["a history of -1", { message: MESSAGE, configuration: { historyLength: -1 } }, "configuration.historyLength"],
  ["a history of 1.5", { message: MESSAGE, configuration: { historyLength: 1.5 } }, "configuration.historyLength"],
  ["no boolean", { message: MESSAGE, configuration: { returnImmediately: "true" } }, "configuration.returnImmediately"],
])("INVALID_PARAMS: a message with %s", (_, params, field) => {
  expect(fieldsOf(sendMessageRequest, params)).toContain(field);
});

test.each([
  ["pageSize 0", { pageSize: 0 }, "pageSize"],
  ["pageSize 101", { pageSize: 101 }, "pageSize"],
  ["pageSize as a text", { pageSize: "10" }, "pageSize"],
  ["a negative history", { historyLength: -5 }, "historyLength"],
  ["a history that is no int32", { historyLength: 2 ** 31 }, "historyLength"],
  ["a state there is not", { status: SECRET }, "status"],
  ["a state of 0.3", { status: "working" }, "status"],
  ["no time", { statusTimestampAfter: SECRET }, "statusTimestampAfter"],
  ["the 30th of February", { statusTimestampAfter: "2026-02-30T00:00:00Z" }, "statusTimestampAfter"],
  ["a time without a zone", { statusTimestampAfter: "2026-01-01T00:00:00" }, "statusTimestampAfter"],
  ["a page token without end", { pageToken: "x".repeat(1_025) }, "pageToken"],
  ["includeArtifacts as a text", { includeArtifacts: "yes" }, "includeArtifacts"],
  ["a tenant", { tenant: SECRET }, "tenant"],
])("INVALID_PARAMS: a list with %s", (_, params, field) => {
  expect(fieldsOf(listTasksRequest, params)).toContain(field);
});

test.each([
  ["no id", {}],
  ["an empty id", { id: "" }],
  ["an id that is a number", { id: 7 }],
  ["an id of 257 characters", { id: "x".repeat(257) }],
])("INVALID_PARAMS: a task with %s", (_, params) => {
  expect(fieldsOf(getTaskRequest, params)).toEqual(["id"]);
  expect(fieldsOf(taskIdRequest, params)).toEqual(["id"]);
});

test("field names of a2a.proto are accepted too if the JSON name is absent; inside data they stay as they are", () => {
  const data = { task_id: "x", history_length: 1 };
  const { message, configuration } = sendMessageRequest({
    message: {
      message_id: "m-1",
      role: "ROLE_USER",
      task_id: "t",
      contextId: "c",
      context_id: "d",
      parts: [{ data, media_type: "application/json" }],
    },
    configuration: { history_length: 2, return_immediately: true },
  });
  const parts = [{ data, mediaType: "application/json" }];
  expect(message).toEqual({ messageId: "m-1", role: "ROLE_USER", taskId: "t", contextId: "c", parts });
  expect(configuration).toEqual({ historyLength: 2, returnImmediately: true });
  expect(getTaskRequest({ id: "a", history_length: 1 })).toEqual({ id: "a", historyLength: 1 });
  expect(fieldsOf(listTasksRequest, { page_size: 0 })).toEqual(["pageSize"]);
});

test("an error names at most 20 fields", () => {
  expect(fieldsOf(sendMessageRequest, sent({ parts: Array(500).fill({}) }))).toHaveLength(20);
});

test("unknown fields are dropped; null and an empty id count as absent", () => {
  const more = { kind: "message", contextId: "", taskId: null, surprise: 1, metadata: null };
  const parts = [{ kind: "text", text: "", mediaType: null, surprise: 1 }];
  expect(
    sendMessageRequest({ message: { ...MESSAGE, ...more, parts }, tenant: "", surprise: 1, metadata: { a: 1 } }),
  ).toEqual({
    message: { ...MESSAGE, parts: [{ text: "" }] },
    metadata: { a: 1 },
  });
});

test.each([[0], [false], [[]], [{ skill: "get_account" }], ["text"]])(
  "data is any JSON value except null: %j",
  (data) => {
    expect(sendMessageRequest(sent({ parts: [{ data }] })).message.parts).toEqual([{ data }]);
  },
);

test("ids of 256 characters, any text and any JSON are accepted", () => {
  const id = "x".repeat(256);
  const kinds = ["text/markdown", "application/json; charset=utf-8", "application/ld+json"];
  const parts = [{ data: { a: 1 }, filename: "a" }, ...kinds.map((mediaType) => ({ text: "a", mediaType }))];
  const { message } = sendMessageRequest(sent({ messageId: id, contextId: id, taskId: id, parts }));
  expect(message).toEqual({ ...MESSAGE, messageId: id, contextId: id, taskId: id, parts });
});

test.each([
  ["a file", { raw: "aGk=" }],
  ["a file that is called text", { raw: "aGk=", mediaType: "text/plain" }],
  ["the address of a file", { url: "https://example.com" }],
  ["a picture", { text: "<svg/>", mediaType: "image/svg+xml" }],
  ["a type that begins like JSON", { data: 1, mediaType: "application/jsonx" }],
])("ContentTypeNotSupported: %s, among others too", (_, part) => {
  expect(() => sendMessageRequest(sent({ parts: [{ text: "a" }, part] }))).toThrow(ContentTypeNotSupportedError);
});

test("a list request may have all parameters or none; a time is UTC, in milliseconds", () => {
  const all = { contextId: "c", status: "TASK_STATE_WORKING", pageSize: 100, pageToken: "t", historyLength: 0 };
  const statusTimestampAfter = "2026-01-31T13:00:00.123456+01:00";
  expect(listTasksRequest({ ...all, statusTimestampAfter, includeArtifacts: true })).toEqual({
    ...all,
    statusTimestampAfter: "2026-01-31T12:00:00.123Z",
    includeArtifacts: true,
  });
  expect(listTasksRequest(undefined)).toEqual({});
  expect(listTasksRequest({ status: "TASK_STATE_UNSPECIFIED", contextId: "", pageToken: "" })).toEqual({});
});
