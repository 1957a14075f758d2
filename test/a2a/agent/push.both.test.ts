import { randomUUID } from "node:crypto";
import { AgentCard, Message, StreamResponse, type TaskPushNotificationConfig, TaskState } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import { TaskNotFoundError } from "@a2a-js/sdk/errors";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { createKey } from "../../../src/domain/credentials/keys.ts";
import { relayEvents } from "../../../src/domain/events/relay.ts";
import { purgeTasks } from "../../../src/domain/tasks/purge.ts";
import { queuePushes } from "../../../src/domain/tasks/queue-pushes.ts";
import { revokeCredentials } from "../../../src/domain/users/revoke-access.ts";
import { claimDeliveries } from "../../../src/domain/webhooks/queue.ts";
import { DAY, MINUTE, SECOND } from "../../../src/platform/clock.ts";
import { SIZES } from "../../../src/platform/sizes.ts";
import { pushSender } from "../../support/a2a/push-sender.ts";
import { a2aClient, message } from "../../support/a2a/test-bindings.ts";
import { changeOwner } from "../../support/database/people.ts";
import { type HookReceiver, hookReceiver } from "../../support/network/hook-receiver.ts";
import { testChecker } from "../../support/service/checker.ts";
import { testService } from "../../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());
const { db, clock } = service;
const work = testChecker(service);
const sender = pushSender(service);
afterAll(() => sender.close());

let receiver: HookReceiver;
let account: { id: string; key: string };
beforeEach(async () => {
  receiver = await hookReceiver();
  account = await service.account();
});
afterEach(async () => {
  await receiver.close();
  expect(sender.errors).toEqual([]);
});

async function clientOf(protocolBinding: string, key = account.key): Promise<Client> {
  const fetchImpl: typeof fetch = (address, init) => {
    const headers = new Headers(init?.headers);
    headers.set("Authorization", `Bearer ${key}`);
    return fetch(address, { ...init, headers });
  };
  const transports = [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })];
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { transports });
  // The card that is served names the public address, where nobody listens in tests.
  const supportedInterfaces = [{ url: `${service.url}/a2a`, protocolBinding, protocolVersion: "1.0" }];
  const capabilities = { streaming: true, pushNotifications: true };
  return new ClientFactory(options).createFromAgentCard(
    AgentCard.fromJSON({ name: "Beckon", supportedInterfaces, capabilities }),
  );
}

/** Calls methods by JSON-RPC. */
const caller = (key = account.key) => a2aClient(`${service.url}/a2a`, key);

async function project(): Promise<string> {
  const body = { urls: ["https://example.com/", "https://example.com/about"], idempotency_key: randomUUID() };
  const { json } = await service.request("POST", "/projects", { key: account.key, body });
  return json.project.id;
}

/** A task that watches a new project. */
async function watched(configuration: object = {}): Promise<string> {
  const params = {
    message: message("watch", { messageId: randomUUID(), parts: [{ text: `watch ${await project()}` }] }),
  };
  const settings = { returnImmediately: true, ...configuration };
  const { json } = await caller().rpc("SendMessage", { ...params, configuration: settings });
  return json.result.task.id;
}

const config = (taskId: string, more: Partial<TaskPushNotificationConfig> = {}): TaskPushNotificationConfig => ({
  ...{ tenant: "", id: "", taskId, url: `${receiver.url}/hook?path=secret`, token: "", authentication: undefined },
  ...more,
});

const create = (taskId: string, more: object = {}, key = account.key) =>
  caller(key).rpc("CreateTaskPushNotificationConfig", { taskId, url: `${receiver.url}/hook`, ...more });

const finish = () => work.until(clock.service() + 20 * DAY);

/** What came, as the SDK reads it. */
const received = () => receiver.received.map(({ body }) => StreamResponse.fromJSON(JSON.parse(body)).payload!);

