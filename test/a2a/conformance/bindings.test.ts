import { beforeEach, describe, expect, test } from "vitest";
import { BINDINGS, type BindingClient, bindingClient, METHODS } from "../../support/a2a/binding-client.ts";
import { type Any, bindingFixture, DONE, sendParams } from "../../support/a2a/binding-fixture.ts";

/**
 * That both bindings are alike, and the card, over both bindings: requirements of the official compatibility kit of A2A 1.0 by their ids. They are asked of the
 * service where it does what they are about, and of an agent that does what it is told where it does not.
 */
describe("both bindings", () => {
  const fixture = bindingFixture("JSONRPC");
  let clients: BindingClient[];
  beforeEach(() => {
    clients = BINDINGS.map((binding) => bindingClient(binding, `${fixture.service.url}/a2a`, fixture.key));
  });

  test("BIND-EQUIV-001: both have every method", async () => {
    for (const method of METHODS)
      for (const one of clients) {
        const { answer, reason } = await one.call(method, { ...sendParams(DONE), id: "x", taskId: "x" });
        expect([method, reason]).not.toEqual([method, "METHOD_NOT_FOUND"]);
        expect([404, 405].includes(answer.status) && reason !== "TASK_NOT_FOUND", method).toBe(false);
      }
  });

  test("BIND-EQUIV-002: both return the same task", async () => {
    const [overRpc, overRest] = clients;
    const { task } = (await overRpc!.call("SendMessage", sendParams(DONE))).result;
    for (const [method, params] of [
      ["GetTask", { id: task.id }],
      ["ListTasks", { includeArtifacts: true }],
    ] as const)
      expect((await overRest!.call(method, params)).result).toEqual((await overRpc!.call(method, params)).result);
  });

  test("BIND-EQUIV-003: both refuse for the same reason and with the same message", async () => {
    const { task } = (await clients[0]!.call("SendMessage", sendParams(DONE))).result;
    const refused: [string, object][] = [
      ["GetTask", { id: "nothing" }],
      ["GetTask", { id: "x", historyLength: -1 }],
      ["CancelTask", { id: task.id }],
      ["SubscribeToTask", { id: task.id }],
      ["SendMessage", sendParams({})],
      [
        "SendMessage",
        { ...sendParams(DONE), configuration: { taskPushNotificationConfig: { url: "http://example.com" } } },
      ],
      ["ListTasks", { pageSize: 101 }],
      ["GetExtendedAgentCard", {}],
    ];
    for (const [method, params] of refused) {
      const [overRpc, overRest] = await Promise.all(clients.map((one) => one.call(method, params)));
      expect(overRpc!.reason).toEqual(expect.any(String));
      const [{ code, message: words, data }, { error }] = [overRpc!.answer.json.error, overRest!.answer.json];
      expect([error.message, error.details]).toEqual([words, data]);
      expect(code).toBeLessThan(-32000);
    }
  });

  test("BIND-EQUIV-004: both accept the same credentials in the same headers", async () => {
    for (const headers of [{ Authorization: `Bearer ${fixture.key}` }, { "X-API-Key": fixture.key }])
      for (const binding of BINDINGS) {
        const { answer } = await bindingClient(binding, `${fixture.service.url}/a2a`).call(
          "ListTasks",
          {},
          { headers },
        );
        expect(answer.status).toBe(200);
      }
  });
});

describe("the agent card", () => {
  const fixture = bindingFixture("JSONRPC");
  const read = async () => {
    const response = await fetch(`${fixture.service.url}/.well-known/agent-card.json`, {
      headers: { "A2A-Version": "1.0" },
    });
    return { response, card: (await response.json()) as Any };
  };

  test("CARD-DISC-001, CARD-CACHE-001, 002: it is served, and can be cached", async () => {
    const { response } = await read();
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^application\/(a2a\+)?json/);
    expect(response.headers.get("cache-control")).toContain("max-age=");
    expect(response.headers.get("etag")).toMatch(/^(W\/)?"/);
  });

  test("CARD-STRUCT-001, CARD-PROTO-001, 002, BIND-FIELD-001: its members, and both bindings with their address", async () => {
    const { card } = await read();
    for (const field of "name description version skills defaultInputModes defaultOutputModes capabilities".split(" "))
      expect(card).toHaveProperty(field);
    const at10 = card.supportedInterfaces.filter(({ protocolVersion }: Any) => protocolVersion === "1.0");
    expect(at10.map(({ protocolBinding }: Any) => protocolBinding).sort()).toEqual(["HTTP+JSON", "JSONRPC"]);
    for (const { url } of card.supportedInterfaces) expect(url).toBe("http://beckon.test/a2a");
    expect(card.capabilities).toMatchObject({ streaming: true });
    expect([card.capabilities.pushNotifications, card.capabilities.extendedAgentCard ?? false]).toEqual([true, false]);
    for (const { required = false } of card.capabilities.extensions ?? []) expect(required).toBe(false);
  });
});
