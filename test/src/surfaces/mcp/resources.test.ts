import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { MINUTE } from "../../../../src/platform/clock.ts";
import { message, modern, poster, toolCall } from "../../../support/mcp/post.ts";
import { testService } from "../../../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());
beforeEach(() => service.clock.pass(MINUTE));
const post = poster(service.url);
const METADATA = 'resource_metadata="http://beckon.test/.well-known/oauth-protected-resource/mcp"';

const PUBLIC = [
  "beckon://pricing",
  "ui://beckon/project.html",
  "ui://beckon/approval.html",
  "skill://beckon-indexing/SKILL.md",
];
const PRIVATE = ["beckon://account", "beckon://projects/prj_1", "beckon://projects/prj_1/links"];

type Message = ReturnType<typeof message>;
const ERAS = {
  "initialize era": (body: Message, key?: string) => post(body, { key }),
  "2026-07-28": (sent: Message, key?: string) => {
    const { body, headers } = modern(sent);
    const { uri } = sent.params as { uri?: string };
    return post(body, { key, headers: { ...headers, ...(uri ? { "Mcp-Name": uri } : {}) } });
  },
};

async function submit(key: string, url: string, name = "A project"): Promise<string> {
  const { json } = await post(toolCall("submit_urls", { urls: [url], name }), { key });
  return json.result.structuredContent.project.id;
}

const read = (uri: string) => message("resources/read", { uri });
const complete = (value: string, ref: object = { type: "ref/prompt", name: "project_report" }, name = "project_id") =>
  message("completion/complete", { ref, argument: { name, value } });

