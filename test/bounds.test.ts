import { request as send } from "node:http";
import fc from "fast-check";
import { afterAll, expect, test, vi } from "vitest";
import { HOUR } from "../src/platform/clock.ts";
import { fuzzRuns } from "./support/checks/fuzz-runs.ts";
import { SHAPES, type Shape } from "./support/json/shapes.ts";
import { testService } from "./support/service/service.ts";

/**
 * Hostile documents of every shape, through every door, of any size up to more than the door takes, whole or cut off: each is answered
 * as specified, and what it costs has a bound. `npm run bench -- stalls` measures the time.
 */
const service = await testService();
afterAll(() => service.close());
const { key } = await service.account({ credits: 1_000_000 });
const RUNS = fuzzRuns(120);

interface Sent {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Door {
  /** @param text a JSON document */
  sent(text: string): Sent;
  /** The most characters that fit: of a head, or of what is worth sending. */
  readonly most?: number;
  /** Whether the answer is a page, which shows what was sent. */
  readonly isPage?: boolean;
}

const JSON_TYPE = { "content-type": "application/json" };
const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" };
const KEY = { authorization: `Bearer ${key}` };
const A2A = { ...JSON_TYPE, ...KEY, "a2a-version": "1.0" };
/** Characters of a document in the head of a request, which may have 16 KB. */
const HEAD = 4_000;

let messages = 0;
const part = (text: string) => `{"data":{"skill":"estimate_cost","input":${text}}}`;
const message = (text: string) => `{"messageId":"m${messages++}","role":"ROLE_USER","parts":[${part(text)}]}`;
const rpc = (method: string, params: string) => `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`;
const call = (text: string) => rpc("tools/call", `{"name":"estimate_cost","arguments":${text}}`);
const json = (path: string, body: string, headers: Sent["headers"] = {}): Sent => ({
  path,
  headers: { ...JSON_TYPE, ...headers },
  body,
});

const DOORS: Readonly<Record<string, Door>> = {
  "REST, a read": { sent: (text) => json("/api/v1/estimate", text, KEY) },
  "REST, a read by nobody": { sent: (text) => json("/api/v1/estimate", text) },
  "REST, a change": { sent: (text) => json("/api/v1/projects", text, KEY) },
  "REST, a change with an idempotency key": {
    sent: (text) => json("/api/v1/projects", text, { ...KEY, "idempotency-key": `k${messages++}` }),
  },
  "REST, a list that is read as JSON": { sent: (text) => json("/api/v1/notifications", text, KEY) },
  "REST, a query": {
    sent: (text) => ({ path: `/api/v1/projects?status=${encodeURIComponent(text)}`, method: "GET", headers: KEY }),
    most: HEAD,
  },
  "REST, a path": {
    sent: (text) => ({ path: `/api/v1/projects/${encodeURIComponent(text)}`, method: "GET", headers: KEY }),
    most: HEAD,
  },
  MCP: { sent: (text) => json("/mcp", call(text), { ...KEY, accept: "application/json, text/event-stream" }) },
  "MCP, a batch": {
    sent: (text) => json("/mcp", `[${Array(3).fill(call(text)).join(",")}]`, { ...KEY, accept: "application/json" }),
  },
  "A2A by JSON-RPC": { sent: (text) => json("/a2a", rpc("SendMessage", `{"message":${message(text)}}`), A2A) },
  "A2A by HTTP+JSON": { sent: (text) => json("/a2a/message:send", `{"message":${message(text)}}`, A2A) },
  "A2A 0.3": {
    sent: (text) => {
      const parts = part(text).replace("{", '{"kind":"data",');
      const sent = `{"kind":"message","messageId":"m${messages++}","role":"user","parts":[${parts}]}`;
      return json("/a2a", rpc("message/send", `{"message":${sent}}`), KEY);
    },
  },
  "OAuth, a registration": { sent: (text) => json("/oauth/register", text) },
  "OAuth, a form": {
    sent: (text) => ({
      path: "/oauth/token",
      headers: FORM_TYPE,
      body: `grant_type=authorization_code&code=${encodeURIComponent(text)}`,
    }),
  },
  "an event of the card processor": {
    sent: (text) => json("/webhooks/stripe", text, { "stripe-signature": "t=1,v1=0" }),
  },
  "a form of the website": {
    sent: (text) => ({ path: "/sign-in", headers: FORM_TYPE, body: `email=${encodeURIComponent(text)}` }),
    isPage: true,
  },
  "a list on the website": {
    sent: (text) => ({
      path: "/dashboard/projects/new",
      headers: FORM_TYPE,
      body: `urls=${encodeURIComponent(text)}`,
    }),
    isPage: true,
  },
  "a search of the documents": {
    sent: (text) => ({ path: `/docs/search?q=${encodeURIComponent(text)}`, method: "GET" }),
    most: HEAD,
    isPage: true,
  },
  "a path of the documents": {
    sent: (text) => ({ path: `/docs/${encodeURIComponent(text)}`, method: "GET" }),
    most: HEAD,
    isPage: true,
  },
};

/** What an answer has at most, in characters: a refusal names a few problems, whatever was wrong. */
const MOST_ANSWER = 16 * 1024;
/** What `JSON.parse` reads at most of what is no list of URLs, in characters: what a body may have, and what the program reads besides. */
const MOST_PARSED = 320 * 1024;

interface Received {
  /** 0: the connection was closed while the body was still being sent, as it may be. */
  readonly status: number;
  readonly text: string;
}

function receive({ path, method = "POST", headers = {}, body = "" }: Sent): Promise<Received> {
  return new Promise((resolve) => {
    const bytes = Buffer.from(body);
    const length = method === "GET" ? {} : { "content-length": bytes.length };
    const sent = send(`${service.url}${path}`, { method, headers: { ...headers, ...length }, agent: false });
    sent.on("error", () => resolve({ status: 0, text: "" }));
    sent.on("response", async (response) => {
      let text = "";
      for await (const piece of response.setEncoding("utf8")) text += piece;
      resolve({ status: response.statusCode!, text });
    });
    sent.end(bytes);
  });
}

/** Characters that `JSON.parse` gets while `work` runs. */
async function parsedBy(work: () => Promise<void>): Promise<number> {
  let characters = 0;
  const parse = JSON.parse;
  const spy = vi.spyOn(JSON, "parse").mockImplementation((text, reviver) => {
    characters += String(text).length;
    return parse(text, reviver);
  });
  await work().finally(() => spy.mockRestore());
  return characters;
}

const cases = fc.record({
  door: fc.constantFrom(...Object.keys(DOORS)),
  shape: fc.constantFrom(...SHAPES),
  bytes: fc.oneof(
    fc.integer({ min: 2, max: 2_000 }),
    fc.integer({ min: 60_000, max: 70_000 }),
    fc.integer({ min: 200_000, max: 300_000 }),
    fc.integer({ min: 900_000, max: 2_500_000 }),
  ),
  whole: fc.oneof(
    { weight: 4, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
  ),
});

async function check(name: string, shape: Shape, bytes: number, whole: number): Promise<void> {
  const door = DOORS[name]!;
  const text = shape.text(Math.min(bytes, door.most ?? bytes));
  const sent = door.sent(text.slice(0, Math.ceil(text.length * whole)));
  const size = sent.body?.length ?? 0;
  // Every limit counts within an hour.
  service.clock.pass(HOUR);
  let received: Received = { status: 0, text: "" };
  const parsed = await parsedBy(async () => {
    received = await receive(sent);
  });
  const { status, text: answer } = received;
  if (size < 64 * 1024) expect(status).toBeGreaterThanOrEqual(200);
  expect(status).toBeLessThan(500);
  if (!door.isPage) {
    expect(answer.length).toBeLessThan(MOST_ANSWER);
    if (answer !== "" && sent.method !== "GET") expect(() => JSON.parse(answer)).not.toThrow();
  }
  // A list is parsed an entry at a time, once to be read and once to be known again.
  expect(parsed).toBeLessThan(MOST_PARSED + (shape.refusal === null ? 2 * size : 0));
  expect(service.errors).toEqual([]);
}

test("law: every door answers a hostile document as specified, at a bounded cost", {
  timeout: 60_000 + RUNS * 1_000,
}, async () => {
  const property = fc.asyncProperty(cases, ({ door, shape, bytes, whole }) => check(door, shape, bytes, whole));
  await fc.assert(property, { numRuns: RUNS, seed: 44 });
});

const WORDS = {
  depth: "is nested deeper than 64 levels",
  values: "has more than 40,000 values",
  members: "has more than 4,000 fields",
  nameBytes: "has a field whose name is longer than 1,024 bytes",
  bytes: "is over 262,144 bytes",
  elementBytes: "has a URL that is longer than 65,536 bytes",
};

test.each(SHAPES.flatMap(({ name, refusal, text }) => (refusal ? [[name, refusal, text] as const] : [])))(
  "law: %s is refused while it is read (%s), at every door with JSON",
  { timeout: 60_000 },
  async (_, refusal, text) => {
    for (const [name, { sent }] of Object.entries(DOORS)) {
      const request = sent(text(1_000_000));
      if (request.headers?.["content-type"] !== JSON_TYPE["content-type"] || name === "an event of the card processor")
        continue;
      service.clock.pass(HOUR);
      const { status, text: answer } = await receive(request);
      // Whoever is still sending may find the connection closed.
      if (status === 0) continue;
      expect(status, name).toBe(name === "OAuth, a registration" || refusal === "bytes" ? 413 : 400);
      if (status === 400) expect(answer, name).toContain(WORDS[refusal]);
    }
  },
);
