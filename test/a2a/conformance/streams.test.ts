import { describe, expect, test } from "vitest";
import { BINDINGS } from "../../support/a2a/binding-client.ts";
import { bindingFixture, DONE } from "../../support/a2a/binding-fixture.ts";
import { eventsOf, message } from "../../support/a2a/test-bindings.ts";
import { eventually } from "../../support/service/eventually.ts";

/**
 * Streams, over both bindings: requirements of the official compatibility kit of A2A 1.0 by their ids. They are asked of the
 * service where it does what they are about, and of an agent that does what it is told where it does not.
 */
describe.each(BINDINGS)("%s", (binding) => {
  const fixture = bindingFixture(binding);

  test("STREAM-ORDER-001, 002, 003: every stream gets the same events in the same order", async () => {
    const configuration = { returnImmediately: true };
    const { task } = (
      await fixture.scriptedClient.call("SendMessage", { message: message("tck-working"), configuration })
    ).result;
    const streams = [0, 1, 2].map(() => fixture.scriptedClient.events("SubscribeToTask", { id: task.id }));
    await eventually(() => expect(fixture.scripted.agent.waiting).toBe(3));
    for (const text of ["one", "two", "three"]) fixture.scripted.agent.say(task.id, text);
    fixture.scripted.agent.finish(task.id);
    const [first, ...others] = await Promise.all(streams);
    const texts = first!.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts[0].text ?? []);
    expect(texts).toEqual(["one", "two", "three"]);
    for (const events of others) expect(events).toEqual(first);
  });

  test("STREAM-ORDER-004: closing one stream does not affect another", async () => {
    const configuration = { returnImmediately: true };
    const { task } = (
      await fixture.scriptedClient.call("SendMessage", { message: message("tck-working"), configuration })
    ).result;
    const abort = new AbortController();
    const closed = eventsOf(
      await fixture.scriptedClient.open("SubscribeToTask", { id: task.id }, { signal: abort.signal }),
    );
    await closed.next();
    const left = fixture.scriptedClient.events("SubscribeToTask", { id: task.id });
    await eventually(() => expect(fixture.scripted.agent.waiting).toBe(2));
    abort.abort();
    await eventually(() => expect(fixture.scripted.agent.waiting).toBe(1));
    fixture.scripted.agent.finish(task.id);
    expect((await left).at(-1)).toMatchObject({ statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } });
  });

  test.each(["tck-working", "tck-input-required"])(
    "STREAM-SUB-001, 002: a subscription begins with the task, and ends when the task ends: %s",
    async (script) => {
      const configuration = { returnImmediately: true };
      const { task } = (await fixture.scriptedClient.call("SendMessage", { message: message(script), configuration }))
        .result;
      const events = fixture.scriptedClient.events("SubscribeToTask", { id: task.id });
      await eventually(() => expect(fixture.scripted.agent.waiting).toBe(1));
      fixture.scripted.agent.finish(task.id);
      expect((await events).map((event) => Object.keys(event)[0])).toEqual(["task", "statusUpdate"]);
    },
  );

  test("STREAM-SUB-003, 004: a subscription to a task that has ended, or does not exist, is refused", async () => {
    const { id } = await fixture.taskOf(DONE);
    expect((await fixture.client.call("SubscribeToTask", { id })).reason).toBe("UNSUPPORTED_OPERATION");
    expect((await fixture.client.call("SubscribeToTask", { id: "nothing" })).reason).toBe("TASK_NOT_FOUND");
  });
});