describe.each(Object.entries(ERAS))("%s", (_, send) => {
  test("lists public resources without a credential, and the account's newest projects with one", async () => {
    const { key } = await service.account();
    const urisOf = async (credential?: string) =>
      (await send(message("resources/list"), credential)).json.result.resources.map(({ uri }: { uri: string }) => uri);
    expect(await urisOf()).toEqual(PUBLIC);
    const first = await submit(key, "https://example.com/1");
    service.clock.pass(1_000);
    const second = await submit(key, "https://example.com/2");
    const own = [second, first].map((id) => `beckon://projects/${id}`);
    expect(await urisOf(key)).toEqual([...PUBLIC, "beckon://account", ...own]);
    expect(await urisOf((await service.account()).key)).toEqual([...PUBLIC, "beckon://account"]);
  });

  test("lists no projects to a credential that may not read them", async () => {
    const { key } = await service.account({ scopes: ["purchase"] });
    const { json } = await send(message("resources/list"), key);
    expect(json.result.resources.map(({ uri }: { uri: string }) => uri)).toEqual([...PUBLIC, "beckon://account"]);
  });

  test("reads what the tools answer", async () => {
    const { key } = await service.account();
    const id = await submit(key, "https://example.com/");
    for (const [uri, tool, args] of [
      ["beckon://pricing", "get_pricing", {}],
      [`beckon://projects/${id}`, "get_project", { project_id: id }],
      [`beckon://projects/${id}/links`, "list_links", { project_id: id }],
    ] as const) {
      const { text } = (await post(toolCall(tool, args), { key })).json.result.content[0];
      const { contents } = (await send(read(uri), key)).json.result;
      expect(contents).toEqual([{ uri, mimeType: "application/json", text }]);
    }
    const [account] = (await send(read("beckon://account"), key)).json.result.contents;
    expect(JSON.parse(account.text)).toMatchObject({ object: "account", credits: 149 });
  });

  test.each(PUBLIC)("200: %s needs no credential", async (uri) => {
    const { status, json } = await send(read(uri));
    expect([status, json.result.contents[0].uri]).toEqual([200, uri]);
  });

  test.each(PRIVATE)("401 unauthorized: %s, with where to get a credential", async (uri) => {
    const { status, headers, json } = await send(read(uri));
    expect([status, json.error.data.code]).toEqual([401, "unauthorized"]);
    expect(headers.get("www-authenticate")).toBe(`Bearer realm="beckon", scope="read index purchase", ${METADATA}`);
  });

  test.each(PRIVATE.slice(1))("403 insufficient_scope: %s", async (uri) => {
    const { key } = await service.account({ scopes: ["index"] });
    const { status, headers } = await send(read(uri), key);
    expect(status).toBe(403);
    expect(headers.get("www-authenticate")).toContain('error="insufficient_scope", scope="read"');
  });

  test("429 rate_limited: resources count as every request does", async () => {
    const { key } = await service.account();
    for (let i = 0; i < 60; i++) {
      expect((await send(message("resources/list"), key)).status).toBe(200);
      expect((await send(complete(""), key)).headers.get("ratelimit-remaining")).toBe(String(118 - 2 * i));
    }
    const { status, headers } = await send(read("beckon://account"), key);
    expect([status, headers.get("ratelimit-remaining")]).toEqual([429, "0"]);
  });

  test("-32602: an unknown resource, and one of another account", async () => {
    const { key } = await service.account();
    const id = await submit((await service.account()).key, "https://example.com/");
    for (const uri of [`beckon://projects/${id}`, "beckon://coffee", "file:///etc/passwd", "beckon://projects/a/b"]) {
      const { status, json } = await send(read(uri), key);
      expect([status, json.error.code, json.error.data]).toEqual([200, -32602, { uri }]);
      expect(json.error.message).toBe("There is no such resource. See resources/list and resources/templates/list.");
    }
  });

  test("-32602: a URI is repeated in data if it is short and plain, and never in the message", async () => {
    const dataOf = async (uri: string) => (await send(read(uri))).json.error.data;
    const longest = `beckon://${"a".repeat(503)}`;
    expect(await dataOf(longest)).toEqual({ uri: longest });
    expect(await dataOf(`${longest}a`)).toBeUndefined();
  });

  test("completes the id of a project by the beginning of its id or name", async () => {
    const { key } = await service.account();
    const first = await submit(key, "https://example.com/1", "Winter sale");
    service.clock.pass(1_000);
    const summer = await submit(key, "https://example.com/2", "Summer sale");
    const valuesOf = async (sent: Message) => (await send(sent, key)).json.result.completion.values;
    expect(await valuesOf(complete(""))).toEqual([summer, first]);
    expect(await valuesOf(complete("win"))).toEqual([first]);
    expect(await valuesOf(complete(summer.slice(0, -1)))).toEqual([summer]);
    expect(await valuesOf(complete("sale"))).toEqual([]);
    const template = { type: "ref/resource", uri: "beckon://projects/{project_id}/links" };
    expect(await valuesOf(complete("SUM", template))).toEqual([summer]);
  });

  test("401, 403: projects are not completed for a caller that may not read them", async () => {
    expect((await send(complete(""))).status).toBe(401);
    expect((await send(complete(""), (await service.account({ scopes: ["index"] })).key)).status).toBe(403);
  });

  test("completes arguments with fixed values without a credential", async () => {
    const pack = complete("p", { type: "ref/prompt", name: "top_up" }, "pack");
    expect((await send(pack)).json.result.completion).toEqual({ values: ["pro", "premium"], total: 2, hasMore: false });
    const mode = complete("", { type: "ref/prompt", name: "index_site" }, "mode");
    expect((await send(mode)).json.result.completion.values).toEqual(["standard", "instant"]);
    const site = complete("h", { type: "ref/prompt", name: "index_site" }, "site");
    expect((await send(site)).json.result.completion.values).toEqual([]);
  });

  test("-32602: completion for an unknown prompt or template, and an unknown cursor", async () => {
    const { key } = await service.account();
    for (const ref of [
      { type: "ref/prompt", name: "coffee" },
      { type: "ref/resource", uri: "beckon://coffee" },
    ])
      expect((await send(complete("", ref), key)).json.error.code).toBe(-32602);
    expect((await send(message("resources/list", { cursor: "2" }))).json.error.code).toBe(-32602);
  });

  test("the templates are listed without a credential", async () => {
    const { resourceTemplates } = (await send(message("resources/templates/list"))).json.result;
    expect(resourceTemplates.map(({ uriTemplate }: { uriTemplate: string }) => uriTemplate)).toEqual([
      "beckon://projects/{project_id}",
      "beckon://projects/{project_id}/links",
    ]);
  });
});

test("2026-07-28: results of one account are never cached for another", async () => {
  const { key } = await service.account();
  for (const sent of [message("resources/list"), read("beckon://account")]) {
    const { json } = await ERAS["2026-07-28"](sent, key);
    expect(json.result).toMatchObject({ ttlMs: 0, cacheScope: "private" });
  }
});

test("-32602: a URI with a control character is not repeated", async () => {
  const { json } = await post(read("beckon://a\u001b[31m"));
  expect([json.error.code, json.error.data]).toEqual([-32602, undefined]);
});

test("internal: a resource that fails is logged, and its error reveals no details", async () => {
  const broken = await testService({ executor: { run: () => Promise.reject(new Error("secret /etc/passwd")) } });
  try {
    const { status, text, json } = await poster(broken.url)(read("beckon://pricing"));
    expect([status, json.error.code, json.error.data.code]).toEqual([200, -32603, "internal"]);
    expect(text).not.toContain("passwd");
    expect(broken.errors).toMatchObject([{ err: { message: "secret /etc/passwd" } }]);
  } finally {
    await broken.close();
  }
});
