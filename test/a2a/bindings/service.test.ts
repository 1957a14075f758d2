import { ClientFactory, ClientFactoryOptions, JsonRpcTransportFactory, RestTransportFactory } from "@a2a-js/sdk/client";
import { beforeAll, expect, test } from "vitest";
import { createAccount } from "../../../src/domain/accounts/accounts.ts";
import { createKey } from "../../../src/domain/credentials/keys.ts";
import { bookSandboxOrder } from "../../../src/domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../../../src/domain/payments/orders/packs.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { createLog } from "../../../src/process/log.ts";
import { startService } from "../../../src/process/service.ts";
import { a2aClient, allEvents, eventsOf, legacyMessage, message } from "../../support/a2a/test-bindings.ts";
import { testDatabase } from "../../support/database/database.ts";
import { allTests } from "../../support/service/each-test.ts";
import { testService } from "../../support/service/service.ts";

const service = allTests(testService);
let client: ReturnType<typeof a2aClient>;

beforeAll(async () => {
  client = a2aClient(`${service.url}/a2a`, (await service.account()).key);
});

const parts = [{ data: { skill: "get_account", input: {} } }];

test("200: the service is an agent over both bindings, in both versions", async () => {
  const overRpc = await client.rpc("SendMessage", { message: message("x", { parts }) });
  expect(overRpc.json.result.task.status.state).toBe("TASK_STATE_COMPLETED");
  const overRest = await client.rest("POST", "/message:send", { message: message("x", { parts }) });
  expect(overRest.json.task.artifacts).toMatchObject([{ parts: [{ data: { object: "account", credits: 150 } }] }]);
  const legacy = legacyMessage("x", { parts: parts.map((part) => ({ kind: "data", ...part })) });
  const in03 = await client.legacy("message/send", { message: legacy });
  expect(in03.json.result).toMatchObject({ kind: "task", status: { state: "completed" } });
  const { json } = await client.rest("GET", "/tasks?pageSize=2");
  expect(json).toMatchObject({ totalSize: 3, pageSize: 2, nextPageToken: expect.stringMatching(/./) });
});

test("200: a stream ends with its task", async () => {
  const response = await client.openRpc("SendStreamingMessage", { message: message("x", { parts }) });
  const events = await allEvents(response);
  expect(events[0].result.task.id).toEqual(expect.any(String));
  expect(service.errors).toEqual([]);
});

test("401: a task needs a credential, and the challenge says where to get one", async () => {
  const { status, headers } = await client.rest("GET", "/tasks", undefined, { key: undefined });
  expect(status).toBe(401);
  expect(headers.get("www-authenticate")).toContain("/.well-known/oauth-protected-resource/a2a");
});

test.each(["JSONRPC", "HTTP+JSON"])(
  "the client of the SDK finds the agent by its card, and calls it over %s",
  async (binding) => {
    const home = await testService({ publishUrl: true });
    const { key } = await home.account();
    const fetchImpl: typeof fetch = (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set("Authorization", `Bearer ${key}`);
      return fetch(input, { ...init, headers });
    };
    const transports = [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })];
    const options = { transports, preferredTransports: [binding] };
    const factory = new ClientFactory(ClientFactoryOptions.createFrom(ClientFactoryOptions.default, options));
    const sdk = await factory.createFromUrl(home.url);
    const { tasks } = await sdk.listTasks({
      ...{ tenant: "", contextId: "", status: 0, pageSize: 10, pageToken: "" },
      ...{ historyLength: undefined, statusTimestampAfter: undefined, includeArtifacts: false },
    });
    expect(tasks).toEqual([]);
    await home.close();
  },
);

test("a stream ends properly when the service stops, and does not delay the stop", async () => {
  const database = await testDatabase();
  const config = readConfig({ PORT: "0", DATABASE_URL: database.url, LOG_LEVEL: "silent" });
  const running = await startService(config, createLog(config));
  const { db, clock } = running.instance;
  const key = await db.tx(async (tx) => {
    const now = clock.now();
    const { id } = await createAccount(tx, { email: "agent@example.com", now });
    await bookSandboxOrder(tx, { accountId: id, pack: PACKS[0], credits: 150, now });
    return createKey(tx, { accountId: id, name: "test", mode: "sandbox", now });
  });
  const agent = a2aClient(`${running.address}/a2a`, key);
  const submit = [{ data: { skill: "submit_urls", input: { urls: ["https://example.com/"] } } }];
  const submitted = await agent.rpc("SendMessage", { message: message("x", { parts: submit }) });
  const { project } = submitted.json.result.task.artifacts[0].parts[0].data;
  const watch = [{ data: { skill: "watch_project", input: { project_id: project.id } } }];
  const events = eventsOf(await agent.openRpc("SendStreamingMessage", { message: message("x", { parts: watch }) }));
  expect((await events.next()).done).toBe(false);
  const rest = (async () => {
    for await (const _ of events);
  })();
  await running.stop();
  // A connection that is still open after 10 s is cut, and then this is an error.
  await expect(rest).resolves.toBeUndefined();
  await database.drop();
});