describe.each(["JSONRPC", "HTTP+JSON"])("the client of the SDK over %s", (binding) => {
  test("law: pushes report a task that watches a project, and the last one has its final state", async () => {
    const client = await clientOf(binding);
    const taskId = await watched();
    const made = await client.createTaskPushNotificationConfig(config(taskId, { token: "a token" }));
    expect(made).toMatchObject({ taskId, url: `${receiver.url}/hook?path=secret`, id: expect.stringMatching(/./) });
    await sender.send();
    expect(receiver.received).toEqual([]);
    await finish();
    await sender.send();
    const [last] = received().slice(-1);
    expect(last).toMatchObject({
      $case: "task",
      value: { id: taskId, status: { state: TaskState.TASK_STATE_COMPLETED }, artifacts: [{}], history: [] },
    });
    expect(receiver.received[0]).toMatchObject({
      path: "/hook?path=secret",
      headers: { "content-type": "application/a2a+json", "x-a2a-notification-token": "a token" },
    });
    const before = receiver.received.length;
    await sender.send();
    expect(receiver.received).toHaveLength(before);
  });

  test("configurations are made, read, listed and deleted; none gives its secrets back", async () => {
    const client = await clientOf(binding);
    const taskId = await watched();
    const authentication = { scheme: "Bearer", credentials: "hidden" };
    await client.createTaskPushNotificationConfig(config(taskId, { id: "mine", token: "hidden", authentication }));
    const read = await client.getTaskPushNotificationConfig({ tenant: "", taskId, id: "mine" });
    expect(read).toMatchObject({ id: "mine", authentication: { scheme: "Bearer", credentials: "" }, token: "" });
    const list = () => client.listTaskPushNotificationConfig({ tenant: "", taskId, pageSize: 0, pageToken: "" });
    expect((await list()).configs).toEqual([read]);
    for (let times = 2; times > 0; times--)
      await client.deleteTaskPushNotificationConfig({ tenant: "", taskId, id: "mine" });
    expect((await list()).configs).toEqual([]);
    await expect(client.getTaskPushNotificationConfig({ tenant: "", taskId, id: "mine" })).rejects.toThrow(
      TaskNotFoundError,
    );
    await finish();
    await sender.send();
    expect(receiver.received).toEqual([]);
  });

  test("a configuration that comes with a message: pushes report the task, even one that ends at once", async () => {
    const client = await clientOf(binding);
    const taskPushNotificationConfig = config("", { authentication: { scheme: "Basic", credentials: "abc=" } });
    const request = {
      ...{ tenant: "", metadata: undefined },
      message: Message.fromJSON({ messageId: randomUUID(), role: "ROLE_USER", parts: [{ text: "balance" }] }),
      configuration: {
        ...{ acceptedOutputModes: [], historyLength: undefined, returnImmediately: false },
        taskPushNotificationConfig,
      },
    };
    const { id } = (await client.sendMessage(request)) as { id: string };
    // The same message again makes no other one.
    expect(await client.sendMessage(request)).toMatchObject({ id });
    await sender.send();
    expect(received()).toMatchObject([{ $case: "task", value: { id, status: { state: 3 }, artifacts: [{}] } }]);
    expect(receiver.received[0]!.headers.authorization).toBe("Basic abc=");
  });
});

test("each step that settles links sends a status update", async () => {
  const taskId = await watched();
  await create(taskId);
  const { accountId, no } = await settledStep();
  expect([accountId, no > 0]).toEqual([account.id, true]);
  await sender.send();
  expect(received()).toMatchObject([{ $case: "statusUpdate", value: { taskId, status: { state: 2 } } }]);
});

/** Lets an event say that links of the account's project were settled. @returns the event */
async function settledStep() {
  const { events, projects, accounts } = db.t;
  const [found] = await db.q.select().from(projects).where(eq(projects.accountId, account.id));
  return db.tx(async ({ q }) => {
    const [{ events: no } = { events: 0 }] = await q.select().from(accounts).where(eq(accounts.id, account.id));
    await q
      .update(accounts)
      .set({ events: no + 1 })
      .where(eq(accounts.id, account.id));
    const about = { accountId: account.id, no: no + 1, at: clock.now(), queuedAt: clock.now() };
    const [row] = await q
      .insert(events)
      .values({ ...about, type: "links.settled", projectId: found!.id, data: "{}" })
      .returning();
    return row!;
  });
}

