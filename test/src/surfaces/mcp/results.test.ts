import { afterAll, expect, test } from "vitest";
import type { Executor } from "../../../../src/contract/executor.ts";
import { answerOf, errorOf } from "../../../support/mcp/call-every-tool.ts";
import { message, poster, toolCall } from "../../../support/mcp/post.ts";
import { testService } from "../../../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());
const post = poster(service.url);
const { key } = await service.account({ credits: 1_000 });
const call = async (name: string, args: object = {}) => (await post(toolCall(name, args), { key })).json.result;

test("an answer over MCP is the answer of the REST API", async () => {
  const { project } = answerOf(await call("submit_urls", { urls: ["https://example.com/"] })) as {
    project: { id: string };
  };
  const rest = await service.request("GET", `/projects/${project.id}`, { key });
  expect((await call("get_project", { project_id: project.id })).content[0].text).toBe(rest.text);
});

test("the lists are shorter for agents: 20 links", async () => {
  const urls = Array.from({ length: 30 }, (_, i) => `https://example.com/${i}`);
  const { project } = answerOf(await call("submit_urls", { urls })) as { project: { id: string } };
  const page = answerOf(await call("list_links", { project_id: project.id })) as { links: object[]; has_more: boolean };
  expect([page.links.length, page.has_more]).toEqual([20, true]);
  const all = answerOf(await call("list_links", { project_id: project.id, limit: 500 })) as { links: object[] };
  expect(all.links.length).toBe(30);
});

test("an idempotency key sent over MCP is the same key over REST", async () => {
  const input = { urls: ["https://example.com/both"] };
  const first = await call("submit_urls", { ...input, idempotency_key: "two surfaces" });
  const again = await service.request("POST", "/projects", {
    key,
    body: input,
    headers: { "Idempotency-Key": "two surfaces" },
  });
  expect([again.headers.get("idempotent-replayed"), again.text]).toEqual(["true", first.content[0].text]);
});

test.each([3, "", "x".repeat(256), "a\nb"])("an idempotency_key of %j is refused", async (idempotency_key) => {
  const error = errorOf(await call("submit_urls", { urls: ["https://example.com/"], idempotency_key }));
  expect(error).toMatchObject({ code: "invalid_request", issues: [{ path: "idempotency_key" }] });
});

test("arguments may be omitted, and must be an object otherwise", async () => {
  expect((await post(message("tools/call", { name: "get_account" }), { key })).json.result.isError).toBeUndefined();
  expect((await post(message("tools/call", { name: "get_account", arguments: [] }), { key })).json.error.code).toBe(
    -32602,
  );
});

test("internal: is logged, and reveals no details", async () => {
  const executor: Executor = { run: () => Promise.reject(new Error("secret /etc/passwd")) };
  const broken = await testService({ executor });
  try {
    const { key } = await broken.account();
    const { status, text, json } = await poster(broken.url)(toolCall("get_account"), { key });
    expect(status).toBe(200);
    expect(errorOf(json.result).code).toBe("internal");
    expect(text).not.toContain("passwd");
    expect(broken.errors).toMatchObject([{ err: { message: "secret /etc/passwd" }, tool: "get_account" }]);
  } finally {
    await broken.close();
  }
});
