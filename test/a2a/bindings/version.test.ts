import { beforeEach, expect, test } from "vitest";
import { a2aClient, legacyMessage, message, rpc, testA2a } from "../../support/a2a/test-bindings.ts";
import { allTests } from "../../support/service/each-test.ts";

const at = allTests(testA2a);
let client: ReturnType<typeof a2aClient>;

beforeEach(async () => {
  at.agent.seen = [];
  client = a2aClient(at.url, await at.key());
});

const SAID: readonly (readonly [version: string, header: string | undefined, query: string])[] = [
  ["1.0", "1.0", ""],
  ["1.0", " 1.0 ", ""],
  ["1.0", "1.0.0", ""],
  ["1.0", "1.0.3", ""],
  ["1.0", undefined, "?A2A-Version=1.0"],
  ["1.0", "", "?A2A-Version=1.0.1"],
  ["1.0", "1.0", "?A2A-Version=0.3"],
  ["0.3", undefined, ""],
  ["0.3", "", ""],
  ["0.3", "0.3", ""],
  ["0.3", "0.3.0", ""],
  ["0.3", undefined, "?A2A-Version=0.3"],
];

test.each(SAID)("200 in %s: the header %j, the query %j", async (version, header, query) => {
  const options = { headers: header === undefined ? {} : { "A2A-Version": header } };
  const is1 = version === "1.0";
  const body = is1 ? rpc("SendMessage", { message: message() }) : rpc("message/send", { message: legacyMessage() });
  const { status, json } = await client.raw("POST", query, body, options);
  expect(status).toBe(200);
  expect(is1 ? json.result.task.status.state : json.result.status.state).toBe(
    is1 ? "TASK_STATE_COMPLETED" : "completed",
  );
});

const UNKNOWN = ["0.2", "0.5", "1.1", "2.0", "1", "v1.0", "1.0-beta", "1.0, 1.0", "latest", "1.0.0.0", "99999.0"];

test.each(UNKNOWN)("VersionNotSupported in both bindings: %s", async (version) => {
  const options = { headers: { "A2A-Version": version } };
  const overRpc = await client.raw("POST", "", rpc("ListTasks", {}, "an id"), options);
  expect(overRpc.status).toBe(200);
  expect(overRpc.json).toMatchObject({
    id: "an id",
    error: { code: -32009, data: [{ reason: "VERSION_NOT_SUPPORTED" }] },
  });
  const overRest = await client.raw("GET", "/tasks", undefined, options);
  expect(overRest.status).toBe(400);
  expect(overRest.json.error).toMatchObject({
    status: "FAILED_PRECONDITION",
    details: [{ reason: "VERSION_NOT_SUPPORTED" }],
  });
  expect(at.agent.seen).toEqual([]);
});

test("-32009: a method of 1.0 without the header; the error names the header", async () => {
  const { json } = await client.legacy("SendMessage", { message: message() });
  expect(json.error).toMatchObject({ code: -32009, message: expect.stringContaining("A2A-Version: 1.0") });
  expect(json.error.data[0].metadata.supportedVersions).toBe("1.0, 0.3");
  expect(at.agent.seen).toEqual([]);
});

test.each([undefined, "0.3"])("400: HTTP+JSON with the version %j, which is 0.3", async (version) => {
  const { status, json } = await client.raw("GET", "/tasks", undefined, {
    headers: version === undefined ? {} : { "A2A-Version": version },
  });
  expect([status, json.error.details[0].reason]).toEqual([400, "VERSION_NOT_SUPPORTED"]);
});