test("a task that waits for input sends a push when it is answered, and when it is canceled", async () => {
  const client = caller();
  for (const end of ["answer", "cancel"] as const) {
    receiver.received.length = 0;
    const asked = await client.rpc("SendMessage", {
      message: message("ask", { messageId: randomUUID(), parts: [{ data: { skill: "get_project", input: {} } }] }),
      configuration: { taskPushNotificationConfig: { url: `${receiver.url}/hook` } },
    });
    const { id: taskId } = asked.json.result.task;
    await sender.send();
    expect(received()).toMatchObject([{ $case: "statusUpdate", value: { status: { state: 6 } } }]);
    const answer = {
      taskId,
      messageId: randomUUID(),
      parts: [{ data: { skill: "get_project", input: { project_id: await project() } } }],
    };
    if (end === "cancel") await client.rpc("CancelTask", { id: taskId });
    else await client.rpc("SendMessage", { message: message("answer", answer) });
    await sender.send();
    expect(received().slice(1)).toMatchObject([{ value: { id: taskId, status: { state: end === "answer" ? 3 : 5 } } }]);
  }
});

test("a configuration made by 0.3 gets pushes in the form of 0.3", async () => {
  const client = caller();
  const taskId = await watched();
  const pushNotificationConfig = { url: `${receiver.url}/old`, token: "t", authentication: { schemes: ["Bearer"] } };
  const { json } = await client.legacy("tasks/pushNotificationConfig/set", { taskId, pushNotificationConfig });
  expect(json.result).toMatchObject({ taskId, pushNotificationConfig: { url: `${receiver.url}/old` } });
  await finish();
  await sender.send();
  const { headers, body } = receiver.received.at(-1)!;
  expect([headers["content-type"], headers["x-a2a-notification-token"]]).toEqual(["application/json", "t"]);
  expect(JSON.parse(body)).toMatchObject({ kind: "task", id: taskId, status: { state: "completed" }, artifacts: [{}] });
});

test("law: secrets are stored sealed, and what waits has none", async () => {
  const taskId = await watched();
  await create(taskId, {
    token: "plain-token",
    authentication: { scheme: "Bearer", credentials: "plain-credentials" },
  });
  const rows = [await db.q.select().from(db.t.pushConfigs), await db.q.select().from(db.t.webhookDeliveries)];
  expect(JSON.stringify(rows)).not.toMatch(/plain-(token|credentials)/);
});

test("law: a configuration is its maker's: no other credential reads, lists or deletes it", async () => {
  const taskId = await watched();
  await create(taskId, { id: "mine" });
  const other = await db.tx((tx) =>
    createKey(tx, { accountId: account.id, name: "other", mode: "sandbox", now: clock.now() }),
  );
  const read = await caller(other).rpc("GetTaskPushNotificationConfig", { taskId, id: "mine" });
  expect(read.json.error.data[0].reason).toBe("TASK_NOT_FOUND");
  expect((await caller(other).rpc("ListTaskPushNotificationConfigs", { taskId })).json.result.configs).toEqual([]);
  await caller(other).rpc("DeleteTaskPushNotificationConfig", { taskId, id: "mine" });
  expect((await caller().rpc("ListTaskPushNotificationConfigs", { taskId })).json.result.configs).toHaveLength(1);
});

test("TASK_NOT_FOUND: a configuration for the task of another account, or of none", async () => {
  const taskId = await watched();
  const { key } = await service.account();
  for (const id of [taskId, "tsk_nothing"])
    expect((await create(id, {}, key)).json.error.data[0].reason).toBe("TASK_NOT_FOUND");
});

test("401: a message without a credential sends no push", async () => {
  const configuration = { taskPushNotificationConfig: { url: `${receiver.url}/hook` } };
  const sent = await a2aClient(`${service.url}/a2a`).rpc("SendMessage", { message: message("x"), configuration });
  expect(sent.status).toBe(401);
});

test.each([
  "http://example.com/",
  "https://10.0.0.1/",
  "https://[fd00::1]/",
  "ftp://example.com/",
  "https://u:p@x.com/",
])("INVALID_PARAMS: %s is not called, and a message that asks for it does nothing", async (url) => {
  const taskId = await watched();
  expect((await create(taskId, { url })).json.error).toMatchObject({ code: -32602 });
  const configuration = { taskPushNotificationConfig: { url } };
  const parts = [{ data: { skill: "submit_urls", input: { urls: ["https://example.com/x"] } } }];
  const sent = await caller().rpc("SendMessage", { message: message("no", { parts }), configuration });
  expect(sent.json.error.code).toBe(-32602);
  const projects = await db.q.select().from(db.t.projects).where(eq(db.t.projects.accountId, account.id));
  expect(projects).toHaveLength(1);
});

