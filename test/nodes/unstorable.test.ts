import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { isOn } from "../../src/contract/operation.ts";
import { MINUTE } from "../../src/platform/clock.ts";
import { operations } from "../../tools/index.ts";
import { a2aClient, message } from "../support/a2a/test-bindings.ts";
import { poster, toolCall } from "../support/mcp/post.ts";
import { Agent } from "../support/oauth/agent.ts";
import { appOf } from "../support/oauth/app.ts";
import { testService } from "../support/service/service.ts";
import { signedIn } from "../support/website/user.ts";

/** Text that PostgreSQL refuses and SQLite takes: the answer is the same, and is no fault of ours. */
const service = await testService();
const { id: accountId, key } = await service.account();
const { url, request, errors } = service;
afterAll(() => service.close());
beforeEach(() => service.clock.pass(MINUTE));

const isWhole = (text: string) => !/\p{Surrogate}/u.test(text);

const BAD = [
  ["U+0000", "a\0b"],
  ["half a character", "a\ud800b"],
] as const;

/** Every field of text of every operation, and every list of texts but the list of URLs, of which bad ones are left out. */
const fields = operations.flatMap((operation) =>
  Object.entries(operation.input.shape as Record<string, unknown>).flatMap(([name]) => {
    const accepts = (value: unknown) => {
      try {
        return operation.input.safeParse({ ...operation.example, [name]: value }).success;
      } catch {
        // Has a refusal of its own for whatever is not in its list.
        return false;
      }
    };
    const id = "prj_0123456789abc";
    const texts = ["https://example.com/", "example.com", id].filter(accepts);
    if (texts.length > 0) return [{ operation, name, wrap: (text: string): unknown => text }];
    return name !== "urls" && accepts([id]) ? [{ operation, name, wrap: (text: string): unknown => [text] }] : [];
  }),
);

test("fields of each kind exist", () => {
  expect(fields.length).toBeGreaterThan(10);
});

describe.each(BAD)("%s", (_, text) => {
  test.each(fields.map((field) => [`${field.operation.name} ${field.name}`, field] as const))(
    "400 in %s, over REST and MCP",
    async (_name, { operation, name, wrap }) => {
      const input = { ...operation.example, [name]: wrap(text) } as Record<string, unknown>;
      if (isOn(operation, "mcp")) {
        const { json } = await poster(url)(toolCall(operation.name, input), { key });
        expect(JSON.parse(json.result.content[0].text).error.code).toBe("invalid_request");
      }
      if (!isWhole(text) && operation.rest.method === "GET") return;
      const used = new Set<string>();
      const path = operation.rest.path.replace(/\{(\w+)\}/g, (_whole, part: string) => {
        used.add(part);
        return isWhole(text) ? encodeURIComponent(String(input[part])) : "prj_0123456789abc";
      });
      const rest = Object.entries(input).filter(([part]) => !used.has(part));
      const query = new URLSearchParams(rest.map(([part, value]): [string, string] => [part, String(value)]));
      const isGet = operation.rest.method === "GET";
      const sent = isGet ? {} : { body: Object.fromEntries(rest) };
      const { status } = await request(operation.rest.method, isGet ? `${path}?${query}` : path, { key, ...sent });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(errors).toEqual([]);
    },
  );

  test("in URLs it is an invalid entry; in a stored example it is kept as it came", async () => {
    const body = { urls: ["https://example.com/", `https://example.com/${text}`] };
    const headers = { "Idempotency-Key": `with ${text.length}${isWhole(text)}` };
    const made = await request("POST", "/projects", { key, body, headers });
    expect(made.status).toBe(201);
    expect((await request("POST", "/projects", { key, body, headers })).text).toBe(made.text);
  });

  test("400 in an idempotency key", async () => {
    const args = { urls: ["https://example.com/"], idempotency_key: text };
    const { json } = await poster(url)(toolCall("submit_urls", args), { key });
    expect(JSON.parse(json.result.content[0].text).error.code).toBe("invalid_request");
  });

  test("in ids of A2A", async () => {
    const agent = a2aClient(`${url}/a2a`, key);
    const parts = [{ data: { skill: "get_account", input: {} } }];
    for (const more of [{ messageId: text }, { contextId: text }, { taskId: text }]) {
      const { json } = await agent.rpc("SendMessage", { message: { ...message("m", { parts }), ...more } });
      expect([more, json.error?.code]).toEqual([more, -32602]);
    }
    for (const method of ["GetTask", "CancelTask"]) {
      expect((await agent.rpc(method, { id: text })).json.error.code).toBe(-32602);
    }
    expect((await agent.rpc("ListTasks", { contextId: text })).json.error.code).toBe(-32602);
    expect((await agent.legacy("tasks/get", { id: text })).json.error).toBeDefined();
    expect(errors).toEqual([]);
  });

  test("at the authorization server", async () => {
    const app = appOf(service);
    const codes = [{ client_id: text }, { code: text }, { redirect_uri: text }, { code_verifier: text }].map(
      async (changes) => app.exchange(await app.code({ accountId }), changes),
    );
    for (const { status } of await Promise.all(codes)) expect(status).toBe(400);
    expect((await app.refresh(text)).status).toBe(400);
    expect((await app.revoke(text)).status).toBeLessThan(500);
    const agent = new Agent(service);
    expect((await agent.register(`${text}@example.com`)).status).toBe(400);
    // Names lose what is no text.
    expect((await agent.register("person@example.com", { agent_name: text })).status).toBe(200);
    const named = { client_name: text, redirect_uris: ["http://127.0.0.1/"] };
    expect((await agent.json("/oauth/register", named)).status).toBeLessThan(500);
    expect((await agent.reissue(text)).status).toBe(400);
    expect(errors).toEqual([]);
  });
});

test("in addresses and forms of pages", async () => {
  const { user } = await signedIn(service);
  for (const path of [
    "/dashboard/projects/%00",
    "/dashboard/orders/%00",
    "/dashboard/keys/%00",
    "/dashboard/apps/%00",
    "/checkout/sandbox/%00",
    "/sign-in?return_to=%00",
    "/confirm?link=%00",
    "/claim?attempt=%00",
    "/oauth/authorize?client_id=%00",
    "/docs/%00",
    "/api/v1/projects/%00",
  ]) {
    const { status } = await user.get(path);
    expect([path, status >= 300 && status < 500]).toEqual([path, true]);
  }
  const page = await user.get("/sign-out");
  expect(page.status).toBe(200);
  const sign = await user.post("/sign-in", [
    ["email", "a\0@example.com"],
    ["password", "x"],
  ]);
  expect([400, 403]).toContain(sign.status);
  expect(errors).toEqual([]);
});
