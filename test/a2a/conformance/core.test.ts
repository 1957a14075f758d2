import { describe, expect, test } from "vitest";
import { BINDINGS, METHODS } from "../../support/a2a/binding-client.ts";
import { type Any, bindingFixture, DONE, MORE_NEEDED, SUBMIT, sendParams } from "../../support/a2a/binding-fixture.ts";
import { message } from "../../support/a2a/test-bindings.ts";
import { eventually } from "../../support/service/eventually.ts";

/**
 * The operations, over both bindings: requirements of the official compatibility kit of A2A 1.0 by their ids. They are asked of the
 * service where it does what they are about, and of an agent that does what it is told where it does not.
 */
describe.each(BINDINGS)("%s", (binding) => {
  const fixture = bindingFixture(binding);

  test("CORE-SEND-001: a message is answered by a task, or by a message", async () => {
    expect((await fixture.client.call("SendMessage", sendParams(DONE))).result).toEqual({ task: expect.any(Object) });
    expect((await fixture.client.call("SendMessage", sendParams({ text: "help" }))).result).toEqual({
      message: expect.any(Object),
    });
  });

  test("CORE-SEND-002: a task that has ended accepts no messages", async () => {
    const { id } = await fixture.taskOf(DONE);
    expect((await fixture.client.call("SendMessage", sendParams(DONE, { taskId: id }))).reason).toBe(
      "UNSUPPORTED_OPERATION",
    );
    expect((await fixture.client.call("SendStreamingMessage", sendParams(DONE, { taskId: id }))).reason).toBe(
      "UNSUPPORTED_OPERATION",
    );
  });

  test("CORE-SEND-003: a part of an unsupported media type is refused", async () => {
    const part = { raw: "aGVsbG8=", mediaType: "application/x-unsupported" };
    const { reason, answer } = await fixture.client.call("SendMessage", sendParams(part));
    expect([reason, answer.status]).toEqual(["CONTENT_TYPE_NOT_SUPPORTED", binding === "JSONRPC" ? 200 : 400]);
  });

  test("CORE-STREAM-001: a message is streamed", async () => {
    const response = await fixture.client.open("SendStreamingMessage", sendParams(DONE));
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    await response.text();
  });

  test("CORE-STREAM-002: a stream that begins with a message has nothing else in it", async () => {
    expect(await fixture.client.events("SendStreamingMessage", sendParams({ text: "help" }))).toEqual([
      { message: expect.any(Object) },
    ]);
  });

  test("CORE-STREAM-003: a stream of a task begins with the task, and ends with it", async () => {
    const events = await fixture.client.events("SendStreamingMessage", sendParams(DONE));
    expect(Object.keys(events[0])).toEqual(["task"]);
    const states = events.map(({ task, statusUpdate }) => (task ?? statusUpdate)?.status.state);
    expect(states.at(-1)).toBe("TASK_STATE_COMPLETED");
    const lifecycle = await fixture.scriptedClient.events("SendStreamingMessage", {
      message: message("tck-stream-003"),
    });
    expect(lifecycle.map((event) => Object.keys(event)[0])).toEqual([
      ...["task", "statusUpdate", "artifactUpdate", "statusUpdate"],
    ]);
  });

  test("CORE-GET-001, 002: a task in its present state; TaskNotFound if there is none", async () => {
    const task = await fixture.taskOf(DONE);
    expect((await fixture.client.call("GetTask", { id: task.id })).result).toEqual(task);
    const missing = await fixture.client.call("GetTask", { id: "00000000-0000-0000-0000-000000000000" });
    expect([missing.reason, missing.answer.status]).toEqual(["TASK_NOT_FOUND", binding === "JSONRPC" ? 200 : 404]);
  });

  test("CORE-LIST-001, AUTH-SCOPE-002: only the tasks of the caller", async () => {
    const { id } = await fixture.taskOf(DONE);
    expect((await fixture.client.call("ListTasks", {})).result.tasks.map((task: Any) => task.id)).toEqual([id]);
    expect((await fixture.otherClient.call("ListTasks", {})).result).toMatchObject({ tasks: [], totalSize: 0 });
  });

  test("CORE-LIST-002, 003, 004: pages by a cursor, the last changed first, an empty token on the last", async () => {
    for (let made = 0; made < 3; made++) {
      await fixture.taskOf(DONE);
      fixture.service.clock.pass(1_000);
    }
    const first = (await fixture.client.call("ListTasks", { pageSize: 2 })).result;
    const last = (await fixture.client.call("ListTasks", { pageSize: 2, pageToken: first.nextPageToken })).result;
    expect([first.tasks.length, last.tasks.length, last.nextPageToken]).toEqual([2, 1, ""]);
    const times = [...first.tasks, ...last.tasks].map(({ status }: Any) => status.timestamp);
    expect(times).toEqual([...new Set(times)].sort().reverse());
  });

  test("CORE-LIST-005: artifacts only if they are requested", async () => {
    await fixture.taskOf(DONE);
    expect((await fixture.client.call("ListTasks", {})).result.tasks[0]).not.toHaveProperty("artifacts");
    expect((await fixture.client.call("ListTasks", { includeArtifacts: true })).result.tasks[0].artifacts).toHaveLength(
      1,
    );
  });

  test("CORE-CANCEL-001, 002, 003: a task that is cancelled, has ended, or does not exist", async () => {
    const { id } = await fixture.taskOf(MORE_NEEDED);
    expect((await fixture.client.call("CancelTask", { id })).result).toMatchObject({
      id,
      status: { state: "TASK_STATE_CANCELED" },
    });
    const finished = await fixture.taskOf(DONE);
    expect((await fixture.client.call("CancelTask", { id: finished.id })).reason).toBe("TASK_NOT_CANCELABLE");
    expect((await fixture.client.call("CancelTask", { id: "nothing" })).reason).toBe("TASK_NOT_FOUND");
  });

  test("CORE-EXECUTION-MODE-001, 002: the answer waits for the end, unless returnImmediately is set", async () => {
    expect((await fixture.taskOf(MORE_NEEDED)).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    const configuration = { returnImmediately: true };
    const { result } = await fixture.scriptedClient.call("SendMessage", {
      message: message("tck-working"),
      configuration,
    });
    expect(result.task.status.state).toBe("TASK_STATE_WORKING");
    const waited = fixture.scriptedClient.call("SendMessage", { message: message("tck-working"), configuration: {} });
    await eventually(() => expect(fixture.scripted.agent.waiting).toBe(1));
    const { tasks } = (await fixture.scriptedClient.call("ListTasks", { pageSize: 1 })).result;
    fixture.scripted.agent.finish(tasks[0].id);
    expect((await waited).result.task.status.state).toBe("TASK_STATE_COMPLETED");
  });

  test("CORE-ERR-001, 002: an error names its reason and the field, before anything is executed", async () => {
    const { reason, answer } = await fixture.client.call("SendMessage", {
      message: { messageId: "m", role: "ROLE_USER", parts: [] },
    });
    expect(reason).toBe("INVALID_PARAMS");
    const { message: words, data, details } = answer.json.error;
    expect(words).toContain("message.parts");
    expect((data ?? details)[1]).toMatchObject({
      "@type": "type.googleapis.com/google.rpc.BadRequest",
      fieldViolations: [{ field: "message.parts", description: expect.any(String) }],
    });
    expect((await fixture.client.call("SendMessage", {})).reason).toBe("INVALID_PARAMS");
    expect((await fixture.client.call("ListTasks", {})).result.totalSize).toBe(0);
  });

  test("CORE-CAP-001, 003: push notifications are announced; the extended card is not, and is refused", async () => {
    for (const method of METHODS.filter((name) => name.includes("PushNotification")))
      expect((await fixture.client.call(method, { taskId: "x", id: "y", url: "https://example.com" })).reason).toBe(
        "TASK_NOT_FOUND",
      );
    expect((await fixture.client.call("GetExtendedAgentCard")).reason).toBe("UNSUPPORTED_OPERATION");
  });

  test("CORE-MULTI-001a, 003: a new task gets a context and an id, which the answer names", async () => {
    const [one, two] = [await fixture.taskOf(DONE), await fixture.taskOf(DONE)];
    for (const { id, contextId } of [one, two])
      expect([id, contextId]).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
    expect(one.id).not.toBe(two.id);
  });

  test("CORE-MULTI-002, 002a: a context of the client is used unchanged, or refused", async () => {
    const { result } = await fixture.client.call("SendMessage", sendParams(DONE, { contextId: "mine" }));
    expect(result.task.contextId).toBe("mine");
    expect((await fixture.client.call("SendMessage", sendParams(DONE, { contextId: "x".repeat(257) }))).reason).toBe(
      "INVALID_PARAMS",
    );
  });

  test("CORE-MULTI-004, 005, 006: an unknown task; the context of a task; another context", async () => {
    expect((await fixture.client.call("SendMessage", sendParams(DONE, { taskId: "nothing" }))).reason).toBe(
      "TASK_NOT_FOUND",
    );
    const { id, contextId } = await fixture.taskOf(MORE_NEEDED);
    const wrong = await fixture.client.call("SendMessage", sendParams(SUBMIT, { taskId: id, contextId: "another" }));
    expect(wrong.reason).toBe("INVALID_PARAMS");
    const { result } = await fixture.client.call("SendMessage", sendParams(SUBMIT, { taskId: id }));
    expect(result.task).toMatchObject({ id, contextId, status: { state: "TASK_STATE_COMPLETED" } });
  });

  test("CORE-HIST-001, 002, 003: no more history than was requested", async () => {
    const { id } = await fixture.taskOf(MORE_NEEDED);
    await fixture.client.call("SendMessage", sendParams(SUBMIT, { taskId: id }));
    expect((await fixture.client.call("GetTask", { id, historyLength: 0 })).result).not.toHaveProperty("history");
    expect((await fixture.client.call("GetTask", { id, historyLength: 1 })).result.history).toHaveLength(1);
    expect((await fixture.client.call("GetTask", { id })).result.history.length).toBeGreaterThanOrEqual(2);
    const sent = await fixture.client.call("SendMessage", { ...sendParams(DONE), configuration: { historyLength: 0 } });
    expect(sent.result.task).not.toHaveProperty("history");
  });

  test("CORE-HIST-004, 005, 006: messages are stored unchanged, in their order", async () => {
    const first = sendParams(MORE_NEEDED);
    const { task } = (await fixture.client.call("SendMessage", first)).result;
    const second = sendParams(SUBMIT, { taskId: task.id });
    await fixture.client.call("SendMessage", second);
    const { history } = (await fixture.client.call("GetTask", { id: task.id })).result;
    const sent = history.filter(({ role }: Any) => role === "ROLE_USER");
    expect(sent.map(({ messageId, parts }: Any) => ({ messageId, parts }))).toEqual(
      [first, second].map(({ message: { messageId, parts } }) => ({ messageId, parts })),
    );
  });
});
