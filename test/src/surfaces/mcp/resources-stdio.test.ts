import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { RequestGuard } from "../../../../src/contract/authenticate.ts";
import { inlineExecutor } from "../../../../src/contract/executor.ts";
import { createHttpClient } from "../../../../src/platform/http-client/http-client.ts";
import type { ToolCaller } from "../../../../src/surfaces/mcp/caller.ts";
import { localCaller } from "../../../../src/surfaces/mcp/local.ts";
import { remoteCaller } from "../../../../src/surfaces/mcp/remote.ts";
import { createMcpServer } from "../../../../src/surfaces/mcp/server.ts";
import { testService } from "../../../support/service/service.ts";

const service = await testService();
const http = createHttpClient(service.config);
afterAll(() => Promise.all([service.close(), http.close()]));

/** Who runs the calls of a connection of stdio: this machine's database, or a service elsewhere. */
const CALLERS: Record<string, (key: string) => ToolCaller> = {
  local: (key) => {
    const { db, clock, config, payments } = service;
    const services = { db, clock, config, payments, http };
    return localCaller({
      services,
      guard: new RequestGuard(db, clock, config),
      executor: inlineExecutor(services),
      key,
    });
  },
  remote: (key) => remoteCaller({ url: service.url, key }),
};

describe.each(Object.entries(CALLERS))("%s", (_, callerOf) => {
  async function connected(key: string): Promise<Client> {
    const client = new Client({ name: "test", version: "1.0.0" });
    const [near, far] = InMemoryTransport.createLinkedPair();
    const server = createMcpServer(callerOf(key), { error: () => undefined });
    onTestFinished(() => server.close());
    await server.connect(far);
    await client.connect(near);
    return client;
  }

  test("lists, reads and completes the caller's projects", async () => {
    const { key } = await service.account();
    const client = await connected(key);
    const args = { urls: ["https://example.com/"], name: "Spring sale" };
    const made = await client.callTool({ name: "submit_urls", arguments: args });
    const { id } = (made.structuredContent as { project: { id: string } }).project;
    const uri = `beckon://projects/${id}`;
    expect((await client.listResources()).resources.at(-1)).toMatchObject({ uri, title: "Spring sale" });
    const [read] = (await client.readResource({ uri })).contents;
    expect(JSON.parse((read as { text: string }).text)).toMatchObject({ object: "project", id });
    const ref = { type: "ref/prompt", name: "project_report" } as const;
    const { completion } = await client.complete({ ref, argument: { name: "project_id", value: "spring" } });
    expect(completion.values).toEqual([id]);
  });

  test("-32602: an unknown resource", async () => {
    const client = await connected((await service.account()).key);
    const uri = "beckon://projects/prj_none";
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602, data: { uri } });
  });

  test("lists no projects to a key without the scope read, and refuses a request for one", async () => {
    const client = await connected((await service.account({ scopes: ["purchase"] })).key);
    const uris = (await client.listResources()).resources.map(({ uri }) => uri);
    const skill = "skill://beckon-indexing/SKILL.md";
    expect(uris).toEqual(["beckon://pricing", "ui://beckon/project.html", skill, "beckon://account"]);
    await expect(client.readResource({ uri: "beckon://projects/prj_none" })).rejects.toMatchObject({
      data: { code: "insufficient_scope", required_scope: "read" },
    });
  });

  test("a revoked key is refused at the next request", async () => {
    const client = await connected("bk_test_0000000000000000000000000000000");
    for (const ask of [() => client.listResources(), () => client.readResource({ uri: "beckon://account" })]) {
      await expect(ask()).rejects.toMatchObject({ data: { code: "unauthorized" } });
    }
  });
});
