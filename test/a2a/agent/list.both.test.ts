import { RequestMalformedError, TaskNotFoundError } from "@a2a-js/sdk/errors";
import { afterAll, describe, expect, test } from "vitest";
import type { ListTasksRequest } from "../../../a2a/wire.ts";
import { createKey } from "../../../src/domain/credentials/keys.ts";
import { MINUTE } from "../../../src/platform/clock.ts";
import { Refusal } from "../../../src/platform/errors/errors.ts";
import { TestAgent } from "../../support/a2a/test-agent.ts";
import { testService } from "../../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());
const { clock, db } = service;
const agent = new TestAgent(service);

async function list(key: string | undefined, request: ListTasksRequest = {}) {
  return agent.methods.listTasks(request, await agent.call(key));
}

/** An account with tasks of these texts, a minute between two. */
async function having(...texts: string[]) {
  const account = await service.account();
  const ids: string[] = [];
  for (const text of texts) {
    ids.push((await agent.send(account.key, { text })).id);
    clock.pass(MINUTE);
  }
  return { ...account, ids };
}

const idsOf = ({ tasks }: Awaited<ReturnType<typeof list>>) => tasks.map(({ id }) => id);

describe("a list", () => {
  test("begins with the task changed last, has no artifacts, and always has a nextPageToken", async () => {
    const { key, ids } = await having("submit", "balance", "pricing");
    await agent.send(key, { taskId: ids[0]!, text: "I do not know yet" });
    const page = await list(key);
    expect(idsOf(page)).toEqual([ids[0], ids[2], ids[1]]);
    expect(page).toMatchObject({ nextPageToken: "", pageSize: 50, totalSize: 3 });
    expect(page.tasks.every((task) => !("artifacts" in task))).toBe(true);
    expect(page.tasks[0]!.history).toHaveLength(3);
  });

  test("has artifacts and history as requested", async () => {
    const { key, ids } = await having("balance");
    const { tasks } = await list(key, { includeArtifacts: true, historyLength: 0 });
    const whole = await agent.methods.getTask({ id: ids[0]!, historyLength: 0 }, await agent.call(key));
    expect(tasks).toEqual([whole]);
    expect(whole.artifacts).toHaveLength(1);
  });

  test("has every task once over all pages, also with equal times and while new tasks are created", async () => {
    const { key } = await service.account();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push((await agent.send(key, { text: "pricing" })).id);
    const seen: string[] = [];
    let pageToken = "";
    do {
      const page = await list(key, { pageSize: 2, pageToken });
      seen.push(...idsOf(page));
      pageToken = page.nextPageToken;
      clock.pass(1);
      await agent.send(key, { text: "balance" });
    } while (pageToken !== "");
    expect(seen).toEqual(ids.sort().reverse());
  });

  test("is filtered by context, state and time, and counts all matching tasks", async () => {
    const { key, ids } = await having("submit", "balance", "what?");
    const { contextId, status } = await agent.task(key, ids[1]!);
    expect(idsOf(await list(key, { contextId }))).toEqual([ids[1]]);
    expect(idsOf(await list(key, { status: "TASK_STATE_INPUT_REQUIRED" }))).toEqual([ids[0]]);
    expect(idsOf(await list(key, { status: "TASK_STATE_SUBMITTED" }))).toEqual([]);
    const since = { statusTimestampAfter: status.timestamp };
    expect(await list(key, { ...since, pageSize: 1 })).toMatchObject({ tasks: [{ id: ids[2] }], totalSize: 2 });
    expect(idsOf(await list(key, since))).toEqual([ids[2], ids[1]]);
  });

  test.each<[string, ListTasksRequest]>([
    ["a page token that was not given out", { pageToken: "abc" }],
    ["one that is nearly right", { pageToken: Buffer.from("1 tsk_x' OR 1=1").toString("base64url") }],
    ["no tasks per page", { pageSize: 0 }],
    ["more than 100 per page", { pageSize: 101 }],
    ["a time that is none", { statusTimestampAfter: "yesterday" }],
  ])("RequestMalformedError: %s", async (_, request) => {
    const { key } = await service.account();
    await expect(list(key, request)).rejects.toThrow(RequestMalformedError);
  });
});

describe("a task is seen", () => {
  test("only by its account", async () => {
    const [{ ids }, other] = [await having("balance"), await service.account()];
    expect(await list(other.key)).toMatchObject({ tasks: [], totalSize: 0 });
    for (const work of [() => agent.task(other.key, ids[0]!), () => agent.cancel(other.key, ids[0]!)]) {
      await expect(work()).rejects.toThrow(TaskNotFoundError);
    }
    await expect((await agent.subscribe(other.key, ids[0]!)).next()).rejects.toThrow(TaskNotFoundError);
  });

  test("only with credentials that may call its skill", async () => {
    const { id, key, ids } = await having("submit", "projects", "balance", "what?");
    const narrow = await db.tx((tx) =>
      createKey(tx, { accountId: id, name: "narrow", mode: "sandbox", now: clock.now(), scopes: ["purchase"] }),
    );
    expect(idsOf(await list(narrow))).toEqual([ids[3], ids[2]]);
    expect((await list(narrow)).totalSize).toBe(2);
    for (const hidden of ids.slice(0, 2)) {
      await expect(agent.task(narrow, hidden)).rejects.toThrow(TaskNotFoundError);
      await expect(agent.cancel(narrow, hidden)).rejects.toThrow(TaskNotFoundError);
      await expect(agent.send(narrow, { taskId: hidden, data: {} })).rejects.toThrow(TaskNotFoundError);
    }
    expect((await agent.task(key, ids[0]!)).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  });

  test("403 insufficient_scope: a repeated message of a credential that may not see the task", async () => {
    const { id, key } = await service.account();
    const message = { messageId: "the same", text: "projects" };
    await agent.send(key, message);
    const narrow = await db.tx((tx) =>
      createKey(tx, { accountId: id, name: "narrow", mode: "sandbox", now: clock.now(), scopes: ["purchase"] }),
    );
    const thrown = await agent.send(narrow, message).catch((reason) => reason);
    expect([thrown instanceof Refusal, thrown.code]).toEqual([true, "insufficient_scope"]);
  });

  test("401 unauthorized: not without a credential; the challenge says where to get one", async () => {
    const { ids } = await having("balance");
    const [id] = ids as [string];
    for (const ask of [() => list(undefined), () => agent.task(undefined, id), () => agent.cancel(undefined, id)]) {
      const thrown = await ask().catch((reason) => reason);
      expect(thrown).toMatchObject({ code: "unauthorized" });
      expect(thrown.headers["WWW-Authenticate"]).toContain("/.well-known/oauth-protected-resource/a2a");
      expect(thrown.headers).toHaveProperty("RateLimit-Limit");
    }
  });
});
