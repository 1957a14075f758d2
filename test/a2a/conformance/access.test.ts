import { describe, expect, test } from "vitest";
import { BINDINGS, bindingClient, METHODS } from "../../support/a2a/binding-client.ts";
import { bindingFixture, DONE, MORE_NEEDED, SUBMIT, sendParams } from "../../support/a2a/binding-fixture.ts";
import { a2aClient } from "../../support/a2a/test-bindings.ts";

/**
 * Who may do what, and versions, over both bindings: requirements of the official compatibility kit of A2A 1.0 by their ids. They are asked of the
 * service where it does what they are about, and of an agent that does what it is told where it does not.
 */
describe.each(BINDINGS)("%s", (binding) => {
  const fixture = bindingFixture(binding);

  test("AUTH-SERVER-002: every method checks the credential", async () => {
    const wrong = bindingClient(binding, `${fixture.service.url}/a2a`, "bk_test_nobody");
    const params = { ...sendParams(DONE), id: "x", taskId: "x" };
    for (const method of METHODS) {
      const { answer } = await wrong.call(method, params);
      expect([method, answer.status, answer.headers.get("www-authenticate")]).toEqual([
        ...[method, 401, expect.stringContaining('resource_metadata="')],
      ]);
    }
  });

  test("AUTH-SCOPE-001: without a credential no task is read; without its scope nothing is done", async () => {
    for (const method of ["GetTask", "ListTasks", "CancelTask", "SubscribeToTask"])
      expect((await fixture.anonymousClient.call(method, { id: "x" })).answer.status, method).toBe(401);
    expect((await fixture.anonymousClient.call("SendMessage", sendParams(DONE))).answer.status).toBe(401);
    const reader = bindingClient(
      binding,
      `${fixture.service.url}/a2a`,
      (await fixture.service.account({ scopes: ["read"] })).key,
    );
    const { answer } = await reader.call("SendMessage", sendParams(SUBMIT));
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([
      403,
      expect.stringContaining('scope="index"'),
    ]);
  });

  test("AUTH-SCOPE-003: a task of another account is answered like one that does not exist", async () => {
    const { id } = await fixture.taskOf(MORE_NEEDED);
    for (const method of ["GetTask", "CancelTask", "SubscribeToTask"]) {
      const [theirs, none] = [
        await fixture.otherClient.call(method, { id }),
        await fixture.otherClient.call(method, { id: "nothing" }),
      ];
      expect(theirs.reason).toBe("TASK_NOT_FOUND");
      expect(theirs.answer.text).toBe(none.answer.text);
    }
    expect((await fixture.otherClient.call("SendMessage", sendParams(SUBMIT, { taskId: id }))).reason).toBe(
      "TASK_NOT_FOUND",
    );
  });

  test("VER-SERVER-002: an unsupported version is refused", async () => {
    const headers = { "A2A-Version": "99.0" };
    expect((await fixture.client.call("ListTasks", {}, { headers })).reason).toBe("VERSION_NOT_SUPPORTED");
  });
});

describe("JSON-RPC", () => {
  const fixture = bindingFixture("JSONRPC");

  test("VER-SERVER-001, 003: a request is read in its version, and none means 0.3", async () => {
    const client = a2aClient(`${fixture.service.url}/a2a`, (await fixture.service.account()).key);
    const parts = [{ kind: "data", ...DONE }];
    const legacy = { kind: "message", messageId: "m-1", role: "user", parts };
    const without = await client.legacy("message/send", { message: legacy });
    expect(without.json.result).toMatchObject({ kind: "task", status: { state: "completed" } });
    const empty = await client.legacy(
      "message/send",
      { message: { ...legacy, messageId: "m-2" } },
      { headers: { "A2A-Version": "" } },
    );
    expect(empty.json.result).toMatchObject({ kind: "task" });
    expect((await client.rpc("message/send", { message: legacy })).json.error.code).toBe(-32601);
    expect((await client.legacy("SendMessage", sendParams(DONE))).json.error.code).toBe(-32009);
  });
});
