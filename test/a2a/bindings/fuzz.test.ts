import fc from "fast-check";
import { expect, test } from "vitest";
import { a2aClient, legacyMessage, message, rpc, testA2a } from "../../support/a2a/test-bindings.ts";
import { fuzzRuns } from "../../support/checks/fuzz-runs.ts";
import { allTests } from "../../support/service/each-test.ts";

const at = allTests(testA2a);
let client: ReturnType<typeof a2aClient>;

let requests = 0;

/** Every minute allows 120 requests of a key. */
async function fresh() {
  if (requests++ % 100 === 0) client = a2aClient(at.url, await at.key());
  return client;
}

const METHODS = ["SendMessage", "GetTask", "ListTasks", "CancelTask", "GetExtendedAgentCard", "Nothing", "__proto__"];
const LEGACY = ["message/send", "tasks/get", "tasks/cancel", "tasks/resubscribe", "tasks/list", "toString"];
const ADDRESSES = [
  ["POST", "/message:send"],
  ["POST", "/tasks/x:cancel"],
  ["POST", "/tasks/x:subscribe"],
  ["POST", "/tasks/x/pushNotificationConfigs"],
] as const;

/** Something that is near a request: one with a value of it replaced. */
function near(whole: object): fc.Arbitrary<object> {
  const paths = pathsOf(whole);
  return fc.tuple(fc.constantFrom(...paths), fc.jsonValue({ maxDepth: 4 })).map(([path, value]) => {
    const copy = structuredClone(whole) as Record<string, unknown>;
    let holder = copy;
    for (const step of path.slice(0, -1)) holder = holder[step] as Record<string, unknown>;
    holder[path.at(-1)!] = value;
    return copy;
  });
}

function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return path.length > 0 ? [path] : [];
  const inner = Object.entries(value).flatMap(([name, one]) => pathsOf(one, [...path, name]));
  return path.length > 0 ? [path, ...inner] : inner;
}

const PARTS = [{ text: "a", metadata: { a: [1] } }, { data: { skill: "x", input: {} } }];
const CONFIGURATION = { historyLength: 1, returnImmediately: true, acceptedOutputModes: ["text/plain"] };
const SEND = { message: message("x", { parts: PARTS, contextId: "c", metadata: {} }), configuration: CONFIGURATION };
const legacySend = (...more: object[]) => ({
  message: legacyMessage("x", { parts: [{ kind: "text", text: "a" }, { kind: "data", data: {} }, ...more] }),
  configuration: { blocking: false, historyLength: 1 },
});

const LEGACY_PUSH = {
  id: "a",
  url: "https://example.com/hook",
  token: "b",
  authentication: { schemes: ["Bearer"], credentials: "c" },
};

const bodies = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc.uint8Array({ maxLength: 200 }),
  fc.json(),
  near(rpc("SendMessage", SEND)),
  fc.record({
    jsonrpc: fc.constant("2.0"),
    id: fc.integer(),
    method: fc.constantFrom(...METHODS),
    params: fc.jsonValue(),
  }),
);

test("law: any request over JSON-RPC is answered in JSON-RPC, without an internal error", async () => {
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const { status, json } = await (await fresh()).post(body);
      expect(status).toBe(200);
      expect(json.jsonrpc).toBe("2.0");
      expect("result" in json).toBe(!("error" in json));
      if ("error" in json) expect(json.error).toMatchObject({ code: expect.any(Number), message: expect.any(String) });
    }),
    { numRuns: fuzzRuns(80), seed: 1 },
  );
  expect(at.errors).toEqual([]);
});

const legacyBodies = fc.oneof(
  near(rpc("message/send", legacySend())),
  near(rpc("message/send", legacySend({ kind: "file", file: { bytes: "aGk=" } }))),
  near(rpc("tasks/get", { id: "x", historyLength: 1, metadata: {} })),
  near(rpc("tasks/pushNotificationConfig/set", { taskId: "x", pushNotificationConfig: LEGACY_PUSH })),
  fc.record({
    jsonrpc: fc.constant("2.0"),
    id: fc.integer(),
    method: fc.constantFrom(...LEGACY),
    params: fc.jsonValue(),
  }),
);

test("law: any request of 0.3 is answered in JSON-RPC, without an internal error", async () => {
  await fc.assert(
    fc.asyncProperty(legacyBodies, async (body) => {
      const { status, json } = await (await fresh()).raw("POST", "", body);
      expect(status).toBe(200);
      expect(json.jsonrpc).toBe("2.0");
      expect("result" in json).toBe(!("error" in json));
      if ("error" in json) expect(json.error.message).not.toMatch(/Cannot|not a function|TypeError|undefined/);
    }),
    { numRuns: fuzzRuns(80), seed: 1 },
  );
  expect(at.errors).toEqual([]);
});

const restBodies = fc.oneof(fc.string({ maxLength: 200 }), fc.uint8Array({ maxLength: 200 }), fc.json(), near(SEND));

test("law: any request over HTTP+JSON is answered in JSON, without an internal error", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...ADDRESSES), restBodies, async ([method, path], body) => {
      const { status, json } = await (await fresh()).rest(method, path, body);
      expect([200, 400, 404]).toContain(status);
      if (status !== 200)
        expect(json.error).toMatchObject({ code: status, status: expect.any(String), details: expect.any(Array) });
    }),
    { numRuns: fuzzRuns(60), seed: 1 },
  );
  expect(at.errors).toEqual([]);
});

const address = fc.webPath().map((path) => path.replace(/^\/?/, "/"));
const query = fc.webQueryParameters();

test("law: any address is answered in JSON, without an internal error", async () => {
  const addresses = fc.oneof(address, fc.constant("/tasks"), fc.constant("/tasks/x"));
  await fc.assert(
    fc.asyncProperty(addresses, query, async (path, parameters) => {
      const { status, json } = await (await fresh()).rest("GET", `${path}?${parameters}`);
      expect([200, 400, 404, 405]).toContain(status);
      expect(json).toBeTypeOf("object");
    }),
    { numRuns: fuzzRuns(60), seed: 1 },
  );
  expect(at.errors).toEqual([]);
});
