import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { type Admission, RequestGuard } from "../../src/contract/authenticate.ts";
import type { Executor } from "../../src/contract/executor.ts";
import { OpenStreams } from "../../src/contract/open-streams.ts";
import { readConfig } from "../../src/platform/config/config.ts";
import { Refusal } from "../../src/platform/errors/errors.ts";
import { mcpHandler } from "../../src/surfaces/mcp/http.ts";
import { createMcpServer } from "../../src/surfaces/mcp/server.ts";
import { fuzzRuns } from "../support/checks/fuzz-runs.ts";
import { message, modern, toolCall } from "../support/mcp/post.ts";

/**
 * src/surfaces/mcp/fast-path.ts stands in for the server of @modelcontextprotocol/server on plain tool calls: here one
 * handler is as it is served, and one leaves every message to the SDK, over the same services. Status, headers and body
 * have to be equal. The fast path can go when a call through the SDK's server costs no more than the call itself.
 */
const config = readConfig({ SITE_URL: "http://beckon.test" });
const logged: object[] = [];
const log = { error: (fields: object) => void logged.push(fields) };

class OpenGuard extends RequestGuard {
  override async admit(): Promise<Admission> {
    const scopes = ["read", "index", "purchase"] as const;
    const credential = { id: "key_1", type: "api_key", name: "test", scopes, holder: "key_1" } as const;
    return {
      principal: { accountId: "acc_1", personId: "per_1", role: "owner", credential },
      headers: { "RateLimit-Limit": "120" },
      requestsToday: 1,
    };
  }
}
// None of them is used: the guard admits everybody, and the executor answers by itself.
const nothing = undefined as never;
const services = { db: {} as never, clock: nothing, http: nothing, payments: nothing, config };
const parts = { services, guard: new OpenGuard(nothing, nothing, config), log };

/** Answers what it was asked, or refuses as `urls` says. */
const executor: Executor = {
  async run({ operation, idempotencyKey, ...work }) {
    const input = work.input as Record<string, unknown>;
    if (input.urls === "rate_limited") throw new Refusal("rate_limited", "Too many.", {}, { "Retry-After": "7" });
    if (input.urls === "not_found") throw new Refusal("not_found", "There is no such thing.");
    if (input.urls === "fault") throw new Error("a secret");
    const text = JSON.stringify({ tool: operation.name, input, key: idempotencyKey ?? null, "2": "ü\u2028", "1": [] });
    return { text, replayed: idempotencyKey === "again" };
  },
};

async function listen(serving?: { serverFor: typeof createMcpServer }) {
  const streams = new OpenStreams({ ...parts.services, log: parts.log });
  const whole = { ...parts, streams, executor };
  const handle = mcpHandler(
    serving ? { ...whole, serving: { serverFor: (caller) => serving.serverFor(caller, log) } } : whole,
  );
  const server = createServer((req, res) => void handle(req, res)).listen(0, "127.0.0.1");
  await once(server, "listening");
  afterAll(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}
const [quick, sdk] = [await listen(), await listen({ serverFor: createMcpServer })];

interface Sent {
  readonly body: unknown;
  readonly headers: Record<string, string>;
}

/** What of an answer has to be the same; how it is cut into pieces is not of it. */
async function answerOf(url: string, { body, headers }: Sent) {
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const framing = /^(date|connection|keep-alive|content-length|transfer-encoding|x-content-type-options)$/;
  const said = [...response.headers].filter(([name]) => !framing.test(name));
  const isQuick = response.headers.has("x-content-type-options") && response.status === 200;
  return { isQuick, answer: { status: response.status, said, text: await response.text() } };
}

/** @returns whether it was answered without the SDK */
async function isSame(sent: Sent): Promise<boolean> {
  const [ours, theirs] = [await answerOf(quick, sent), await answerOf(sdk, sent)];
  expect(ours.answer).toEqual(theirs.answer);
  expect(theirs.isQuick).toBe(false);
  return ours.isQuick;
}

const PLAIN = { "content-type": "application/json", accept: "application/json, text/event-stream" };
type Message = ReturnType<typeof message>;
const ERAS: Record<string, (message: Message) => Sent> = {
  "initialize era": (body) => ({ body, headers: { ...PLAIN, "mcp-protocol-version": "2025-11-25" } }),
  "2026-07-28": (message) => {
    const { body, headers } = modern(message);
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    return { body, headers: { ...PLAIN, ...lower } };
  },
};

const CALLS: Record<string, Message> = {
  "a call": toolCall("get_account"),
  "with arguments": toolCall("get_project", { project_id: "prj_1", more: { deep: [null, 1.5] } }, "an id"),
  "without arguments": message("tools/call", { name: "get_pricing" }),
  "with a key": toolCall("submit_urls", { urls: ["https://example.com/"], idempotency_key: "one" }),
  "a replay": toolCall("submit_urls", { urls: [], idempotency_key: "again" }),
  "a key that is no text": toolCall("submit_urls", { idempotency_key: 3 }),
  not_found: toolCall("submit_urls", { urls: "not_found" }),
  "a fault": toolCall("submit_urls", { urls: "fault" }),
  "what a client adds for itself": message("tools/call", { name: "get_account", _meta: { "example.com/trace": 1 } }),
};

for (const [era, send] of Object.entries(ERAS)) {
  test.each(Object.entries(CALLS))(`${era}: %s is answered without the SDK, with the SDK's answer`, async (_, call) => {
    expect(await isSame(send(call))).toBe(true);
  });

  test(`${era}: 429 of the call itself is an HTTP status`, async () => {
    const sent = send(toolCall("submit_urls", { urls: "rate_limited" }, 9));
    await isSame(sent);
    expect((await answerOf(quick, sent)).answer).toMatchObject({ status: 429 });
  });

  test.each([
    ["progress is asked for", message("tools/call", { name: "get_account", _meta: { progressToken: 1 } })],
    ["a user may be asked", toolCall("buy_credits", { pack: "basic" })],
    ["a payment may come with it", toolCall("pay_direct", { pack: "basic" })],
    ["there is no such tool", toolCall("make_coffee")],
    ["it is another method", message("prompts/list")],
    ["it is for the list of tools", message("tools/list")],
    ["a task is asked for", message("tools/call", { name: "get_account", task: { ttl: 1 } })],
    ["arguments are none", message("tools/call", { name: "get_account", arguments: [] })],
    ["it has no id", { ...toolCall("get_account"), id: null as never }],
  ])(`${era}: the SDK answers if %s`, async (_, call) => {
    expect(await isSame(send(call))).toBe(false);
  });
}

const PLAIN_TOOLS = ["get_account", "get_pricing", "estimate_cost", "submit_urls", "list_projects", "get_project"];
const anyArguments = fc.dictionary(
  fc.string({ maxLength: 12 }).filter((name) => name !== "__proto__" && name !== "urls"),
  fc.jsonValue({ maxDepth: 2 }),
  { maxKeys: 4 },
);
const anyId = fc.oneof(fc.maxSafeInteger(), fc.string({ minLength: 1, maxLength: 20 }));

test.each(Object.entries(ERAS))("law: %s: any valid tools/call has the answer of the SDK", async (_, send) => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...PLAIN_TOOLS), anyArguments, anyId, async (name, input, id) => {
      expect(await isSame(send(toolCall(name, input, id)))).toBe(true);
    }),
    { numRuns: fuzzRuns(30), seed: 1 },
  );
});

