import { randomUUID } from "node:crypto";
import { AgentCard, Message, type StreamResponse, type Task, TaskState } from "@a2a-js/sdk";
import { ClientFactory, ClientFactoryOptions, JsonRpcTransportFactory, RestTransportFactory } from "@a2a-js/sdk/client";
import { LegacyJsonRpcTransport } from "@a2a-js/sdk/compat/v0_3/client";
import { afterAll, describe, expect, test } from "vitest";
import { balanceOf } from "../../src/domain/ledger/ledger.ts";
import { decideNewest, limitKey, testResumer } from "../support/a2a/approvals.ts";
import { pushSender } from "../support/a2a/push-sender.ts";
import { hookReceiver } from "../support/network/hook-receiver.ts";
import { testService } from "../support/service/service.ts";

const service = await testService();
const resumer = testResumer(service);
const sender = pushSender(service);
const receiver = await hookReceiver();
afterAll(async () => {
  expect([resumer.errors, sender.errors]).toEqual([[], []]);
  await resumer.close();
  await sender.close();
  await receiver.close();
  await service.close();
});

/** The part of the SDK's clients that this flow takes. */
type StockClient = Pick<LegacyJsonRpcTransport, "sendMessage" | "getTask" | "cancelTask"> & {
  resubscribeTask(request: { tenant: string; id: string }): AsyncIterable<StreamResponse>;
};

/** The client of the SDK, over a binding of 1.0 or for 0.3. */
async function stockClient(binding: string, key: string): Promise<StockClient> {
  const url = `${service.url}/a2a`;
  const fetchImpl: typeof fetch = (address, init) => {
    const headers = new Headers(init?.headers);
    headers.set("Authorization", `Bearer ${key}`);
    return fetch(address, { ...init, headers });
  };
  if (binding === "0.3") return new LegacyJsonRpcTransport({ endpoint: url, fetchImpl });
  const transports = [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })];
  const factory = new ClientFactory(ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { transports }));
  const supportedInterfaces = [{ url, protocolBinding: binding, protocolVersion: "1.0" }];
  const capabilities = { streaming: true, pushNotifications: true };
  return factory.createFromAgentCard(AgentCard.fromJSON({ name: "Beckon", supportedInterfaces, capabilities }));
}

/** An account whose key needs a yes for more than one credit, and its client. */
async function withLimit(binding: string) {
  const { id, key } = await service.account();
  await limitKey(service, id, { approveAbove: 1 });
  const client = await stockClient(binding, key);
  const ask = async (configuration?: object) => {
    const urls = ["https://example.com/1", "https://example.com/2"];
    const parts = [{ data: { skill: "submit_urls", input: { urls } } }];
    const message = Message.fromJSON({ messageId: randomUUID(), role: "ROLE_USER", parts });
    const settings = configuration && {
      ...{ acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately: false },
      ...configuration,
    };
    return (await client.sendMessage({ tenant: "", message, configuration: settings, metadata: undefined })) as Task;
  };
  const read = (taskId: string) => client.getTask({ tenant: "", id: taskId, historyLength: undefined });
  const decide = (isApproved: boolean) => decideNewest(service, id, isApproved);
  return { client, ask, read, decide, spent: async () => 150 - (await balanceOf(service.db, id)) };
}

/** The first data part of a task's status message. */
function dataOf({ status }: Task): unknown {
  const parts = status?.message?.parts ?? [];
  return parts.map(({ content }) => content).find((content) => content?.$case === "data")?.value;
}

describe.each(["JSONRPC", "HTTP+JSON", "0.3"])("the client of the SDK over %s", (binding) => {
  test("law: a task waits for the approval as input-required, and goes on by itself after the yes", async () => {
    const { client, ask, read, decide, spent } = await withLimit(binding);
    const asked = await ask();
    expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const address = expect.stringMatching(/^http:\/\/beckon\.test\/dashboard\/approvals\/apr_/);
    expect(dataOf(asked)).toMatchObject({ error: { code: "approval_required", needed: 2, approval_url: address } });
    const events = client.resubscribeTask({ tenant: "", id: asked.id })[Symbol.asyncIterator]();
    await events.next();
    await decide(true);
    await resumer.resume();
    const seen: unknown[] = [];
    for (let next = await events.next(); !next.done; next = await events.next()) seen.push(next.value.payload);
    expect(seen.at(-1)).toMatchObject({
      $case: "statusUpdate",
      value: { status: { state: TaskState.TASK_STATE_COMPLETED } },
    });
    const done = await read(asked.id);
    expect(done.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(done.artifacts[0]?.parts[0]?.content).toMatchObject({ $case: "data", value: { credits_spent: 2 } });
    await resumer.resume();
    expect(await spent()).toBe(2);
  });

  test("law: a declined task is rejected; a canceled task cannot be approved", async () => {
    const { client, ask, read, decide, spent } = await withLimit(binding);
    const refused = await ask();
    await decide(false);
    await resumer.resume();
    expect((await read(refused.id)).status?.state).toBe(TaskState.TASK_STATE_REJECTED);
    service.clock.pass(1);
    const asked = await ask();
    const canceled = await client.cancelTask({ tenant: "", id: asked.id, metadata: undefined });
    expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    expect((await decide(true)).outcome).toBe("over");
    await resumer.resume();
    expect(await spent()).toBe(0);
  });

  test("law: pushes say that a task waits, and how it ended", async () => {
    const { ask, decide } = await withLimit(binding);
    const before = receiver.received.length;
    const url = `${receiver.url}/hook`;
    const push = { tenant: "", id: "", taskId: "", url, token: "", authentication: undefined };
    const { id } = await ask({ taskPushNotificationConfig: push, returnImmediately: true });
    await sender.send();
    await decide(true);
    await resumer.resume();
    await sender.send();
    const told = receiver.received.slice(before).map(({ body }) => stateIn(JSON.parse(body)));
    expect([told[0], told.at(-1)]).toEqual(
      binding === "0.3" ? ["input-required", "completed"] : ["TASK_STATE_INPUT_REQUIRED", "TASK_STATE_COMPLETED"],
    );
    expect(receiver.received.at(-1)!.body).toContain(id);
  });
});

interface StatusHolder {
  readonly status: { readonly state: string };
}

/** The state in a push: of a task or an update of 1.0, or of a task of 0.3. */
function stateIn(push: { task?: StatusHolder; statusUpdate?: StatusHolder } & Partial<StatusHolder>): string {
  const { task, statusUpdate, status } = push;
  return (status ?? (task ?? statusUpdate)!.status).state;
}
