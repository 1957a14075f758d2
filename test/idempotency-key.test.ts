import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { MINUTE } from "../src/platform/clock.ts";
import { modern, poster, toolCall } from "./support/mcp/post.ts";
import { testService } from "./support/service/service.ts";
import { stateOf } from "./support/website/account-state.ts";

const urls = ["https://example.com/1", "https://example.com/2"];
const service = await testService();
afterAll(() => service.close());
beforeEach(() => service.clock.pass(MINUTE));

interface Sent {
  readonly header?: string;
  readonly field?: unknown;
}
interface Outcome {
  readonly code: string | null;
  readonly replayed: boolean;
  readonly projectId: string | undefined;
}

type Send = (key: string, sent: Sent) => Promise<Outcome>;

function headersOf({ header }: Sent): Record<string, string> {
  return header === undefined ? {} : { "Idempotency-Key": header };
}

function inputOf({ field }: Sent) {
  return { urls, ...(field === undefined ? {} : { idempotency_key: field }) };
}

const rest: Send = async (key, sent) => {
  const { json, headers } = await service.request("POST", "/projects", {
    ...{ key, body: inputOf(sent), headers: headersOf(sent) },
  });
  const replayed = headers.get("idempotent-replayed") === "true";
  return { code: json.error?.code ?? null, replayed, projectId: json.project?.id };
};

const post = poster(service.url);
function mcp(isModern: boolean): Send {
  return async (key, sent) => {
    const plain = toolCall("submit_urls", inputOf(sent));
    const { body, headers } = isModern ? modern(plain) : { body: plain, headers: {} };
    const { json } = await post(body, { key, headers: { ...headers, ...headersOf(sent) } });
    const { isError, content, structuredContent: answer, _meta: meta } = json.result;
    const replayed = meta?.["beckon/idempotent-replayed"] === true;
    return { code: isError ? JSON.parse(content[0].text).error.code : null, replayed, projectId: answer?.project.id };
  };
}

function messageParams(input: object) {
  const part = { data: { skill: "submit_urls", input } };
  return { message: { messageId: randomUUID(), role: "ROLE_USER", parts: [part] } };
}

const a2a: Send = async (key, sent) => {
  const response = await fetch(`${service.url}/a2a`, {
    method: "POST",
    headers: {
      ...{ "Content-Type": "application/json", "A2A-Version": "1.0", Authorization: `Bearer ${key}` },
      ...headersOf(sent),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params: messageParams(inputOf(sent)) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: whatever came is looked at
  const { task } = ((await response.json()) as any).result;
  const [artifact] = task.artifacts ?? [];
  return {
    code: task.status.message?.parts[0].data.error.code ?? null,
    replayed: artifact?.metadata?.["beckon/idempotent-replayed"] === true,
    projectId: artifact?.parts[0].data.project.id,
  };
};

describe.each([
  ["REST", rest],
  ["MCP 2025-11-25", mcp(false)],
  ["MCP 2026-07-28", mcp(true)],
  ["A2A", a2a],
] as const)("%s: the idempotency key as header and as field", (_at, send) => {
  test.each([
    ["field", { field: "k" }, { field: "k" }],
    ["header", { header: "k" }, { header: "k" }],
    ["field, then header", { field: "k" }, { header: "k" }],
    ["both, equal", { field: "k", header: "k" }, { field: "k" }],
  ])("%s: a retry is replayed and spends nothing", async (_name, first, second) => {
    const { key } = await service.account();
    const made = await send(key, first);
    const again = await send(key, second);
    expect([made.code, made.replayed, again]).toEqual([null, false, { ...made, replayed: true }]);
    expect((await service.request("GET", "/account", { key })).json.credits).toBe(148);
  });

  test.each([
    ["both, different", { field: "k", header: "other" }],
    ["a key that is no text", { field: 5 }],
    ["an empty key", { field: "" }],
  ])("400 invalid_request: %s", async (_name, sent) => {
    const { key } = await service.account();
    expect((await send(key, sent)).code).toBe("invalid_request");
    expect((await service.request("GET", "/account", { key })).json.credits).toBe(150);
  });
});

/** Posts with the header twice, which `fetch` would join. */
async function postWithKeys(path: string, body: object, keys: string[], headers: Record<string, string> = {}) {
  const all = { "Content-Type": "application/json", Accept: "application/json, text/event-stream", ...headers };
  const sent = request(`${service.url}${path}`, { method: "POST", headers: { ...all, "Idempotency-Key": keys } });
  sent.end(JSON.stringify(body));
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const json = JSON.parse((await response.setEncoding("utf8").toArray()).join(""));
  return { status: response.statusCode, json };
}

describe.each([
  ["REST", "/api/v1/projects", () => ({ urls }), {}],
  ["MCP", "/mcp", () => toolCall("submit_urls", { urls }), {}],
  [
    "A2A by JSON-RPC",
    "/a2a",
    () => ({ jsonrpc: "2.0", id: 1, method: "SendMessage", params: messageParams({ urls }) }),
    { "A2A-Version": "1.0" },
  ],
  ["A2A by HTTP+JSON", "/a2a/message:send", () => messageParams({ urls }), { "A2A-Version": "1.0" }],
] as const)("%s: the header Idempotency-Key twice", (_at, path, body, more) => {
  test("the same key is one", async () => {
    const { id, key } = await service.account();
    const headers = { Authorization: `Bearer ${key}`, ...more };
    await postWithKeys(path, body(), ["k", "k"], headers);
    await postWithKeys(path, body(), ["k"], headers);
    expect((await stateOf(service.db, id)).balance).toBe(148);
  });

  test("400 invalid_request: different keys, and nothing is spent", async () => {
    const { id, key } = await service.account();
    const { status, json } = await postWithKeys(path, body(), ["k", "other"], {
      Authorization: `Bearer ${key}`,
      ...more,
    });
    expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining("Two different idempotency keys")]);
    expect((await stateOf(service.db, id)).balance).toBe(150);
  });
});

test("400 invalid_request: a call that spends does not ignore a query", async () => {
  const { key } = await service.account();
  const known = await service.request("POST", "/projects?drip_days=7", { key, body: { urls } });
  const unknown = await service.request("POST", "/projects?drip=7", { key, body: { urls } });
  expect([known.json.error.issues, unknown.json.error.issues]).toEqual([
    [{ path: "drip_days", message: "is in the query; send it in the body" }],
    [{ path: "drip", message: "is not known; did you mean `drip_days`?" }],
  ]);
  expect((await service.request("GET", "/account", { key })).json.credits).toBe(150);
});
