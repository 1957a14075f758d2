import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { MINUTE } from "../../../../src/platform/clock.ts";
import { fuzzRuns } from "../../../support/checks/fuzz-runs.ts";
import { message, modern, poster } from "../../../support/mcp/post.ts";
import { testService } from "../../../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());
beforeEach(() => service.clock.pass(MINUTE));
const post = poster(service.url);

type Message = ReturnType<typeof message>;
/** Both eras over HTTP; a name that is text stands in the header too, as 2026-07-28 asks. */
const ERAS: Record<string, (sent: Message) => ReturnType<typeof post>> = {
  "initialize era": (sent) => post(sent),
  "2026-07-28": (sent) => {
    const { body, headers } = modern(sent);
    const { name, uri } = sent.params as Record<string, unknown>;
    const { "Mcp-Name": _, ...rest } = headers as Record<string, string>;
    const named = [name, uri].find((one) => typeof one === "string");
    return post(body, { headers: { ...rest, ...(named === undefined ? {} : { "Mcp-Name": named as string }) } });
  },
};

const FORM = "not in the form that the protocol defines.";
const ref = { type: "ref/prompt", name: "index_site" };
const argument = { name: "mode", value: "" };
const index_site = (given: unknown) => ({ name: "index_site", arguments: given });

const WRONG: readonly (readonly [method: string, params: object, message: string])[] = [
  ["prompts/get", {}, "`name`: required."],
  ["prompts/get", { name: null }, "`name`: required."],
  ["prompts/get", { name: 5 }, `\`name\`: ${FORM}`],
  ["prompts/get", index_site([]), `\`arguments\`: ${FORM}`],
  ["prompts/get", index_site("x"), `\`arguments\`: ${FORM}`],
  ["prompts/get", index_site({ site: 5 }), `\`arguments.site\`: ${FORM}`],
  ["prompts/get", index_site({ "a secret, and <more>": 5 }), `\`arguments\`: ${FORM}`],
  ["resources/read", {}, "`uri`: required."],
  ["resources/read", { uri: null }, "`uri`: required."],
  ["resources/read", { uri: 5 }, `\`uri\`: ${FORM}`],
  ["completion/complete", {}, "`ref`: required."],
  ["completion/complete", { ref: 5, argument }, `\`ref\`: ${FORM}`],
  ["completion/complete", { ref: { type: "ref/coffee", name: "a" }, argument }, `\`ref\`: ${FORM}`],
  ["completion/complete", { ref }, "`argument`: required."],
  ["completion/complete", { ref, argument: { name: "mode" } }, "`argument.value`: required."],
  ["completion/complete", { ref, argument: { name: "mode", value: 5 } }, `\`argument.value\`: ${FORM}`],
  ["tools/call", {}, "`name`: required."],
  ["tools/call", { name: 5 }, `\`name\`: ${FORM}`],
  ["tools/call", { name: "get_pricing", arguments: [] }, `\`arguments\`: ${FORM}`],
  ["tools/call", { name: "get_pricing", arguments: "a secret" }, `\`arguments\`: ${FORM}`],
  ["tools/list", { cursor: 5 }, `\`cursor\`: ${FORM}`],
  ["resources/list", { cursor: {} }, `\`cursor\`: ${FORM}`],
];

describe.each(Object.entries(ERAS))("%s", (_, send) => {
  test.each(WRONG)("-32602: %s with %j names the field and nothing else", async (method, params, text) => {
    const { status, json } = await send(message(method, params, "an id"));
    expect([status, json]).toEqual([200, { jsonrpc: "2.0", id: "an id", error: { code: -32602, message: text } }]);
  });

  const odd = fc.constantFrom<unknown>(undefined, null, 5, true, "a secret", [], ["a secret"], {}, { "a secret": 1 });
  const inner = (names: readonly string[]) =>
    fc.oneof(odd, fc.record(Object.fromEntries(names.map((name) => [name, odd]))));
  const params = fc.record({
    name: fc.oneof(odd, fc.constant("index_site")),
    uri: fc.oneof(odd, fc.constant("beckon://pricing")),
    cursor: odd,
    arguments: inner(["site", "mode"]),
    ref: fc.oneof(inner(["type", "name", "uri"]), fc.constant(ref)),
    argument: inner(["name", "value"]),
    context: inner(["arguments"]),
    progressToken: odd,
  });
  const methods = [...new Set(WRONG.map(([method]) => method)), "prompts/list", "resources/templates/list", "ping"];

  test("fuzz: no input reveals the parser's message or causes an internal error", async () => {
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...methods), params, async (method, { progressToken, ...rest }) => {
        service.clock.pass(MINUTE);
        const _meta = progressToken === undefined ? {} : { progressToken };
        const { json } = await send(message(method, { ...rest, _meta }));
        seen.add(json.error?.code);
        expect(json.error?.code).not.toBe(-32603);
        expect(json.error?.message ?? "").not.toMatch(/secret|Zod|expected|invalid_/);
      }),
      { numRuns: fuzzRuns(100), seed: 1 },
    );
    expect(seen).toContain(-32602);
  });
});

test("-32602: initialize without its required fields", async () => {
  const { json } = await post(message("initialize", { protocolVersion: 5 }));
  expect(json.error).toEqual({ code: -32602, message: `\`protocolVersion\`: ${FORM}` });
});

test("-32602: in a batch, each request has its own answer", async () => {
  const batch = [message("prompts/get", { name: 5 }, 1), message("ping", {}, 2)];
  const { json } = await post(batch, { headers: { "MCP-Protocol-Version": "2025-03-26" } });
  expect(json).toEqual([
    { jsonrpc: "2.0", id: 1, error: { code: -32602, message: `\`name\`: ${FORM}` } },
    { jsonrpc: "2.0", id: 2, result: {} },
  ]);
});