test("a host whose name later leads to a private network is refused at each attempt", async () => {
  const taskId = await watched();
  await create(taskId);
  const { pushConfigs, webhookDeliveries } = db.t;
  await db.tx(({ q }) =>
    q.update(pushConfigs).set({ url: "https://hooks.example.com/" }).where(eq(pushConfigs.taskId, taskId)),
  );
  await finish();
  const guarded = pushSender(service, { resolve: async () => [{ address: "10.0.0.1", family: 4 }] });
  await guarded.send();
  await guarded.close();
  const [row] = await db.q.select().from(webhookDeliveries).where(eq(webhookDeliveries.accountId, account.id));
  expect(JSON.parse(row!.attempts)).toMatchObject([{ status: null, reason: "not_public" }]);
});

test.each([{ status: 302, headers: { Location: "/else" } }, { status: 500 }])(
  "$status: the push is sent again, with the state that the task has then",
  async (answer) => {
    const taskId = await watched();
    await create(taskId);
    await settledStep();
    receiver.answer(answer);
    await sender.send();
    expect(received()).toMatchObject([{ $case: "statusUpdate" }]);
    receiver.answer({ status: 200 });
    await finish();
    await sender.send();
    expect(received().at(-1)).toMatchObject({ $case: "task", value: { status: { state: 3 } } });
    expect(receiver.received.map(({ path }) => path)).not.toContain("/else");
  },
);

test("410: the configuration ends", async () => {
  const taskId = await watched();
  await create(taskId);
  receiver.answer({ status: 410 });
  await finish();
  await sender.send();
  expect(receiver.received).toHaveLength(1);
  expect((await caller().rpc("ListTaskPushNotificationConfigs", { taskId })).json.result.configs).toEqual([]);
});

test("429: more configurations than a task may have", async () => {
  const taskId = await watched();
  for (let count = 0; count < SIZES.pushConfigsPerTask; count++) await create(taskId, { id: `config ${count}` });
  expect((await create(taskId, { id: "one more" })).status).toBe(429);
  // The same one again is a change.
  expect((await create(taskId, { id: "config 0", token: "new" })).status).toBe(200);
  const listed = await caller().rpc("ListTaskPushNotificationConfigs", { taskId });
  expect(listed.json.result.configs).toHaveLength(SIZES.pushConfigsPerTask);
});

test("429: more configurations than the open tasks of an account may have; ended tasks do not count", async () => {
  const taskId = await watched();
  const { pushConfigs } = db.t;
  const own = { accountId: account.id, taskId, maker: "another", protocol: "1.0", sealedSecrets: null, createdAt: 0 };
  const rows = Array.from({ length: SIZES.pushConfigsPerAccount }, (_, n) => {
    return { ...own, id: `pcf_${taskId}_${n}`, configId: `${n}`, url: `${receiver.url}/hook` };
  });
  await db.tx(async ({ q }) => void (await q.insert(pushConfigs).values(rows)));
  const another = await watched();
  expect((await create(another)).status).toBe(429);
  await finish();
  await caller().rpc("GetTask", { id: taskId });
  const third = await watched();
  expect((await create(third)).status).toBe(200);
  await db.tx(async ({ q }) => void (await q.delete(pushConfigs).where(eq(pushConfigs.maker, "another"))));
});

test("law: it ends with the credential that made it, and nothing more is sent", async () => {
  const taskId = await watched();
  await create(taskId);
  await db.tx((tx) => revokeCredentials(tx, { accountId: account.id }, { by: "owner", ip: "", now: clock.now() }));
  await finish();
  await sender.send();
  expect(receiver.received).toEqual([]);
  const { pushConfigs } = db.t;
  expect(await db.q.select().from(pushConfigs).where(eq(pushConfigs.taskId, taskId))).toEqual([]);
});

test("403: a key without `read` makes no configuration, and a message that asks for one does nothing", async () => {
  const { id, key } = await service.account({ scopes: ["index"] });
  const url = `${receiver.url}/hook`;
  const parts = [{ data: { skill: "submit_urls", input: { urls: ["https://example.com/x"] } } }];
  const configuration = { returnImmediately: true, taskPushNotificationConfig: { url } };
  const sent = await caller(key).rpc("SendMessage", { message: message("no", { parts }), configuration });
  expect(sent.status).toBe(403);
  const projects = await db.q.select().from(db.t.projects).where(eq(db.t.projects.accountId, id));
  expect(projects).toEqual([]);
  const made = await caller(key).rpc("SendMessage", { message: message("yes", { parts }) });
  const refused = await create(made.json.result.task.id, {}, key);
  expect(refused.status).toBe(403);
  expect(refused.headers.get("www-authenticate")).toContain('error="insufficient_scope", scope="read"');
  const set = { taskId: made.json.result.task.id, pushNotificationConfig: { url } };
  expect((await caller(key).legacy("tasks/pushNotificationConfig/set", set)).status).toBe(403);
  expect(await db.q.select().from(db.t.pushConfigs).where(eq(db.t.pushConfigs.accountId, id))).toEqual([]);
});

