import { beforeEach, expect, test } from "vitest";
import { Refusal } from "../../../src/platform/errors/errors.ts";
import { EXTENSION } from "../../support/a2a/scripted-agent.ts";
import { a2aClient, allEvents, message, testA2a } from "../../support/a2a/test-bindings.ts";
import { allTests } from "../../support/service/each-test.ts";

const at = allTests(testA2a);
let client: ReturnType<typeof a2aClient>;

beforeEach(async () => {
  at.errors.length = 0;
  at.agent.seen = [];
  client = a2aClient(at.url, await at.key());
});

const A2A_JSON = "application/a2a+json";

async function taskOf(prefix: string): Promise<string> {
  const configuration = { returnImmediately: true };
  const { json } = await client.rest("POST", "/message:send", { message: message(prefix), configuration });
  return json.task.id;
}

test("200: a message is answered with a task as application/a2a+json, also if it was sent as application/json", async () => {
  for (const type of ["application/json", A2A_JSON]) {
    const headers = { "Content-Type": type };
    const answer = await client.rest("POST", "/message:send", { message: message() }, { headers });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, A2A_JSON]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.json).toMatchObject({ task: { status: { state: "TASK_STATE_COMPLETED" } } });
  }
});

test("200: a client that accepts plain JSON gets it, also for errors", async () => {
  const headers = { Accept: "application/json" };
  for (const path of ["/tasks", "/tasks/nothing"]) {
    const answer = await client.rest("GET", path, undefined, { headers });
    expect(answer.headers.get("content-type")).toBe("application/json");
  }
  const both = await client.rest("GET", "/tasks", undefined, { headers: { Accept: `application/json, ${A2A_JSON}` } });
  expect(both.headers.get("content-type")).toBe(A2A_JSON);
});

test("200: a task, its history, the list and a cancellation at their addresses", async () => {
  const id = await taskOf("tck-working");
  const got = await client.rest("GET", `/tasks/${id}?historyLength=1&A2A-Version=1.0&unknown=1&unknown=2`);
  expect(got.json).toMatchObject({ id, status: { state: "TASK_STATE_WORKING" }, history: [{ role: "ROLE_USER" }] });
  expect(at.agent.seen.at(-1)).toEqual({ id, historyLength: 1 });
  const query =
    "pageSize=1&status=TASK_STATE_WORKING&includeArtifacts=true&statusTimestampAfter=2026-01-01T00%3A00%3A00Z";
  const listed = await client.rest("GET", `/tasks?${query}`);
  expect(listed.json).toMatchObject({ tasks: [{ id, artifacts: [] }], nextPageToken: "", pageSize: 1, totalSize: 1 });
  expect(at.agent.seen.at(-1)).toMatchObject({ pageSize: 1, includeArtifacts: true });
  const cancelled = await client.rest("POST", `/tasks/${id}:cancel`);
  expect(cancelled.json).toMatchObject({ id, status: { state: "TASK_STATE_CANCELED" } });
});

test("200: a cancellation may have a body; the address chooses the task", async () => {
  const id = await taskOf("tck-working");
  const { status, json } = await client.rest("POST", `/tasks/${id}:cancel`, { id: "another", metadata: {} });
  expect([status, json.id]).toEqual([200, id]);
});

test.each(["GET", "POST"])("200: a task is followed by %s", async (method) => {
  const id = await taskOf("tck-working");
  const response = await client.openRest(method, `/tasks/${id}:subscribe`);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  at.agent.finish(id);
  expect(await allEvents(response)).toMatchObject([
    { task: { id } },
    { statusUpdate: { taskId: id, status: { state: "TASK_STATE_COMPLETED" } } },
  ]);
});

test("200: each event of the stream is the bare object, without an envelope", async () => {
  const response = await client.openRest("POST", "/message:stream", { message: message("tck-stream-001") });
  expect((await allEvents(response)).map((event) => Object.keys(event)[0])).toEqual([
    ...["task", "statusUpdate", "artifactUpdate", "statusUpdate"],
  ]);
});

test("404: a task that does not exist, in the error format of AIP-193", async () => {
  const { status, headers, json } = await client.rest("GET", "/tasks/nothing");
  expect([status, headers.get("content-type")]).toEqual([404, A2A_JSON]);
  expect(json).toEqual({
    error: {
      code: 404,
      status: "NOT_FOUND",
      message: "Task not found",
      details: [
        { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "TASK_NOT_FOUND", domain: "a2a-protocol.org" },
      ],
    },
  });
});

test.each([
  ["an empty body", ""],
  ["nothing in it", "{}"],
  ["a list", "[]"],
  ["no JSON", "{"],
  ["65 levels", "[".repeat(65)],
  ["4 million levels", "[".repeat(4_000_000)],
])("400 INVALID_ARGUMENT: %s", async (_, body) => {
  const { status, json } = await client.rest("POST", "/message:send", body, { headers: { "Content-Type": A2A_JSON } });
  expect(status).toBe(400);
  expect(json.error).toMatchObject({ code: 400, status: "INVALID_ARGUMENT" });
  expect(at.agent.seen).toEqual([]);
});

