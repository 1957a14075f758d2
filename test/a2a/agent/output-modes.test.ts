import { afterAll, expect, test } from "vitest";
import { messageOf, TestAgent, taskIn } from "../../support/a2a/test-agent.ts";
import { testService } from "../../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());
const agent = new TestAgent(service);
const { key } = await service.account();

/** What a client gets that accepts these. */
async function partsFor(acceptedOutputModes: readonly string[] | undefined, text = "balance") {
  const configuration = acceptedOutputModes ? { acceptedOutputModes } : {};
  const request = { message: messageOf({ text }), configuration };
  const { status, artifacts } = taskIn(await agent.methods.sendMessage(request, await agent.call(key)));
  return artifacts?.[0]?.parts ?? status.message!.parts;
}

test.each([
  [undefined],
  [[]],
  [["application/json"]],
  [["text/plain", "application/json"]],
  [["text/plain", "*/*"]],
  [["image/png"]],
])("the answer is data for a client that accepts %j", async (modes) => {
  expect(await partsFor(modes)).toEqual([
    { data: expect.objectContaining({ credits: 150 }), mediaType: "application/json" },
  ]);
});

test.each([[["text/plain"]], [["Text/Plain; charset=utf-8"]], [["text/*", "image/png"]]])(
  "the answer is JSON as text for a client that accepts %j",
  async (modes) => {
    const [part, ...more] = await partsFor(modes);
    expect(more).toEqual([]);
    expect([part!.mediaType, part!.data, JSON.parse(part!.text!)]).toMatchObject([
      "text/plain",
      undefined,
      { credits: 150 },
    ]);
  },
);

test("a refusal is sent as text too, while the stored task keeps the data", async () => {
  const [part] = await partsFor(["text/plain"], "project prj_0000000000000");
  expect(JSON.parse(part!.text!)).toMatchObject({ error: { code: "not_found" } });
  const { tasks } = await agent.methods.listTasks({ status: "TASK_STATE_REJECTED" }, await agent.call(key));
  expect(tasks[0]!.status.message!.parts[0]!.data).toMatchObject({ error: { code: "not_found" } });
});

test("a stream is text from its first event on", async () => {
  const request = { message: messageOf({ text: "balance" }), configuration: { acceptedOutputModes: ["text/plain"] } };
  const events = [];
  for await (const event of agent.methods.streamMessage(request, await agent.call(key))) events.push(event);
  expect(JSON.stringify(events)).not.toContain('"data"');
});