test("the SDK answers a batch", async () => {
  expect(await isSame({ body: [toolCall("get_account")], headers: PLAIN })).toBe(false);
});

const ODDITIES: readonly unknown[] = [
  ...[undefined, null, true, 0, -1, 1.5, 2 ** 53, "", "2.0", "2026-07-28", "2025-11-25", "2030-01-01", "tools/call"],
  ...["get_account", "coffee", [], {}, [1], JSON.parse('{"__proto__":1}'), { deep: {} }, { progressToken: "p" }],
  ...[{ elicitation: { url: {} } }, { roots: 1 }, { name: "x" }, { name: "x", version: "1" }],
];

const PLACES: readonly string[][] = [
  ...["jsonrpc", "id", "method", "params", "extra"].map((name) => [name]),
  ...["name", "arguments", "_meta", "task", "inputResponses", "requestState"].map((name) => ["params", name]),
  ...["idempotency_key", "urls"].map((name) => ["params", "arguments", name]),
  ...["progressToken", "traceparent", "other"].map((name) => ["params", "_meta", name]),
  ...["protocolVersion", "clientCapabilities", "clientInfo", "logLevel", "related-task", "unknown"].map((name) => [
    "params",
    "_meta",
    `io.modelcontextprotocol/${name}`,
  ]),
];

const HEADERS = [
  ...["mcp-protocol-version", "mcp-method", "mcp-name", "mcp-session-id", "accept", "content-type", "mcp-param-x"],
];
const VALUES: readonly (string | undefined)[] = [
  ...[undefined, "", "2026-07-28", "2025-11-25", "2025-03-26", "2030-01-01", "tools/call", "tools/list", "get_account"],
  ...["=?base64?Z2V0X2FjY291bnQ=?=", "=?base64?!?=", "*/*", "application/json", "text/event-stream"],
  ...[
    "text/event-stream, application/json;q=0.1",
    "application/json; charset=utf-8",
    "application/json;charset=latin1",
  ],
];

type Change = (sent: { body: Record<string, unknown>; headers: Record<string, string> }) => void;
const CHANGES: readonly Change[] = [
  ...PLACES.flatMap((place) =>
    ODDITIES.map(
      (value): Change =>
        ({ body }) =>
          put(body, place, value),
    ),
  ),
  ...HEADERS.flatMap((name) =>
    VALUES.map(
      (value): Change =>
        ({ headers }) => {
          if (value === undefined) delete headers[name];
          else headers[name] = value;
        },
    ),
  ),
];

/** @returns whether it was answered without the SDK */
function isSameAfter(send: (message: Message) => Sent, call: Message, changes: readonly Change[]): Promise<boolean> {
  const sent = structuredClone(send(call)) as Parameters<Change>[0];
  for (const change of changes) change(sent);
  return isSame(sent);
}

test.each(Object.entries(ERAS))(
  "%s: with any one irregularity the answer is that of the SDK",
  async (_, send) => {
    const quickly = await Promise.all(CHANGES.map((change) => isSameAfter(send, CALLS["a call"]!, [change])));
    expect(quickly.filter(Boolean).length).toBeGreaterThan(20);
    expect(quickly.filter((isQuick) => !isQuick).length).toBeGreaterThan(200);
  },
  60_000,
);

test("fuzz: with any irregularity in the message and its headers the answer is the SDK's", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.values(ERAS)),
      fc.constantFrom(...Object.values(CALLS)),
      fc.array(fc.constantFrom(...CHANGES), { minLength: 2, maxLength: 4 }),
      async (send, call, changes) => void (await isSameAfter(send, call, changes)),
    ),
    { numRuns: fuzzRuns(60), seed: 1 },
  );
}, 900_000);

/** Sets the value, or takes it away where it is undefined. A copy: changes go on inside of what was set before. */
function put(message: Record<string, unknown>, [name, ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0 && value === undefined) delete message[name!];
  else if (rest.length === 0) message[name!] = structuredClone(value);
  else {
    const inner = message[name!];
    if (typeof inner === "object" && inner !== null) put(inner as Record<string, unknown>, rest, value);
  }
}
