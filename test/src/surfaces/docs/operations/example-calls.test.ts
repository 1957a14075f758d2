import { spawnSync } from "node:child_process";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { EXAMPLE_RESPONSES } from "../../../../../src/contract/example-responses.ts";
import { isOn } from "../../../../../src/contract/operation.ts";
import { type Document, documentsOf } from "../../../../../src/surfaces/docs/index.ts";
import { operations } from "../../../../../tools/index.ts";
import { sampleOf } from "../../../../support/checks/fuzz-runs.ts";
import { blocksIn } from "../../../../support/checks/markdown-blocks.ts";
import { poster } from "../../../../support/mcp/post.ts";
import {
  approveExample,
  type ExampleService,
  startExampleService,
} from "../../../../support/service/example-service.ts";
import { script, shell } from "../../../../support/service/run-script.ts";

/**
 * The interpreter itself: `python3` may be a script that chooses one, which takes ten times as long to start. The service needs
 * no Python, so a machine may have none.
 */
const PYTHON = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).stdout?.trim();

/** All pages are made alike. */
const CHOSEN = sampleOf(operations, 8);

/** Each is made from one call, in three languages: of these operations the last two run. */
const IN_EACH_LANGUAGE = new Set(sampleOf(CHOSEN, 3));

/** The service of the test: all examples of an operation that reads share one, since none of them changes anything. */
let on: ExampleService | null = null;
const close = async () => {
  await on?.service.close();
  on = null;
};

/** The blocks of an operation's page as they have to be sent to the service of this test. */
async function pageOf(name: string) {
  const operation = operations.find((one) => one.name === name)!;
  on ??= await startExampleService(operation.effect, false, true);
  await approveExample(on, operation);
  const { service, key, real } = on;
  const page = documentsOf(service.config).find(({ path }) => path === `/docs/operations/${name}`)!;
  const blocks = blocksIn(page.markdown).map(({ language, text }) => ({
    language,
    text: real(text).replaceAll(service.config.siteUrl, service.url),
  }));
  const messages = blocks.filter(({ language }) => language === "json").map(({ text }) => JSON.parse(text));
  return {
    python: real(exampleOf(page, "python")).replaceAll(service.config.siteUrl, service.url),
    curl: blocks.find(({ language }) => language === "sh")!.text,
    javascript: blocks.find(({ language }) => language === "js")!.text,
    mcp: messages.find(({ method }) => method === "tools/call"),
    a2a: messages.find(({ method }) => method === "SendMessage"),
    shown: messages.at(-1),
    url: service.url,
    key,
    env: { BECKON_API_KEY: key },
  };
}

/** A call of the example that only the HTML of a page shows. */
function exampleOf({ parts = [] }: Document, id: string): string {
  const calls = parts.flatMap((part) => (typeof part !== "string" && part.kind === "calls" ? part.calls : []));
  return calls.find((call) => call.id === id)!.code;
}

/** What an answer is made of, without its values. */
/** Agents are told besides where the next page of a list begins. */
function withoutNext({ next_offset, ...answer }: Record<string, unknown>): unknown {
  return answer;
}

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (value === null || typeof value !== "object") return null;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]));
}

describe.each(CHOSEN.map((operation) => [operation.name, operation] as const))("%s", (name, operation) => {
  const { status, body } = EXAMPLE_RESPONSES[name]!;
  afterEach(() => (operation.effect === "read" ? undefined : close()));
  afterAll(close);

  test(`${status}: the curl on its page is answered as the page says`, async () => {
    const { curl, shown, env } = await pageOf(name);
    const printed = await shell(curl.replace(/^curl /, 'curl -sS -w "\\n%{http_code}" '), env);
    const lines = printed.trim().split("\n");
    expect(lines.pop()).toBe(String(status));
    const answer = JSON.parse(lines.pop()!);
    expect(shapeOf(answer)).toEqual(shapeOf(shown));
    // Who calls without a credential has no balance.
    expect(shapeOf(shown)).toEqual(shapeOf(body));
  });

  test.runIf(IN_EACH_LANGUAGE.has(operation))(`${status}: the JavaScript on its page runs`, async () => {
    const { javascript, env } = await pageOf(name);
    expect(await script(javascript, env)).toMatch(new RegExp(`^${status} \\{`));
  });

  test.runIf(PYTHON && IN_EACH_LANGUAGE.has(operation))(`${status}: the Python on its page runs`, async () => {
    const { python, env } = await pageOf(name);
    const printed = await shell(`${PYTHON} - <<'END'\n${python}\nEND`, env);
    const [, code, answer] = /^(\d+) (.*)/s.exec(printed)!;
    expect(code).toBe(String(status));
    expect(shapeOf(JSON.parse(answer!))).toEqual(shapeOf(body));
  });

  test.runIf(isOn(operation, "mcp"))("200: the MCP message on its page is answered", async () => {
    const { mcp, url, key } = await pageOf(name);
    const { status: http, json } = await poster(url)(mcp, { key });
    expect(http).toBe(200);
    // One is answered by its price, which is an error to a client.
    expect([json.id, json.result.isError ?? false], JSON.stringify(json)).toEqual([1, status === 402]);
    if (status !== 402) expect(shapeOf(withoutNext(json.result.structuredContent))).toEqual(shapeOf(body));
  });

  test.runIf(isOn(operation, "a2a"))("200: the A2A request on its page is a task that ends", async () => {
    const { a2a, url, key } = await pageOf(name);
    const response = await fetch(`${url}/a2a`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "A2A-Version": "1.0", Authorization: `Bearer ${key}` },
      body: JSON.stringify(a2a),
    });
    expect(response.status).toBe(200);
    // biome-ignore lint/suspicious/noExplicitAny: what came is looked at
    const { result } = (await response.json()) as any;
    const expected = status === 402 ? "TASK_STATE_INPUT_REQUIRED" : "TASK_STATE_COMPLETED";
    expect(result.task.status.state).toBe(expected);
    if (status !== 402) expect(shapeOf(withoutNext(result.task.artifacts[0].parts[0].data))).toEqual(shapeOf(body));
  });
});
