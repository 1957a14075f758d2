import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { a2aHandler } from "../../a2a/bindings/http.ts";
import { A2A } from "../../a2a/path.ts";
import { type Admission, RequestGuard } from "../../src/contract/authenticate.ts";
import { readConfig } from "../../src/platform/config/config.ts";
import { anyRequest } from "../support/a2a/any-request.ts";
import { BINDINGS, bindingClient, METHODS } from "../support/a2a/binding-client.ts";
import { ENDING_SCRIPTS, EXTENSION, ScriptedAgent } from "../support/a2a/scripted-agent.ts";
import { sdkServer } from "../support/a2a/sdk-server.ts";
import { a2aClient, allEvents, legacyMessage, message, rpc } from "../support/a2a/test-bindings.ts";
import { fuzzRuns } from "../support/checks/fuzz-runs.ts";

/**
 * a2a/bindings stands in for the JSON-RPC and HTTP+JSON handlers of @a2a-js/sdk. Here each has a scripted agent of its
 * own, which counts its ids and its time, so that equal requests have equal answers. On valid requests both agents have
 * to see the same, and status, media type, activated extensions and body have to be equal. Neither side serves gRPC.
 *
 * Empty lists and `false` count as absent (ProtoJSON), because the SDK leaves out some that ours sends. Where the binding
 * itself makes an error, code, status and reason have to be equal, and its message need not be.
 */
const config = readConfig({ SITE_URL: "http://beckon.test" });
const admission: Admission = {
  principal: {
    accountId: "acc_1",
    personId: "per_1",
    role: "owner",
    credential: { id: "key_1", type: "api_key", name: "test", scopes: ["read"], holder: "key_1" },
  },
  headers: {},
  requestsToday: 1,
};

