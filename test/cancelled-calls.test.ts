import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import { text as textOf } from "node:stream/consumers";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { call } from "../src/contract/call.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { createAccount } from "../src/domain/accounts/accounts.ts";
import { MINUTE } from "../src/platform/clock.ts";
import { keyPrincipal } from "./support/database/key-principal.ts";
import { modern, toolCall } from "./support/mcp/post.ts";
import { beckonMcp } from "./support/mcp/stdio.ts";
import { urlset } from "./support/network/sitemap-server.ts";
import { eventuallyServed } from "./support/service/eventually.ts";
import { testService } from "./support/service/service.ts";

const service = await testService();
afterAll(() => service.close());
beforeEach(() => service.clock.pass(10 * MINUTE));

const PAGES = urlset(["https://example.com/1", "https://example.com/2"]);

type Request = (key: string, name: "read_sitemap" | "submit_sitemap", input: object) => [string, RequestInit];

function post(key: string, path: string, body: unknown, headers: Record<string, string> = {}): [string, RequestInit] {
  const common = {
    ...{ "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    Authorization: `Bearer ${key}`,
  };
  return [service.url + path, { method: "POST", headers: { ...common, ...headers }, body: JSON.stringify(body) }];
}

const PATHS = { read_sitemap: "/sitemaps/read", submit_sitemap: "/projects/from-sitemap" };
const rest: Request = (key, name, input) => post(key, `/api/v1${PATHS[name]}`, input);
const mcp: Request = (key, name, input) => {
  const { body, headers } = modern(toolCall(name, input));
  return post(key, "/mcp", body, headers);
};
/** A token for progress is not plain, so that the SDK answers. */
const mcpBySdk: Request = (key, name, input) => {
  const plain = toolCall(name, input);
  const { body, headers } = modern({ ...plain, params: { ...plain.params, _meta: { progressToken: 1 } } as never });
  return post(key, "/mcp", body, headers);
};
const olderMcp: Request = (key, name, input) => post(key, "/mcp", toolCall(name, input));
const a2a: Request = (key, name, input) => {
  const message = { messageId: randomUUID(), role: "ROLE_USER", parts: [{ data: { skill: name, input } }] };
  const body = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } };
  return post(key, "/a2a", body, { "A2A-Version": "1.0" });
};

/** A sitemap whose answer waits; `asked` is the waiting response. */
function slowSitemap() {
  const path = `/${randomUUID()}.xml`;
  let ask: (res: ServerResponse) => void = () => undefined;
  const asked = new Promise<ServerResponse>((resolve) => {
    ask = resolve;
  });
  return { path, sitemap_url: service.site.serve(path, (res) => ask(res)), asked };
}

/** Sends a call, and leaves while the service reads the sitemap. */
async function leaveEarly(request: Request, key: string, name: "read_sitemap" | "submit_sitemap", more: object = {}) {
  const { path, sitemap_url, asked } = slowSitemap();
  const client = new AbortController();
  const [url, init] = request(key, name, { sitemap_url, ...more });
  const answer = fetch(url, { ...init, signal: client.signal }).catch(() => "gone");
  const waiting = await asked;
  client.abort();
  expect(await answer).toBe("gone");
  return { path, sitemap_url, waiting };
}

const projectsOf = async (key: string) => (await service.request("GET", "/projects", { key })).json.projects;
const creditsOf = async (key: string) => (await service.request("GET", "/account", { key })).json.credits;

describe.each([
  ["REST", rest],
  ["MCP 2026-07-28", mcp],
  ["MCP 2026-07-28 by the SDK", mcpBySdk],
] as const)("%s: a client that goes away cancels what is not committed", (_at, request) => {
  test.each(["read_sitemap", "submit_sitemap"] as const)("%s stops reading, and nothing is spent", async (name) => {
    const { key } = await service.account();
    const { waiting } = await leaveEarly(request, key, name);
    // The service hangs up on the sitemap's server.
    if (!waiting.closed) await once(waiting, "close");
    expect([await projectsOf(key), await creditsOf(key), service.errors]).toEqual([[], 150, []]);
  });

  test("the same idempotency key works at once", async () => {
    const { key } = await service.account();
    const { path, sitemap_url, waiting } = await leaveEarly(request, key, "submit_sitemap", { idempotency_key: "k" });
    if (!waiting.closed) await once(waiting, "close");
    service.site.serve(path, PAGES);
    const body = { sitemap_url, idempotency_key: "k" };
    await eventuallyServed(async () => {
      const { status } = await service.request("POST", "/projects/from-sitemap", { key, body });
      expect(status).toBe(201);
    });
    expect(await creditsOf(key)).toBe(148);
  });
});

