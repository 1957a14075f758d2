import { describe, expect, test } from "vitest";
import { BINDINGS } from "../../support/a2a/binding-client.ts";
import { type Any, bindingFixture, DONE, MORE_NEEDED, sendParams } from "../../support/a2a/binding-fixture.ts";
import { message } from "../../support/a2a/test-bindings.ts";

/**
 * The forms of objects, over both bindings: requirements of the official compatibility kit of A2A 1.0 by their ids. They are asked of the
 * service where it does what they are about, and of an agent that does what it is told where it does not.
 */
const STATES = [
  "SUBMITTED",
  "WORKING",
  "COMPLETED",
  "FAILED",
  "CANCELED",
  "INPUT_REQUIRED",
  "REJECTED",
  "AUTH_REQUIRED",
];
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Every object and list in a value, with the name it has there. */
function walk(value: Any, visit: (name: string, value: Any) => void, name = ""): void {
  visit(name, value);
  // What an operation answers is its own, and not of the protocol.
  if (typeof value !== "object" || value === null || name === "data" || name === "metadata") return;
  for (const [key, one] of Object.entries(value)) walk(one, visit, Array.isArray(value) ? name : key);
}

describe.each(BINDINGS)("%s", (binding) => {
  const fixture = bindingFixture(binding);

  test("DM-TASK, DM-MSG, DM-PART, DM-ART, DM-STATUS, DM-SERIAL: every answer has the form of the protocol", async () => {
    const tasks = [
      await fixture.taskOf(DONE),
      await fixture.taskOf(MORE_NEEDED),
      await fixture.taskOf({ text: "sing" }),
    ];
    const { result } = await fixture.client.call("SendMessage", sendParams({ text: "help" }));
    const listed = (await fixture.client.call("ListTasks", { includeArtifacts: true })).result;
    const streamed = await fixture.client.events("SendStreamingMessage", sendParams(DONE));
    const met = new Set<string>();
    walk([...tasks, result, listed, streamed], (name, value) => {
      if (typeof value === "object" && value && !Array.isArray(value) && !["data", "metadata"].includes(name))
        for (const field of Object.keys(value)) expect(field).toMatch(/^[a-z][a-zA-Z0-9]*$/);
      if (name === "state") expect(STATES.map((state) => `TASK_STATE_${state}`)).toContain(value);
      if (name === "role") expect(["ROLE_USER", "ROLE_AGENT"]).toContain(value);
      if (name === "timestamp") expect(value).toMatch(TIME);
      if (value?.messageId) expect(value).toMatchObject({ role: expect.any(String), parts: expect.any(Array) });
      if (value?.artifactId)
        expect(value).toMatchObject({ artifactId: expect.stringMatching(/./), parts: expect.any(Array) });
      if (value?.status) expect(value.status).toMatchObject({ state: expect.any(String) });
      if (name === "parts" && !Array.isArray(value))
        expect(Object.keys(value).filter((field) => ["text", "raw", "url", "data"].includes(field))).toHaveLength(1);
      met.add(name);
    });
    for (const name of ["state", "role", "timestamp", "parts", "artifacts", "history"]) expect(met).toContain(name);
    for (const task of tasks)
      expect(task).toMatchObject({ id: expect.any(String), contextId: expect.any(String), status: {} });
  });

  test("DM-ART-001: artifacts of text, file, link and data are passed on unchanged", async () => {
    const kinds = { text: "text", file: "raw", "file-url": "url", data: "data" };
    for (const [kind, content] of Object.entries(kinds)) {
      const { task } = (await fixture.scriptedClient.call("SendMessage", { message: message(`tck-artifact-${kind}`) }))
        .result;
      expect(task.artifacts[0].parts[0]).toHaveProperty(content);
    }
    expect(
      (await fixture.scriptedClient.call("SendMessage", { message: message("tck-reject-task") })).result.task.status
        .state,
    ).toBe("TASK_STATE_REJECTED");
  });

  test("DM-SERIAL-004, 005: a missing required field is refused, and an unknown field is ignored", async () => {
    const surprise = { surprise: { a: [1] } };
    const request = { ...sendParams({ ...DONE, ...surprise }, surprise), ...surprise, configuration: surprise };
    expect((await fixture.client.call("SendMessage", request)).result.task.status.state).toBe("TASK_STATE_COMPLETED");
    for (const field of ["messageId", "role", "parts"])
      expect((await fixture.client.call("SendMessage", sendParams(DONE, { [field]: undefined }))).reason).toBe(
        "INVALID_PARAMS",
      );
  });
});
