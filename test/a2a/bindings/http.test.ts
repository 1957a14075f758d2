import { once } from "node:events";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { Refusal } from "../../../src/platform/errors/errors.ts";
import { a2aClient, legacyMessage, message, rpc, testA2a } from "../../support/a2a/test-bindings.ts";
import { parsed, rawClient, writeChunks } from "../../support/network/raw-client.ts";
import { allTests } from "../../support/service/each-test.ts";
import { eventually } from "../../support/service/eventually.ts";

const at = allTests(() => testA2a());
let key: string;
let client: ReturnType<typeof a2aClient>;

beforeEach(async () => {
  at.agent.seen = [];
  key = await at.key();
  client = a2aClient(at.url, key);
});

/** One request over each binding, and of each version. */
const REQUESTS: Record<
  string,
  (options: { key?: string; headers?: Record<string, string> }) => ReturnType<typeof client.raw>
> = {
  "JSON-RPC 1.0": (options) => client.rpc("SendMessage", { message: message() }, options),
  "JSON-RPC 0.3": (options) => client.legacy("message/send", { message: legacyMessage() }, options),
  "HTTP+JSON": (options) => client.rest("POST", "/message:send", { message: message() }, options),
  "HTTP+JSON, GET": (options) => client.rest("GET", "/tasks", undefined, options),
};
const bindings = Object.keys(REQUESTS);
const isRest = (binding: string) => binding.startsWith("HTTP");

function codeOf(binding: string, json: { error: { code: number; status?: string } }): unknown {
  return isRest(binding) ? json.error.status : json.error.code;
}

test.each(bindings)("400 over %s: two credentials", async (binding) => {
  const { status, json } = await REQUESTS[binding]!({ headers: { "X-API-Key": await at.key() } });
  expect(status).toBe(400);
  expect(codeOf(binding, json)).toBe(isRest(binding) ? "INVALID_ARGUMENT" : -32600);
});

test.each(bindings)("401, 403 over %s: a refusal of the agent keeps its status and headers", async (binding) => {
  for (const [code, expected] of [
    ["unauthorized", 401],
    ["insufficient_scope", 403],
  ] as const) {
    at.agent.failNext = new Refusal(
      code,
      "No.",
      { required_scope: "index" },
      { "WWW-Authenticate": `Bearer x="${code}"` },
    );
    const { status, headers, json } = await REQUESTS[binding]!({});
    expect([status, headers.get("www-authenticate")]).toEqual([expected, `Bearer x="${code}"`]);
    if (isRest(binding))
      expect(json.error.details[0]).toMatchObject({ reason: code.toUpperCase(), domain: "beckon.test" });
    else expect(json.error.message).toBe("No.");
  }
});

test.each(bindings)("200 over %s: the key in either header; the answer has the rate headers", async (binding) => {
  const headers = { "X-API-Key": key };
  const { status, headers: answered } = await REQUESTS[binding]!({ key: undefined as never, headers });
  expect(status).toBe(200);
  expect([answered.get("ratelimit-limit"), answered.get("ratelimit-remaining")]).toEqual(["120", "119"]);
  expect((await REQUESTS[binding]!({})).headers.get("ratelimit-remaining")).toBe("118");
});

test("429: every request counts, whatever its outcome, over both bindings", async () => {
  const statuses = new Set<number>();
  for (let sent = 0; sent < 120; sent += 3) {
    statuses.add((await client.raw("GET", "/nothing")).status);
    statuses.add((await client.post("not JSON")).status);
    statuses.add((await client.rest("GET", "/tasks")).status);
  }
  expect([...statuses]).toEqual([404, 200]);
  for (const binding of bindings) {
    const { status, headers, json } = await REQUESTS[binding]!({});
    expect(status).toBe(429);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(headers.get("ratelimit-remaining")).toBe("0");
    expect(codeOf(binding, json)).toBe(isRest(binding) ? "RESOURCE_EXHAUSTED" : -32000);
  }
});

test("the agent gets the caller, or none if there is no credential", async () => {
  await client.rpc("ListTasks");
  expect(at.agent.calls.at(-1)!.admission.principal).not.toBeNull();
  await client.rpc("ListTasks", {}, { key: undefined });
  expect(at.agent.calls.at(-1)).toMatchObject({ admission: { principal: null }, caller: { resource: "/a2a" } });
});