test.each([
  ["A2A", a2a],
  ["MCP 2025-11-25", olderMcp],
] as const)("%s: a call goes on without its client", async (_at, request) => {
  const { key } = await service.account();
  const { waiting } = await leaveEarly(request, key, "submit_sitemap");
  waiting.writeHead(200, { "Content-Type": "application/xml" }).end(PAGES);
  await eventuallyServed(async () => expect(await projectsOf(key)).toHaveLength(1));
  expect(await creditsOf(key)).toBe(148);
});

/** Starts `beckon mcp` for the service, calls submit_sitemap, and lets the client end while the sitemap is read. */
async function overStdio(key: string, end: (input: Writable) => void) {
  const { sitemap_url, asked } = slowSitemap();
  const { command, args, ...options } = beckonMcp(service.url, key);
  const child = spawn(command, args, { ...options, stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.write(`${JSON.stringify(modern(toolCall("submit_sitemap", { sitemap_url })).body)}\n`);
  const waiting = await asked;
  end(child.stdin);
  return { waiting, ended: textOf(child.stdout) };
}

describe("MCP over standard input", () => {
  test("notifications/cancelled ends the call", { timeout: 30_000 }, async () => {
    const { key } = await service.account();
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
    const line = `${JSON.stringify(cancel)}\n`;
    const { waiting, ended } = await overStdio(key, (input) => input.write(line, () => input.end()));
    if (!waiting.closed) await once(waiting, "close");
    expect([await ended, await projectsOf(key), await creditsOf(key)]).toEqual(["", [], 150]);
  });

  test("a client that closes its input still gets the answer", { timeout: 30_000 }, async () => {
    const { key } = await service.account();
    const { waiting, ended } = await overStdio(key, (input) => input.end());
    waiting.writeHead(200, { "Content-Type": "application/xml" }).end(PAGES);
    expect(JSON.parse(await ended)).toMatchObject({ id: 1, result: { structuredContent: { credits_spent: 2 } } });
    expect(await projectsOf(key)).toHaveLength(1);
  });
});

describe("the transaction of a call", () => {
  const principal = async () => {
    const { id: accountId } = await service.account();
    return keyPrincipal(service.db, accountId);
  };
  let accounts = 0;
  /** Creates an account in its transaction. @param at when its caller goes away */
  const leavingAt = (at: "before" | "inside" | "after", leave: () => void) =>
    defineOperation({
      ...{ name: "leave", title: "Leave", description: "Writes a row, while its caller goes away.", effect: "change" },
      ...{
        access: { kind: "scope", scope: "index" },
        skill: { tags: [] },
        toolset: "jobs",
        rest: { method: "POST", path: "/leave" },
      },
      ...{ input: z.object({}), output: z.object({ id: z.string() }), example: {} },
      async run(_input, ctx) {
        if (at === "before") leave();
        const answer = await ctx.commit(async (tx) => {
          const email = `left${++accounts}@example.com`;
          const { id } = await createAccount(tx, { email, now: ctx.clock.now() });
          if (at === "inside") leave();
          return { id };
        });
        if (at === "after") leave();
        return answer;
      },
    });

  test.each([
    ["before", false],
    ["inside", false],
    ["after", true],
  ] as const)("a caller that leaves %s it: committed %s", async (at, isCommitted) => {
    const { accounts } = service.db.t;
    const count = async () => (await service.db.q.select().from(accounts)).length;
    const asker = await principal();
    const before = await count();
    const client = new AbortController();
    const operation = leavingAt(at, () => client.abort());
    const services = { ...service, http: undefined as never };
    const common = { audience: "program", principal: asker, requestsToday: 1, signal: client.signal } as const;
    const done = call(services, { operation, input: {}, ...common });
    if (isCommitted) expect(JSON.parse((await done).text).id).toMatch(/^acc_/);
    else await expect(done).rejects.toMatchObject({ code: "unavailable" });
    expect(await count()).toBe(before + (isCommitted ? 1 : 0));
  });
});