class OpenGuard extends RequestGuard {
  override async admit(): Promise<Admission> {
    return admission;
  }
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  afterAll(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${A2A}`;
}

// The guard uses none of them: it admits everybody.
const nothing = undefined as never;
const log = { error: () => {} };
const agents = { ours: new ScriptedAgent(), sdk: new ScriptedAgent() };
const guard = new OpenGuard(nothing, nothing, config);
const handler = a2aHandler({ config, guard, log, methods: agents.ours });
const caller = { ip: "127.0.0.1", resource: A2A } as const;
const urls = {
  ours: await listen((req, res) => void handler(req, res)),
  sdk: await listen(sdkServer(agents.sdk, { caller, admission })),
};

beforeEach(() => {
  // The SDK writes there what it answers as an error.
  vi.spyOn(console, "error").mockImplementation(() => {});
  for (const agent of Object.values(agents)) agent.seen = [];
  return () => vi.restoreAllMocks();
});

type Send = (url: string) => Promise<Response>;

interface Body {
  readonly id?: string;
  readonly task?: { readonly id: string };
  readonly result?: Body;
  readonly error?: { readonly code: number; readonly message: string };
}

/** What has to be equal of an answer. */
async function answerOf(response: Response) {
  const { status, headers } = response;
  const type = headers.get("content-type")?.split(";")[0];
  const body = type === "text/event-stream" ? await allEvents(response) : await response.json();
  return { status, type, extensions: headers.get("a2a-extensions"), body: withoutDefaults(body) as Body };
}

function withoutMessage({ body, ...answer }: Awaited<ReturnType<typeof answerOf>>) {
  return { ...answer, body: { ...body, error: { ...body.error, message: undefined } } };
}

/** Leaves out empty lists and `false`, but for what agents and clients put into `data` and `metadata`. */
function withoutDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDefaults);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) =>
    name === "data" || name === "metadata" ? [name, member] : [name, defaultToUndefined(withoutDefaults(member))],
  );
  return Object.fromEntries(members);
}

function defaultToUndefined(value: unknown): unknown {
  return value === false || (Array.isArray(value) && value.length === 0) ? undefined : value;
}

/** A request as the agent has seen it. A time may be written in several ways. */
function seenBy(agent: ScriptedAgent): unknown[] {
  return agent.seen.map((request) => {
    const { statusTimestampAfter: after, ...more } = withoutDefaults(request) as Record<string, unknown>;
    return { ...more, after: after && Date.parse(after as string) };
  });
}

/** Sends a request to both. @param meanwhile is done to both agents once their answers have begun */
async function both(send: Send, meanwhile = (_: ScriptedAgent) => {}) {
  const [ours, sdk] = await Promise.all([send(urls.ours), send(urls.sdk)]);
  for (const agent of Object.values(agents)) meanwhile(agent);
  return { ours: await answerOf(ours), sdk: await answerOf(sdk) };
}

/** @returns the answer of both */
async function expectSame(send: Send, meanwhile?: (agent: ScriptedAgent) => void) {
  const { ours, sdk } = await both(send, meanwhile);
  expect(ours).toEqual(sdk);
  expect(seenBy(agents.ours)).toEqual(seenBy(agents.sdk));
  return ours;
}

/** Members of a message, in every form that the protocol allows. */
const MEMBERS: readonly object[] = [
  {},
  { parts: [{ data: { skill: "x", input: [null, 1.5, false, "", {}, []] } }, { data: 0 }] },
  { parts: [{ text: "", mediaType: "text/markdown", filename: "a.md", metadata: { a: [] } }, { text: "ü\u2028" }] },
  { contextId: "a context", metadata: { a: { b: null } }, referenceTaskIds: ["task-0"], extensions: [EXTENSION] },
  // Empty and null members are absent ones (ProtoJSON), and the members in a2a.proto have other names.
  { contextId: "", taskId: null, referenceTaskIds: [], metadata: {} },
  { context_id: "a context", reference_task_ids: ["task-0"] },
];

const CONFIGURATIONS: readonly object[] = [
  ...[{}, { historyLength: 0 }, { historyLength: 1 }, { returnImmediately: true }, { returnImmediately: false }],
  ...[{ acceptedOutputModes: ["text/plain"] }, { history_length: 0, return_immediately: true }],
];

const SENDING = ["SendMessage", "SendStreamingMessage"];

describe.each(BINDINGS)("%s", (binding) => {
  const say =
    (method: string, params?: object, headers = {}): Send =>
    (url) =>
      bindingClient(binding, url).open(method, params, { headers });

  /** The task that a message begins at both. */
  async function taskOf(script: string): Promise<string> {
    const params = { message: message(script), configuration: { returnImmediately: true } };
    const { body } = await expectSame(say("SendMessage", params));
    return (body.result ?? body).task!.id;
  }

  test.each(SENDING)("%s: every answer of an agent, to the same message", async (method) => {
    for (const script of ENDING_SCRIPTS) {
      const { status } = await expectSame(say(method, { message: message(script) }));
      expect([script, status]).toEqual([script, 200]);
    }
  });

  test.each(SENDING)("%s: every kind of message and configuration", async (method) => {
    for (const more of MEMBERS) {
      await expectSame(say(method, { message: message("tck-artifact-data", more), metadata: { of: "the request" } }));
    }
    for (const configuration of CONFIGURATIONS) {
      await expectSame(say(method, { message: message("tck-artifact-data"), configuration }));
    }
  });

  test("SendMessage: a second message to a task that waits for it", async () => {
    const taskId = await taskOf("tck-input-required");
    await expectSame(say("SendMessage", { message: message("tck-input-required", { taskId }) }));
    await expectSame(say("SendMessage", { message: message("tck-complete-task", { taskId }) }));
  });

  test("GetTask and CancelTask: a task with the requested history, and its end", async () => {
    const id = await taskOf("tck-working");
    for (const historyLength of [undefined, 0, 1, 100]) {
      await expectSame(say("GetTask", { id, ...(historyLength === undefined ? {} : { historyLength }) }));
    }
    const { body } = await expectSame(say("CancelTask", { id }));
    expect(body.result ?? body).toMatchObject({ id, status: { state: "TASK_STATE_CANCELED" } });
  });

  test("SubscribeToTask: a task, its updates, and its end", async () => {
    const id = await taskOf("tck-working");
    const { body } = await expectSame(say("SubscribeToTask", { id }), (agent) => {
      agent.say(id, "One");
      agent.finish(id);
    });
    expect(body).toHaveLength(3);
  });

  test("ListTasks: pages, filters and artifacts", async () => {
    for (const script of ["tck-artifact-data", "tck-working", "tck-complete-task"]) await taskOf(script);
    const queries = [
      ...[{}, { pageSize: 1 }, { pageSize: 2, pageToken: "1" }, { pageToken: "" }, { historyLength: 0 }],
      ...[{ status: "TASK_STATE_WORKING" }, { contextId: "context-1" }, { contextId: "nothing" }],
      ...[{ includeArtifacts: true }, { includeArtifacts: false, pageSize: 100 }],
      ...["2026-01-01T00:00:00.002Z", "2026-01-01T01:00:00.002+01:00"].map((statusTimestampAfter) => ({
        statusTimestampAfter,
      })),
    ];
    for (const query of queries) expect(await expectSame(say("ListTasks", query))).toMatchObject({ status: 200 });
  });

  test.each(["SendMessage", "GetTask", "ListTasks", "CancelTask"])("%s: an extension is activated", async (method) => {
    const id = await taskOf("tck-input-required");
    const params = { SendMessage: { message: message() }, ListTasks: {} }[method] ?? { id };
    const { extensions } = await expectSame(say(method, params, asking));
    expect(extensions).toBe(EXTENSION);
  });

  test("an error of the agent is the same", async () => {
    const over = await taskOf("tck-complete-task");
    for (const id of [over, "nothing"]) {
      for (const method of SENDING) await expectSame(say(method, { message: message("tck", { taskId: id }) }));
      for (const method of ["CancelTask", "SubscribeToTask"]) await expectSame(say(method, { id }));
    }
    await expectSame(say("GetTask", { id: "nothing" }));
  });

  test.each(METHODS.filter((method) => method.includes("Extended")))(
    "%s: the error of a method that is not served is the same",
    async (method) => {
      const { ours, sdk } = await both(say(method, { id: "a config", taskId: "a task", url: "https://example.com/" }));
      expect(withoutMessage(ours)).toEqual(withoutMessage(sdk));
    },
  );

  test("push configurations are made, read and listed in the same way", async () => {
    const taskId = await taskOf("tck-input-required");
    const config = { taskId, id: "mine", url: "https://example.com/", token: "t", authentication: { scheme: "Basic" } };
    const made = await both(say("CreateTaskPushNotificationConfig", config));
    expect(made.ours.body).toEqual(made.sdk.body);
    await expectSame(say("GetTaskPushNotificationConfig", { taskId, id: "mine" }));
    await expectSame(say("ListTaskPushNotificationConfigs", { taskId }));
    const { ours, sdk } = await both(say("GetTaskPushNotificationConfig", { taskId, id: "another" }));
    expect(withoutMessage(ours)).toEqual(withoutMessage(sdk));
  });

  test("law: any valid message has the same answer", async () => {
    const sent = fc.asyncProperty(fc.constantFrom(...SENDING), anyRequest, async (method, params) => {
      await expectSame(say(method, params));
    });
    await fc.assert(sent, { numRuns: fuzzRuns(25), seed: 1 });
  });
});

const asking = { "A2A-Extensions": `https://unknown.example.com/, ${EXTENSION}` };

describe("0.3", () => {
  const say =
    (method: string, params: object): Send =>
    (url) =>
      a2aClient(url).openRpc(method, params, { headers: { "A2A-Version": "0.3" } });

  test.each(["message/send", "message/stream"])("%s: every answer of an agent", async (method) => {
    for (const script of ENDING_SCRIPTS) {
      const said = await expectSame(say(method, { message: legacyMessage(script), configuration: { blocking: true } }));
      expect([script, said.status]).toEqual([script, 200]);
    }
  });

  test("tasks/get, tasks/resubscribe and tasks/cancel", async () => {
    const params = { message: legacyMessage("tck-working"), configuration: { blocking: false } };
    const [one, two] = [await expectSame(say("message/send", params)), await expectSame(say("message/send", params))];
    const id = one.body.result!.id!;
    await expectSame(say("tasks/get", { id, historyLength: 1 }));
    const { body } = await expectSame(say("tasks/resubscribe", { id }), (agent) => agent.finish(id));
    expect(body).toHaveLength(2);
    await expectSame(say("tasks/cancel", { id: two.body.result!.id }));
  });
});

const HEADERS = { "A2A-Version": "1.0", "Content-Type": "application/json" };
const post =
  (body: object, headers = {}, query = ""): Send =>
  (url) =>
    fetch(`${url}${query}`, { method: "POST", headers: { ...HEADERS, ...headers }, body: JSON.stringify(body) });
const sent = (message: object) => rpc("SendMessage", { message });

// They come last: after them the two agents have not seen the same.
describe("difference", () => {
  test.each([
    ["without an id", { ...sent(message()), id: undefined }, -32600],
    ["of a message without parts", sent(message("tck", { parts: [] })), -32602],
    ["of a part without content", sent(message("tck", { parts: [{}] })), -32602],
    ["of a part of two contents", sent(message("tck", { parts: [{ text: "a", data: 1 }] })), -32602],
    ["of a message by the agent", sent(message("tck", { role: "ROLE_AGENT" })), -32602],
    ["of a number as text", sent(message("tck", { parts: [{ text: 1 }] })), -32602],
    ["of a state that there is not", rpc("ListTasks", { status: "coffee" }), -32602],
    ["of half a page", rpc("ListTasks", { pageSize: 0.5 }), -32602],
  ])("a request %s is refused here, and acted on there", async (_, body, code) => {
    const { ours, sdk } = await both(post(body));
    expect([ours.body.error?.code, sdk.body.error]).toEqual([code, undefined]);
  });

  test.each([
    ["1.0.1 is 1.0", { "A2A-Version": "1.0.1" }, ""],
    ["a version may be in the query", { "A2A-Version": "" }, "?A2A-Version=1.0"],
  ])("%s here (section 3.6), but not there", async (_, headers, query) => {
    const { ours, sdk } = await both(post(rpc("ListTasks", {}), headers, query));
    expect([ours.body.error, sdk.body.error?.code]).toEqual([undefined, expect.any(Number)]);
  });

  test("a stream over JSON-RPC names the extensions that it activates here, and not there", async () => {
    const { ours, sdk } = await both(post(rpc("SendStreamingMessage", { message: message() }), asking));
    expect([ours.extensions, sdk.extensions]).toEqual([EXTENSION, null]);
  });
});