test.each([
  ["-32600 over JSON-RPC", "", (json: { error: { code: number } }) => json.error.code === -32600],
  [
    "OUT_OF_RANGE over HTTP+JSON",
    "/message:send",
    (json: { error: { status: string } }) => json.error.status === "OUT_OF_RANGE",
  ],
])("413 %s: over 4 MB without a credential, before the body is sent", async (_, path, fits) => {
  const head = ["POST", "content-type: application/json", "content-length: 4194305"];
  const raw = await rawClient(at.url, [
    `POST /a2a${path} HTTP/1.1`,
    "host: x",
    "a2a-version: 1.0",
    ...head.slice(1),
    "expect: 100-continue",
  ]);
  const { status, json } = parsed(await raw.untilClosed());
  expect(status).toBe(413);
  expect(fits(json)).toBe(true);
});

test("401: the caller is identified before the body is read", async () => {
  const head = [
    "POST /a2a HTTP/1.1",
    "host: x",
    "content-type: application/json",
    "content-length: 9",
    "expect: 100-continue",
  ];
  const raw = await rawClient(at.url, [...head, "authorization: Bearer bk_test_nobody"]);
  expect(parsed(await raw.untilClosed()).status).toBe(401);
});

/** A message with a list of URLs of so many bytes. */
const listOf = (bytes: number) => ({ parts: [{ data: { urls: Array(bytes / 50_000).fill("x".repeat(50_000)) } }] });

test.each([
  ["413: 256 KB without its list", { text: "x".repeat(300_000) }, 413],
  ["400: 65 levels", { data: JSON.parse(`${"[".repeat(62)}${"]".repeat(62)}`) }, 400],
  ["400: too many values", { data: Array(50_000).fill(0) }, 400],
  ["400: too many fields", { data: Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [n, n])) }, 400],
])("%s", async (_, part, status) => {
  const sent = { message: message("tck-message-response", { parts: [part] }) };
  for (const answer of [await client.rpc("SendMessage", sent), await client.rest("POST", "/message:send", sent)])
    expect([answer.status, answer.json.error !== undefined]).toEqual([status, true]);
});

test("200: a list of 5 MB with a credential", async () => {
  const { status, json } = await client.rpc("SendMessage", {
    message: message("tck-message-response", listOf(5_000_000)),
  });
  expect([status, json.result.message.role]).toEqual([200, "ROLE_AGENT"]);
});

/** A request whose body the server reads: it is asked to, as soon as the body before it has left its place. */
function beingRead(head: readonly string[]) {
  return eventually(async () => {
    const opened = await rawClient(at.url, head);
    const [answer] = await once(opened.socket, "data");
    expect(answer).toMatch(/^HTTP\/1.1 100 /);
    return opened;
  });
}

test("503: a third body over 1 MB is refused while two are being read", async () => {
  const head = ["POST /a2a HTTP/1.1", "host: x", "content-type: application/json", "content-length: 2000000"];
  // The server answers 100 when it begins to read.
  const asked = [...head, "expect: 100-continue", `authorization: Bearer ${key}`];
  const slow = [await beingRead(asked), await beingRead(asked)];
  const third = { message: message("tck-message-response", listOf(1_500_000)) };
  const refused = await client.rpc("SendMessage", third);
  expect([refused.status, refused.json.error.code, refused.headers.get("retry-after")]).toEqual([503, -32603, "2"]);
  for (const { socket } of slow) socket.destroy();
  await eventually(async () => expect((await client.rpc("SendMessage", third)).status).toBe(200));
});

test("200: a stream keeps no slot for large bodies: two streams that began with 2 MB leave room for a third large body", async () => {
  const list = listOf(2_000_000);
  const abort = new AbortController();
  const options = { signal: abort.signal };
  for (let opened = 0; opened < 2; opened++) {
    const response = await client.openRpc("SendStreamingMessage", { message: message("tck-working", list) }, options);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
  }
  expect((await client.rpc("SendMessage", { message: message("tck-message-response", list) })).status).toBe(200);
  abort.abort();
});

test("400: a body that does not come in time", async () => {
  const impatient = await testA2a({ bodyTimeMs: 300 });
  onTestFinished(() => impatient.close());
  const head = ["POST /a2a HTTP/1.1", "host: x", "content-type: application/json", "transfer-encoding: chunked"];
  const raw = await rawClient(impatient.url, [...head, `authorization: Bearer ${await impatient.key()}`]);
  await writeChunks(raw.socket, 10);
  const { status, json } = parsed(await raw.untilClosed());
  expect([status, json.error.code]).toEqual([400, -32600]);
});

test("415: a compressed body", async () => {
  const headers = { "Content-Encoding": "gzip" };
  expect((await client.post(rpc("ListTasks"), { headers })).status).toBe(415);
});

test("200: a key in a cookie or in the query is ignored", async () => {
  const { status } = await client.rest("GET", `/tasks?api_key=${key}&access_token=${key}`, undefined, {
    key: undefined,
    headers: { Cookie: `key=${key}` },
  });
  expect(status).toBe(200);
  expect(at.agent.calls.at(-1)!.admission.principal).toBeNull();
});