test("400: the invalid fields are named", async () => {
  const { status, json } = await client.rest("GET", "/tasks?pageSize=150&historyLength=-5&status=TASK_STATE_RUNNING");
  expect(status).toBe(400);
  const violations = json.error.details.find((one: { "@type": string }) =>
    one["@type"].endsWith("google.rpc.BadRequest"),
  );
  expect(violations.fieldViolations.map(({ field }: { field: string }) => field)).toEqual([
    ...["status", "pageSize", "historyLength"],
  ]);
});

test.each(["", "{}", "null"])(
  "404: a task is cancelled by its address, whether the body is missing or %j",
  async (body) => {
    const headers = { "Content-Type": "application/json" };
    const { status } = await client.rest("POST", "/tasks/none:cancel", body === "" ? undefined : body, { headers });
    expect(status).toBe(404);
  },
);

test("200: null in the query is as absent", async () => {
  const query = "pageSize=null&status=null&historyLength=null&includeArtifacts=null&statusTimestampAfter=null";
  const { status, text } = await client.rest("GET", `/tasks?${query}`);
  expect([status, text]).toEqual([200, (await client.rest("GET", "/tasks")).text]);
});

test.each(["pageSize=ten", "pageSize=1&pageSize=2", "includeArtifacts=yes", "pageSize=1.5", "tenant=acme"])(
  "400: GET /tasks?%s",
  async (query) => {
    const { status, json } = await client.rest("GET", `/tasks?${query}`);
    expect([status, json.error.details[0].reason]).toEqual([400, "INVALID_PARAMS"]);
  },
);

test("200: DELETE of a push configuration that is not there", async () => {
  const { status, json } = await client.rest("DELETE", "/tasks/x/pushNotificationConfigs/y");
  expect([status, json]).toEqual([200, {}]);
});

test.each([
  ["GET", "/nothing"],
  ["POST", "/acme/message:send"],
  ["GET", "/tasks/"],
  ["GET", "/tasks/x:fly"],
  ["GET", "/tasks/%E0%A4%A"],
  ["GET", "//"],
])("404: %s %s; the error is JSON", async (method, path) => {
  const { status, json } = await client.rest(method, path, method === "POST" ? { message: message() } : undefined);
  expect(status).toBe(404);
  expect(json.error).toMatchObject({
    code: 404,
    status: "NOT_FOUND",
    details: [{ reason: "NOT_FOUND", domain: "beckon.test" }],
  });
});

test.each([
  ["GET", "/message:send", "POST, OPTIONS"],
  ["PUT", "/tasks", "GET, HEAD, OPTIONS"],
  ["DELETE", "/tasks/x", "GET, HEAD, OPTIONS"],
  ["GET", "/tasks/x:cancel", "POST, OPTIONS"],
  ["DELETE", "/tasks/x:subscribe", "GET, POST, OPTIONS"],
])("405: %s %s, with Allow: %s", async (method, path, allow) => {
  const { status, headers, json } = await client.rest(method, path);
  expect([status, headers.get("allow"), json.error.status]).toEqual([405, allow, "UNIMPLEMENTED"]);
  const preflight = await client.raw("OPTIONS", path);
  expect([preflight.status, preflight.headers.get("access-control-allow-methods")]).toEqual([204, allow]);
});

test("415: a body of another type", async () => {
  const headers = { "Content-Type": "text/plain" };
  const { status, json } = await client.rest("POST", "/message:send", { message: message() }, { headers });
  expect([status, json.error.details[0].reason]).toEqual([415, "CONTENT_TYPE_NOT_SUPPORTED"]);
  expect(at.agent.seen).toEqual([]);
});

test("500: an internal error is logged, and reveals no details", async () => {
  at.agent.failNext = new Error("secret path /srv/x.db");
  const { status, text, json } = await client.rest("GET", "/tasks");
  expect([status, json.error.status]).toEqual([500, "INTERNAL"]);
  expect(text).not.toContain("/srv");
  expect(at.errors).toHaveLength(1);
});

test("503: a busy agent says when to retry", async () => {
  at.agent.failNext = new Refusal("unavailable", "Busy.", {}, { "Retry-After": "7" });
  const { status, headers, json } = await client.rest("GET", "/tasks");
  expect([status, headers.get("retry-after"), json.error.status]).toEqual([503, "7", "UNAVAILABLE"]);
});

test("200: the answer names the activated extensions", async () => {
  const answer = await client.rest("GET", "/tasks", undefined, { headers: { "A2A-Extensions": EXTENSION } });
  expect(answer.headers.get("a2a-extensions")).toBe(EXTENSION);
});
