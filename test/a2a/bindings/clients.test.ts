import { type AgentCard, AgentCard as Cards, Role, type SendMessageRequest, TaskState } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import { LegacyJsonRpcTransport } from "@a2a-js/sdk/compat/v0_3/client";
import { TaskNotFoundError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import { beforeEach, describe, expect, test } from "vitest";
import { testA2a } from "../../support/a2a/test-bindings.ts";
import { allTests } from "../../support/service/each-test.ts";

const at = allTests(testA2a);

let messages = 0;

function request(prefix: string, returnImmediately = false): SendMessageRequest {
  const content = { $case: "text", value: "Hello" } as const;
  return {
    tenant: "",
    message: {
      ...{ messageId: `${prefix}-sdk-${++messages}`, contextId: "", taskId: "", role: Role.ROLE_USER },
      ...{ parts: [{ content, metadata: undefined, filename: "", mediaType: "" }], metadata: undefined },
      ...{ extensions: [], referenceTaskIds: [] },
    },
    configuration: {
      ...{ acceptedOutputModes: [], taskPushNotificationConfig: undefined },
      returnImmediately,
    },
    metadata: undefined,
  };
}

function cardOf(binding: string): AgentCard {
  const supportedInterfaces = [{ url: at.url, protocolBinding: binding, protocolVersion: "1.0" }];
  const modes = { defaultInputModes: ["text/plain"], defaultOutputModes: ["text/plain"] };
  const about = { name: "Scripted", description: "Does what it is told", version: "1.0.0", skills: [] };
  return Cards.fromJSON({ ...about, ...modes, supportedInterfaces, capabilities: { streaming: true } });
}

async function clientOf(binding: string): Promise<Client> {
  const key = await at.key();
  const fetchImpl: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("Authorization", `Bearer ${key}`);
    return fetch(input, { ...init, headers });
  };
  const transports = [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })];
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { transports });
  return new ClientFactory(options).createFromAgentCard(cardOf(binding));
}

async function all<T>(events: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const event of events) list.push(event);
  return list;
}

describe.each(["JSONRPC", "HTTP+JSON"])("the client of the SDK over %s", (binding) => {
  let client: Client;
  beforeEach(async () => {
    client = await clientOf(binding);
  });

  test("sends a message, and gets a task or a message", async () => {
    expect(await client.sendMessage(request("tck-artifact-data"))).toMatchObject({
      status: { state: TaskState.TASK_STATE_COMPLETED },
      artifacts: [{ parts: [{ content: { $case: "data", value: { key: "value", count: 42 } } }] }],
    });
    expect(await client.sendMessage(request("tck-message-response"))).toMatchObject({ role: Role.ROLE_AGENT });
  });

  test("streams", async () => {
    const events = await all(client.sendMessageStream(request("tck-stream-001")));
    expect(events.map(({ payload }) => payload?.$case)).toEqual([
      "task",
      "statusUpdate",
      "artifactUpdate",
      "statusUpdate",
    ]);
  });

  test("reads, lists, follows and cancels tasks", async () => {
    const sent = (await client.sendMessage(request("tck-working", true))) as { id: string };
    const id = sent.id;
    expect(await client.getTask({ tenant: "", id, historyLength: 1 })).toMatchObject({ id, history: [{}] });
    const listed = await client.listTasks({
      ...{ tenant: "", contextId: "", status: TaskState.TASK_STATE_WORKING, pageSize: 10, pageToken: "" },
      ...{ historyLength: undefined, statusTimestampAfter: undefined, includeArtifacts: false },
    });
    expect(listed).toMatchObject({ tasks: [{ id }], totalSize: 1 });
    const followed = all(client.resubscribeTask({ tenant: "", id }));
    expect(await client.cancelTask({ tenant: "", id, metadata: undefined })).toMatchObject({
      status: { state: TaskState.TASK_STATE_CANCELED },
    });
    expect((await followed).at(-1)).toMatchObject({ payload: expect.anything() });
    await expect(all(client.resubscribeTask({ tenant: "", id }))).rejects.toThrow(UnsupportedOperationError);
  });

  test("recognises errors by their type", async () => {
    await expect(client.getTask({ tenant: "", id: "nothing", historyLength: undefined })).rejects.toThrow(
      TaskNotFoundError,
    );
  });
});

describe("the client of the SDK for 0.3", () => {
  test("sends, streams, reads and cancels", async () => {
    const key = await at.key();
    const fetchImpl: typeof fetch = (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set("Authorization", `Bearer ${key}`);
      return fetch(input, { ...init, headers });
    };
    const transport = new LegacyJsonRpcTransport({ endpoint: at.url, fetchImpl });
    expect(await transport.sendMessage(request("tck-complete-task"))).toMatchObject({
      status: { state: TaskState.TASK_STATE_COMPLETED },
    });
    const events = await all(transport.sendMessageStream(request("tck-stream-001")));
    expect(events.map(({ payload }) => payload?.$case)).toEqual([
      "task",
      "statusUpdate",
      "artifactUpdate",
      "statusUpdate",
    ]);
    const { id } = (await transport.sendMessage(request("tck-working", true))) as { id: string };
    expect(await transport.getTask({ tenant: "", id, historyLength: undefined })).toMatchObject({ id });
    expect(await transport.cancelTask({ tenant: "", id, metadata: undefined })).toMatchObject({
      status: { state: TaskState.TASK_STATE_CANCELED },
    });
    await expect(transport.getTask({ tenant: "", id: "nothing", historyLength: undefined })).rejects.toThrow(
      TaskNotFoundError,
    );
  });
});
