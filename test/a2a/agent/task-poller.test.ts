import { setMaxListeners } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { TaskNotCancelableError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import { afterAll, describe, expect, test } from "vitest";
import { TaskPoller } from "../../../a2a/agent/task-poller.ts";
import type { StreamResponse } from "../../../a2a/wire.ts";
import { revokeKey } from "../../../src/domain/credentials/keys.ts";
import { createProject } from "../../../src/domain/projects/create.ts";
import { tasksByIds } from "../../../src/domain/tasks/read.ts";
import { DAY } from "../../../src/platform/clock.ts";
import { Refusal } from "../../../src/platform/errors/errors.ts";
import { packUrls } from "../../../src/platform/urls/packed-urls.ts";
import { codeOf, messageOf, resultOf, statusData, TestAgent, taskIn } from "../../support/a2a/test-agent.ts";
import { testChecker } from "../../support/service/checker.ts";
import { testService } from "../../support/service/service.ts";
import { stateOf } from "../../support/website/account-state.ts";

const service = await testService();
afterAll(() => service.close());
const { db, clock } = service;
const work = testChecker(service);

const URLS = ["https://example.com/", "https://example.com/about", "https://example.com/more"];

/** A project, and the agent of a process of its own. */
async function begun(drip_days = 0) {
  const account = await service.account();
  const agent = new TestAgent(service);
  const task = await agent.send(account.key, { data: { skill: "submit_urls", input: { urls: URLS, drip_days } } });
  const { id: projectId } = resultOf(task).project as { id: string };
  return { ...account, agent, projectId };
}

const finish = () => work.until(clock.service() + 20 * DAY);

/** The word for an event, and the state that it tells. */
function short(event: StreamResponse): string {
  if ("task" in event) return `task ${event.task.status.state.slice(11)}`;
  if ("statusUpdate" in event) return `status ${event.statusUpdate.status.state.slice(11)}`;
  return "artifactUpdate" in event ? `artifact ${event.artifactUpdate.artifact.name}` : "message";
}

/** Lets the event loop go round until then. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn();
}

async function codeIn(work: Promise<unknown>): Promise<string> {
  const thrown = await work.then(
    () => null,
    (reason) => reason,
  );
  expect(thrown).toBeInstanceOf(Refusal);
  return (thrown as Refusal).code;
}

describe("a task of watch_project", () => {
  test("is WORKING with the progress of the project, and COMPLETED with it, however it is read", async () => {
    const { agent, key, projectId } = await begun();
    const task = await agent.send(key, { text: `watch ${projectId}` });
    expect(task.status.state).toBe("TASK_STATE_WORKING");
    expect(task.status.message!.parts[0]!.text).toBe(
      "0 of 3 decided: 0 in Google, 0 not in Google, 0 not sent or unknown; 3 waiting, 0 being checked.",
    );
    expect(statusData(task)).toMatchObject({ project: { id: projectId, status: "active" } });
    expect(task).not.toHaveProperty("artifacts");
    await finish();
    const listed = await agent.methods.listTasks({ status: "TASK_STATE_COMPLETED" }, await agent.call(key));
    expect(listed.tasks.map(({ id }) => id)).toContain(task.id);
    const done = await agent.task(key, task.id);
    expect(done.status).toEqual({ state: "TASK_STATE_COMPLETED", timestamp: new Date(clock.now()).toISOString() });
    expect(done.artifacts).toMatchObject([{ name: "watch_project.result" }]);
    expect(resultOf(done)).toMatchObject({ object: "project", status: "completed", counts: { total: 3, waiting: 0 } });
    clock.pass(DAY);
    expect(await agent.task(key, task.id)).toEqual(done);
  });

  test("is COMPLETED at once if the project is completed already", async () => {
    const { agent, key, projectId } = await begun();
    await finish();
    expect((await agent.send(key, { text: `watch ${projectId}` })).status.state).toBe("TASK_STATE_COMPLETED");
  });

  test("400 invalid_request: accepts no field but the project", async () => {
    const { agent, key, projectId } = await begun();
    const urls = Array.from({ length: 2_000 }, () => "https://example.com/");
    const watched = await agent.send(key, { data: { skill: "watch_project", input: { project_id: projectId, urls } } });
    expect(watched.status.state).toBe("TASK_STATE_WORKING");
    const wrong = await agent.send(key, { data: { skill: "watch_project", input: { project_id: 7 } } });
    expect(codeOf(wrong)).toBe("invalid_request");
  });

  test("accepts no messages", async () => {
    const { agent, key, projectId } = await begun();
    const { id: taskId } = await agent.send(key, { text: `watch ${projectId}` });
    await expect(agent.send(key, { taskId, text: "balance" })).rejects.toThrow(UnsupportedOperationError);
  });

  test("is waited for by a message that is not streamed", async () => {
    const { agent, key, projectId } = await begun();
    const answer = agent.methods.sendMessage(
      { message: messageOf({ text: `watch ${projectId}` }) },
      await agent.call(key),
    );
    await until(() => agent.isPolling);
    await agent.poll(3);
    await finish();
    await agent.poll();
    expect(taskIn(await answer).status.state).toBe("TASK_STATE_COMPLETED");
    expect(agent.isPolling).toBe(false);
  });

  test("is waited for at most a minute, and then returned in its current state", async () => {
    const { agent, key, projectId } = await begun();
    const answer = agent.methods.sendMessage(
      { message: messageOf({ text: `watch ${projectId}` }) },
      await agent.call(key),
    );
    await until(() => agent.isPolling);
    await agent.poll(59);
    expect(agent.isPolling).toBe(true);
    await agent.poll();
    expect(taskIn(await answer).status.state).toBe("TASK_STATE_WORKING");
    expect(agent.isPolling).toBe(false);
  });
});

describe("a stream", () => {
  test("sends the task, every change, the result and the end, the same on every stream and process", async () => {
    const { agent, key, projectId } = await begun();
    const other = new TestAgent(service);
    const first = await agent.stream(key, { text: `watch ${projectId}` });
    const { id } = taskIn(await first.next());
    const second = await agent.subscribe(key, id);
    const third = await other.subscribe(key, id);
    expect(taskIn(await second.next())).toEqual(taskIn(await third.next()));
    const readings = [first, second, third].map((stream) => stream.rest());
    const pollBoth = async () => void (await Promise.all([agent.poll(), other.poll()]));
    await pollBoth();
    await work.until(clock.service() + DAY);
    await pollBoth();
    await pollBoth();
    await finish();
    await pollBoth();
    const [a, b, c] = await Promise.all(readings);
    expect(a!.map(short)).toEqual(["status WORKING", "artifact watch_project.result", "status COMPLETED"]);
    expect(b).toEqual(a);
    expect(c).toEqual(a);
    expect([agent.isPolling, other.isPolling]).toEqual([false, false]);
  });

  test("a slow reader misses intermediate changes, but never the end", async () => {
    const { agent, key, projectId } = await begun();
    const stream = await agent.stream(key, { text: `watch ${projectId}` });
    await stream.next();
    await work.until(clock.service() + DAY);
    await agent.poll();
    await work.until(clock.service() + 5 * DAY);
    await agent.poll();
    await finish();
    await agent.poll();
    expect((await stream.rest()).map(short)).toEqual(["artifact watch_project.result", "status COMPLETED"]);
  });

  test("for another skill sends its task, and ends", async () => {
    const { agent, key } = await begun();
    expect((await (await agent.stream(key, { text: "balance" })).rest()).map(short)).toEqual(["task COMPLETED"]);
    expect((await (await agent.stream(key, { text: "submit" })).rest()).map(short)).toEqual(["task INPUT_REQUIRED"]);
    expect((await (await agent.stream(key, { text: "help" })).rest()).map(short)).toEqual(["message"]);
  });

  test("for a repeated message continues with its task", async () => {
    const { agent, key, projectId } = await begun();
    const message = messageOf({ text: `watch ${projectId}` });
    const first = await agent.stream(key, message);
    const { id } = taskIn(await first.next());
    await first.leave();
    expect(agent.isPolling).toBe(false);
    const again = await agent.stream(key, message);
    expect(taskIn(await again.next()).id).toBe(id);
    await finish();
    await agent.poll();
    expect((await again.rest()).map(short)).toEqual(["artifact watch_project.result", "status COMPLETED"]);
  });

  test("closing one stream does not affect another", async () => {
    const { agent, key, projectId } = await begun();
    const gone = new AbortController();
    const first = await agent.stream(key, { text: `watch ${projectId}` }, gone.signal);
    const { id } = taskIn(await first.next());
    const second = await agent.subscribe(key, id);
    await second.next();
    const rest = first.rest();
    gone.abort();
    expect(await rest).toEqual([]);
    await finish();
    await agent.poll();
    expect(await second.rest()).toHaveLength(2);
  });

  test("ends when the task is cancelled, with the returned credits", async () => {
    const { agent, key, projectId } = await begun(30);
    const stream = await agent.stream(key, { text: `watch ${projectId}` });
    const { id } = taskIn(await stream.next());
    await new TestAgent(service).cancel(key, id);
    await agent.poll();
    expect((await stream.rest()).map(short)).toEqual(["artifact cancel_links.result", "status CANCELED"]);
  });

  test("law: ends at the next look at the credentials after its own was revoked", async () => {
    const { agent, id, key, projectId } = await begun();
    const stream = await agent.stream(key, { text: `watch ${projectId}` });
    await stream.next();
    await agent.poll(12);
    expect(agent.isPolling).toBe(true);
    const keyId = (await db.q.select().from(db.t.apiKeys)).find(({ accountId }) => accountId === id)!.id;
    await db.tx((tx) => revokeKey(tx, keyId, clock.now()));
    const rest = stream.rest();
    await agent.poll();
    expect(await rest).toEqual([]);
    expect(agent.isPolling).toBe(false);
  });

  test("subscribe: follows a task that waits for input until the task has ended", async () => {
    const { agent, key } = await begun();
    const asking = await agent.send(key, { text: "project" });
    const stream = await agent.subscribe(key, asking.id);
    expect(short((await stream.next())!)).toBe("task INPUT_REQUIRED");
    const rest = stream.rest();
    await agent.poll();
    await agent.send(key, { text: "help me", taskId: asking.id });
    await agent.poll();
    await agent.send(key, { text: "balance", taskId: asking.id });
    await agent.poll();
    expect((await rest).map(short)).toEqual([
      "status INPUT_REQUIRED",
      "artifact get_account.result",
      "status COMPLETED",
    ]);
    expect(agent.isPolling).toBe(false);
  });

  test("subscribe: a task that has ended is an UnsupportedOperationError", async () => {
    const { agent, key } = await begun();
    const over = await agent.send(key, { text: "balance" });
    await expect((await agent.subscribe(key, over.id)).next()).rejects.toThrow(UnsupportedOperationError);
    expect(await codeIn((await agent.subscribe(undefined, over.id)).next())).toBe("unauthorized");
  });

  test("429 rate_limited: at most 20 are open per account; closing one makes room", async () => {
    const { agent, key, projectId } = await begun();
    const { id } = await agent.send(key, { text: `watch ${projectId}` });
    const streams = [];
    for (let n = 0; n < 20; n++) {
      streams.push(await agent.subscribe(key, id));
      await streams.at(-1)!.next();
    }
    expect(await codeIn((await agent.subscribe(key, id)).next())).toBe("rate_limited");
    await streams[0]!.leave();
    expect(taskIn(await (await agent.subscribe(key, id)).next()).id).toBe(id);
    for (const stream of streams) await stream.leave();
  });

  test("503 unavailable: at most 1,000 are open per process, and one query reads all their tasks", async () => {
    const { agent, id: accountId, key, projectId } = await begun();
    const { id } = await agent.send(key, { text: `watch ${projectId}` });
    const [record] = await tasksByIds(db, [id]);
    let polls = 0;
    const every = () => {
      polls += 1;
      return () => undefined;
    };
    const poller = new TaskPoller({ db, clock, log: { error: () => undefined }, every });
    const { signal } = new AbortController();
    setMaxListeners(0, signal);
    for (let n = 0; n < 1_000; n++) poller.subscribe(record!, { accountId: `${accountId}${n % 100}`, signal });
    expect(() => poller.subscribe(record!, { accountId: "last", signal })).toThrow("Too many streams");
    expect([polls, poller.subscriberCount]).toEqual([1, 1_000]);
  });
});

describe("cancel", () => {
  test("unsent URLs of a watched project are cancelled, and their credits returned", async () => {
    const { agent, id, key, projectId } = await begun(30);
    const task = await agent.send(key, { text: `watch ${projectId}` });
    const canceled = await agent.cancel(key, task.id);
    expect([canceled.status.state, canceled.artifacts![0]!.name]).toEqual([
      "TASK_STATE_CANCELED",
      "cancel_links.result",
    ]);
    expect(resultOf(canceled)).toMatchObject({ cancelled: 3, credits_returned: 3, balance: 150 });
    expect((await stateOf(db, id)).balance).toBe(150);
    await expect(agent.cancel(key, task.id)).rejects.toThrow(TaskNotCancelableError);
    expect(await agent.task(key, task.id)).toEqual(canceled);
  });

  test("two processes at once: one cancels, the other finds that the task has ended", async () => {
    const { agent, id, key, projectId } = await begun(30);
    const task = await agent.send(key, { text: `watch ${projectId}` });
    const other = new TestAgent(service);
    const both = await Promise.allSettled([agent.cancel(key, task.id), other.cancel(key, task.id)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((both.find(({ status }) => status === "rejected") as PromiseRejectedResult).reason).toBeInstanceOf(
      TaskNotCancelableError,
    );
    expect((await stateOf(db, id)).balance).toBe(150);
  });

  test("403 insufficient_scope: a credential that only reads cancels nothing", async () => {
    const account = await service.account({ scopes: ["read"] });
    const project = await db.tx(async (tx) => {
      const draft = {
        kind: "index",
        mode: "standard",
        bing: false,
        yandex: false,
        dripDays: 30,
        preflight: false,
      } as const;
      return (
        await createProject(tx, {
          ...draft,
          accountId: account.id,
          urls: packUrls(URLS),
          now: clock.now(),
          service: clock.service(),
        })
      ).project;
    });
    const agent = new TestAgent(service);
    const task = await agent.send(account.key, { text: `watch ${project.id}` });
    expect(await codeIn(agent.cancel(account.key, task.id))).toBe("insufficient_scope");
    expect((await agent.task(account.key, task.id)).status.state).toBe("TASK_STATE_WORKING");
    expect((await stateOf(db, account.id)).balance).toBe(147);
  });

  test("a project that was completed meanwhile can no longer be cancelled", async () => {
    const { agent, key, projectId } = await begun();
    const task = await agent.send(key, { text: `watch ${projectId}` });
    await finish();
    await expect(agent.cancel(key, task.id)).rejects.toThrow(TaskNotCancelableError);
    expect((await agent.task(key, task.id)).status.state).toBe("TASK_STATE_COMPLETED");
  });

  test("a task that waits for input is ended; of a simultaneous cancel and message exactly one succeeds", async () => {
    const { agent, id, key } = await begun();
    const { id: taskId } = await agent.send(key, { text: "submit" });
    const other = new TestAgent(service);
    const before = (await stateOf(db, id)).projects.length;
    await Promise.allSettled([agent.cancel(key, taskId), other.send(key, { taskId, data: { urls: URLS } })]);
    const { status } = await agent.task(key, taskId);
    const made = (await stateOf(db, id)).projects.length - before;
    expect([status.state, made]).toEqual(
      status.state === "TASK_STATE_CANCELED" ? ["TASK_STATE_CANCELED", 0] : ["TASK_STATE_COMPLETED", 1],
    );
  });
});
