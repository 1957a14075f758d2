import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { MINUTE } from "../src/platform/clock.ts";
import { runsOf } from "./support/checks/fuzz-runs.ts";
import { type message, modern, poster, toolCall } from "./support/mcp/post.ts";
import { testService } from "./support/service/service.ts";

/**
 * The same JSON at every door: members in any order and twice, nulls, values of other types, numbers that no double holds. Texts
 * are written by hand here, since `JSON.stringify` has no form for most of them.
 */
const service = await testService();
afterAll(() => service.close());
const { key } = await service.account();
const RUNS = runsOf({ usually: 75, deep: 1_500 });
const TIME = { timeout: 60_000 + RUNS * 500 };

/** Of an estimate: what it says, or the fields that are wrong. */
type Outcome = object | string[];
type Door = (input: string) => Promise<Outcome>;

/** Every minute allows 120 requests of a key. */
let requests = 0;
const withinLimit = () => requests++ % 100 === 99 && service.clock.pass(MINUTE);

async function send(path: string, body: string, headers: Record<string, string> = {}): Promise<string> {
  withinLimit();
  const all = { "Content-Type": "application/json", Authorization: `Bearer ${key}`, ...headers };
  const response = await fetch(`${service.url}${path}`, { method: "POST", headers: all, body });
  expect(response.status).toBeLessThan(500);
  return response.text();
}

interface Refused {
  readonly error: { readonly code: string; readonly issues: readonly { readonly path: string }[] };
}

function outcomeOf(answer: object | Refused): Outcome {
  if (!("error" in answer)) return answer;
  expect(answer.error.code).toBe("invalid_request");
  return answer.error.issues.map(({ path }) => path);
}

const rest: Door = async (input) => outcomeOf(JSON.parse(await send("/api/v1/estimate", input)));

const post = poster(service.url);
function mcp(inEra: (plain: ReturnType<typeof message>) => { body: object; headers: Record<string, string> }): Door {
  return async (input) => {
    withinLimit();
    const { body, headers } = inEra(toolCall("estimate_cost"));
    const text = JSON.stringify(body).replace('"arguments":{}', () => `"arguments":${input}`);
    const { json } = await post(text, { key, headers });
    return outcomeOf(JSON.parse(json.result.content[0].text));
  };
}

const part = (input: string) => `{"data":{"skill":"estimate_cost","input":${input}}}`;

function a2a(path: string, envelope: (part: string) => string): Door {
  return async (input) => {
    const text = await send(path, envelope(part(input)), { "A2A-Version": "1.0" });
    const { result, task = result.task } = JSON.parse(text);
    return outcomeOf((task.artifacts?.[0] ?? task.status.message).parts[0].data);
  };
}
const sent = (part: string) => `{"message":{"messageId":"${randomUUID()}","role":"ROLE_USER","parts":[${part}]}}`;

const legacy: Door = async (input) => {
  const parts = part(input).replace("{", '{"kind":"data",');
  const text = `{"kind":"message","messageId":"${randomUUID()}","role":"user","parts":[${parts}]}`;
  const body = `{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":${text}}}`;
  const { result } = JSON.parse(await send("/a2a", body));
  return outcomeOf((result.artifacts?.[0] ?? result.status.message).parts[0].data);
};

const DOORS: Readonly<Record<string, Door>> = {
  "MCP 2025-11-25": mcp((body) => ({ body, headers: {} })),
  "MCP 2026-07-28": mcp(modern),
  "A2A 1.0 by JSON-RPC": a2a(
    "/a2a",
    (part) => `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":${sent(part)}}`,
  ),
  "A2A 1.0 by HTTP+JSON": a2a("/a2a/message:send", sent),
  "A2A 0.3": legacy,
};

const VALUES = [
  ...[
    "null",
    "true",
    "{}",
    "[]",
    '"standard"',
    '"check"',
    '"\\ud800"',
    '"__proto__"',
    `${"[".repeat(40)}${"]".repeat(40)}`,
  ],
  ...["1", "1.0", "1e2", "-0", "0.5", "1e400", "-1e400", "9007199254740993", "123456789012345678901234567890", "10001"],
  ...['["https://example.com/"]', '["https://example.com/",null]', '["\\ud800","https://example.com/"]'],
];
const NAMES = ["kind", "urls", "count", "kin\\u0064", "other", "__proto__", "constructor"];
const members = fc.array(fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...VALUES)), { maxLength: 5 });
type Members = readonly (readonly [name: string, value: string])[];

const textOf = (all: Members) => `{${all.map(([name, value]) => `"${name}":${value}`).join(",")}}`;
const nameOf = (name: string) => JSON.parse(`"${name}"`) as string;

/** The last of the members of each name, without nulls. */
function canonical(all: Members): Members {
  const last = new Map(all.map(([name, value]) => [nameOf(name), value]));
  return [...last].filter(([, value]) => value !== "null");
}

test("law: null is as absent, and of a member that comes twice the last one counts, at every door", TIME, async () => {
  const property = fc.asyncProperty(members, async (all) => {
    const expected = await rest(textOf(canonical(all)));
    expect(await rest(textOf(all))).toEqual(expected);
    for (const door of Object.values(DOORS)) expect(await door(textOf(all))).toEqual(expected);
  });
  await fc.assert(property, { numRuns: RUNS, seed: 1 });
});

const numbers = fc.oneof(
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
  fc.bigInt({ min: -(2n ** 53n) - 3n, max: 3n - 2n ** 53n }),
);

test("law: the id of a message comes back as it was sent, or null, at every door", TIME, async () => {
  const idIn = (answer: string) => /"id":(null|-?\d+)[,}]/.exec(answer)?.[1];
  const property = fc.asyncProperty(numbers, async (id) => {
    const isKept = id >= Number.MIN_SAFE_INTEGER && id <= Number.MAX_SAFE_INTEGER;
    const expected = isKept ? String(id) : "null";
    const request = (method: string) => `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":{}}`;
    withinLimit();
    expect(idIn((await post(request("ping"), { key })).text)).toBe(expected);
    expect(idIn(await send("/a2a", request("ListTasks"), { "A2A-Version": "1.0" }))).toBe(expected);
    expect(idIn(await send("/a2a", request("tasks/get")))).toBe(expected);
  });
  await fc.assert(property, { numRuns: RUNS, seed: 2 });
});
