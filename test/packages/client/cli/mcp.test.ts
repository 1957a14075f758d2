import { spawn } from "node:child_process";
import { once } from "node:events";
import { text as textOf } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { mcp } from "../../../../packages/client/src/cli/commands/mcp.ts";
import { linesOf } from "../../../../packages/client/src/cli/mcp/lines.ts";
import { TOOLSETS } from "../../../../src/contract/operation.ts";
import { recordEvents } from "../../../../src/domain/events/record.ts";
import { DEFAULT_TOOLSETS } from "../../../../src/surfaces/mcp/toolsets.ts";
import { client, userOf } from "../../../support/client/beckon-client.ts";
import { callEveryTool, errorOf, toolsOf } from "../../../support/mcp/call-every-tool.ts";
import { CLIENTS, type Command } from "../../../support/mcp/clients.ts";
import { settled } from "../../../support/mcp/events.ts";
import { message, modern } from "../../../support/mcp/post.ts";
import { beckonMcp } from "../../../support/mcp/stdio.ts";
import { type TestService, testService } from "../../../support/service/service.ts";

// A command of its own has to start first, on whatever else the machine does.
vi.setConfig({ testTimeout: 60_000 });

let service: TestService;
beforeAll(async () => {
  service = await testService({ publishUrl: true });
});
afterAll(() => service.close());

const paid = async () => (await service.account({ credits: 500 })).key;

describe.each(Object.entries(CLIENTS))("%s through the bridge", (_, connect) => {
  test("lists and calls every tool of the service, with its refusals", async () => {
    const client = await connect(beckonMcp(service.url, await paid()));
    try {
      expect(await callEveryTool(client)).toEqual(toolsOf(service.config));
      const input = { urls: ["https://example.com/once"], idempotency_key: "once" };
      const first = await client.call("submit_urls", input);
      const again = await client.call("submit_urls", input);
      expect([again._meta?.["beckon/idempotent-replayed"], again.content]).toEqual([true, first.content]);
      expect(errorOf(await client.call("submit_urls", { urls: 3 })).issues).toMatchObject([{ path: "urls" }]);
    } finally {
      await client.close();
    }
  });
});

test("lists the toolsets that are asked for", async () => {
  const client = await CLIENTS["client 2.4, 2026-07-28"]!(
    beckonMcp(service.url, await paid(), "--toolsets", "webhooks"),
  );
  const names = (await client.list()).map(({ name }) => name);
  await client.close();
  expect(names).toContain("save_webhook");
  expect(names).not.toContain("submit_urls");
});

test("its help names every toolset", () => {
  const names = `${TOOLSETS.join(", ")}; default: ${[...DEFAULT_TOOLSETS].join(", ")}`;
  expect(mcp.options.toolsets!.about).toBe(`Toolsets to list: ${names}`);
});

/** The command, whose input ends after these messages. */
async function ended({ command, args, ...options }: Command, messages: readonly object[]) {
  const child = spawn(command, args, { ...options, stdio: "pipe" });
  child.stdin.end(messages.map((one) => `${JSON.stringify(one)}\n`).join(""));
  const [out, err] = await Promise.all([textOf(child.stdout), textOf(child.stderr), once(child, "close")]);
  const lines = out.split("\n").filter((line) => line !== "");
  return { code: child.exitCode, answers: lines.map((line) => JSON.parse(line)), err };
}

const PARAMS = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } };

test("messages that come in one piece are answered before it ends, exit 0", async () => {
  const { code, answers, err } = await ended(beckonMcp(service.url, await paid()), [
    message("initialize", PARAMS, 1),
    { jsonrpc: "2.0", method: "notifications/initialized" },
    message("tools/list", {}, 2),
    message("prompts/get", { name: 5 }, 3),
  ]);
  expect([code, err.replace(/^beckon: `name`.*\n/, "")]).toEqual([0, ""]);
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  expect(byId.get(1)).toMatchObject({ result: { serverInfo: { name: "beckon" } } });
  expect(byId.get(2).result.tools.length).toBeGreaterThan(10);
  expect(byId.get(3)).toMatchObject({ error: { code: -32602, message: expect.stringContaining("`name`") } });
});

test("a stream that is opened last names what the client will hear of, and ends with the input", async () => {
  const listen = modern(message("subscriptions/listen", { notifications: { toolsListChanged: true } }, "stream")).body;
  const { code, answers } = await ended(beckonMcp(service.url, await paid()), [listen]);
  expect(code).toBe(0);
  expect(answers[0]).toMatchObject({ method: "notifications/subscriptions/acknowledged" });
});

test.each([
  ["2026-07-28", [modern(message("events/stream", { name: "links.settled" }, "stream")).body]],
  [
    "2025-11-25",
    [
      message("initialize", PARAMS, 1),
      { jsonrpc: "2.0", method: "notifications/initialized" },
      message("events/stream", { name: "links.settled" }, "stream"),
    ],
  ],
])("%s: events are told in a stream until the client cancels it", async (_, messages) => {
  const account = await service.account();
  const { command, args, ...options } = beckonMcp(service.url, account.key);
  const child = spawn(command, args, { ...options, stdio: ["pipe", "pipe", "ignore"] });
  const answers = linesOf(child.stdout);
  const next = async (method: string) => {
    for (;;) {
      const message = JSON.parse((await answers.next()).value as string);
      if (message.method === `notifications/events/${method}`) return message.params;
    }
  };
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  for (const message of messages) send(message);
  expect(await next("active")).toMatchObject({ _meta: { "io.modelcontextprotocol/subscriptionId": "stream" } });
  await service.db.tx((tx) => recordEvents(tx, account.id, [settled()], service.clock.now()));
  expect(await next("event")).toMatchObject({ name: "links.settled", data: { credits_returned: 0 } });
  send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "stream" } });
  child.stdin.end();
  await once(child, "close");
  expect(child.exitCode).toBe(0);
});

test("a wrong key is answered by an error of the protocol", async () => {
  const { answers } = await ended(beckonMcp(service.url, "bk_test_wrong"), [message("initialize", PARAMS)]);
  expect(answers).toMatchObject([{ id: 1, error: { data: { code: "unauthorized" } } }]);
});

test.each([
  ["BECKON_URL", "", "No service is set"],
  ["a credential", "http://127.0.0.1:9", "Set BECKON_API_KEY to an API key of http://127.0.0.1:9"],
])("exit 2 without %s: it says what to set, and writes nothing to standard output", async (_, url, words) => {
  const { code, out, err } = await client(userOf(url), ["mcp"]);
  expect([code, out, err.replaceAll("\n", " ")]).toEqual([2, "", expect.stringContaining(words)]);
});

test("a line may contain U+2028, and a message may come in pieces", async () => {
  async function* pieces() {
    for (const byte of Buffer.from('{"a":"\u2028é"}\r\n{"b":1}\nend')) yield Buffer.from([byte]);
  }
  const lines: string[] = [];
  for await (const line of linesOf(pieces())) lines.push(line);
  expect(lines).toEqual(['{"a":"\u2028é"}', '{"b":1}', "end"]);
});