test.each([
  ["read", "index purchase"],
  ["the scope of the task's skill", "read purchase"],
])("law: it ends when its maker loses %s, and nothing more is sent", async (_, scopes) => {
  const parts = [{ data: { skill: "submit_urls", input: { urls: ["https://example.com/x"] } } }];
  const configuration = { taskPushNotificationConfig: { url: `${receiver.url}/hook` } };
  await caller().rpc("SendMessage", { message: message("submit", { parts }), configuration });
  const { apiKeys, pushConfigs } = db.t;
  await db.tx(({ q }) => q.update(apiKeys).set({ scopes }).where(eq(apiKeys.accountId, account.id)));
  await finish();
  await sender.send();
  expect(receiver.received).toEqual([]);
  expect(await db.q.select().from(pushConfigs).where(eq(pushConfigs.accountId, account.id))).toEqual([]);
});

test("the owner is mailed when a configuration is led to another origin, and not for another path", async () => {
  await db.tx((tx) => changeOwner(tx, account.id, { verifiedAt: 1 }));
  const taskId = await watched();
  await create(taskId, { id: "mine" });
  const other = await hookReceiver();
  await db.tx((tx) => service.mailer.queue(tx, null));
  const before = service.outbox.length;
  for (const url of [`${receiver.url}/other`, `${other.url}/hook`]) await create(taskId, { id: "mine", url });
  await db.tx((tx) => service.mailer.queue(tx, null));
  const told = service.outbox.slice(before).filter(({ subject }) => subject.includes("push notifications"));
  expect(told.map(({ text }) => text.includes(`${other.url}.`))).toEqual([true]);
  await other.close();
});

test("law: what a killed process was sending is sent by another one", async () => {
  const taskId = await watched();
  await create(taskId);
  await finish();
  await sender.send();
  await settledStep();
  receiver.received.length = 0;
  const now = clock.now();
  await relayEvents(db, [queuePushes], () => now);
  const options = { lease: "dead", leaseUntil: now + MINUTE, now, limit: 10, roomOf: () => 10, leftForUnproven: 10 };
  const claimed = await claimDeliveries(db, {
    ...options,
    isUnproven: () => false,
    provenHosts: [],
    fullHosts: [],
    fullAccounts: [],
  });
  expect(claimed).toHaveLength(1);
  await sender.send();
  expect(receiver.received).toEqual([]);
  clock.pass(MINUTE + SECOND);
  await sender.send();
  expect(received()).toMatchObject([{ $case: "task", value: { id: taskId } }]);
});

test("the owner is mailed about a new configuration once for each receiver of a credential, not for each task", async () => {
  await db.tx((tx) => changeOwner(tx, account.id, { verifiedAt: 1 }));
  const before = service.outbox.length;
  for (const taskId of [await watched(), await watched()]) await create(taskId, { url: `${receiver.url}/secret` });
  // Its own queue wakes no sender; this does.
  await db.tx((tx) => service.mailer.queue(tx, null));
  const mails = service.outbox.slice(before).filter(({ subject }) => subject.includes("push notifications"));
  expect(mails).toHaveLength(1);
  expect(mails[0]!.text).toContain(receiver.url);
  expect(mails[0]!.text).not.toContain("/secret");
});

test("configurations are deleted with their tasks", async () => {
  const taskId = await watched();
  await create(taskId);
  await finish();
  await sender.send();
  clock.pass(31 * DAY);
  await purgeTasks(db, clock.now());
  await purgeTasks(db, clock.now() + 31 * DAY);
  const { pushConfigs, webhookDeliveries } = db.t;
  expect(await db.q.select().from(pushConfigs).where(eq(pushConfigs.taskId, taskId))).toEqual([]);
  expect(await db.q.select().from(webhookDeliveries).where(eq(webhookDeliveries.accountId, account.id))).toEqual([]);
});
