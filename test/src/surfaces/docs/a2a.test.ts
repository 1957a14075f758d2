import { afterAll, expect, test } from "vitest";
import { TASK_RETENTION } from "../../../../src/domain/tasks/write.ts";
import { DAY } from "../../../../src/platform/clock.ts";
import { documentsOf } from "../../../../src/surfaces/docs/index.ts";
import { testService } from "../../../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());
const { markdown } = documentsOf(service.config).find(({ path }) => path === "/docs/a2a")!;

interface Sent {
  readonly id?: string;
  readonly part: object;
  readonly configuration?: object;
}

/** The JSON-RPC answer to a message of one part. */
async function send(key: string, { id = crypto.randomUUID(), part, configuration }: Sent) {
  const message = { messageId: id, role: "ROLE_USER", parts: [part] };
  const response = await fetch(`${service.url}/a2a`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "A2A-Version": "1.0", Authorization: `Bearer ${key}` },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message, configuration } }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: what came is looked at
  return (await response.json()) as any;
}

const submission = (urls: readonly string[], more: object = {}) => ({
  data: { skill: "submit_urls", input: { urls, ...more } },
});

test("law: tasks are kept as long as /docs/a2a says", () => {
  const days = TASK_RETENTION.other / DAY;
  expect(markdown).toContain(
    `has ended is kept for ${days} days, or for one day if it only read something or was rejected`,
  );
  expect(markdown).toContain(`waits for input is deleted after ${days} days`);
  expect(TASK_RETENTION.idle).toBe(DAY);
});

test("law: the same message gets the first answer and spends once; another with its id is -32602", async () => {
  const { key } = await service.account({ credits: 10 });
  const part = submission(["https://example.com/"]);
  const first = await send(key, { id: "one", part });
  expect(await send(key, { id: "one", part })).toEqual(first);
  const other = await send(key, { id: "one", part: submission(["https://example.com/other"]) });
  expect(other.error.code).toBe(-32602);
  expect(markdown).toContain("refused, over JSON-RPC with `-32602`");
  const { json } = await service.request("GET", "/account", { key });
  expect(json.credits).toBe(9);
});

test("law: with the same idempotency_key another message gets the first answer, under a new task", async () => {
  const { key } = await service.account({ credits: 10 });
  const part = submission(["https://example.com/"], { idempotency_key: "mine" });
  const [first, again] = [await send(key, { part }), await send(key, { part })];
  expect(again.result.task.id).not.toBe(first.result.task.id);
  expect(again.result.task.artifacts[0].parts).toEqual(first.result.task.artifacts[0].parts);
  const { json } = await service.request("GET", "/account", { key });
  expect(json.credits).toBe(9);
});

test.each([
  ["JSON in a fence", '```json\n{"skill":"submit_urls","input":{"urls":["https://example.com/"]}}\n```'],
  ["an address in brackets", "submit <https://example.com/>"],
])("Markdown is ignored: %s", async (_what, text) => {
  const { key } = await service.account({ credits: 10 });
  const { result } = await send(key, { part: { text } });
  expect(result.task.status.state).toBe("TASK_STATE_COMPLETED");
  expect(result.task.artifacts[0].parts[0].data).toMatchObject({ urls_accepted: 1, credits_spent: 1 });
});

test("a client that accepts only text gets the answer as JSON in a text part", async () => {
  const { key } = await service.account({ credits: 10 });
  const configuration = { acceptedOutputModes: ["text/plain"] };
  const { result } = await send(key, { part: { text: "balance" }, configuration });
  const [{ text, data }] = result.task.artifacts[0].parts;
  expect(data).toBeUndefined();
  expect(JSON.parse(text)).toMatchObject({ object: "account", credits: 10 });
});
