import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startProjectTask } from "../../../../src/domain/tasks/project-tasks.ts";
import { purgeTasks } from "../../../../src/domain/tasks/purge.ts";
import type { TaskState } from "../../../../src/domain/tasks/states.ts";
import { type TaskTurn, writeTurn } from "../../../../src/domain/tasks/write.ts";
import { DAY } from "../../../../src/platform/clock.ts";
import { testStore } from "../../../support/database/store.ts";
import { testChecker } from "../../../support/service/checker.ts";

const store = await testStore();
const { db, clock } = store;
afterAll(() => store.close());
let accountId: string;
beforeAll(async () => {
  accountId = await store.account(100);
});

let made = 0;

function newTurn(): TaskTurn {
  made += 1;
  const [taskId, messageId] = [`tsk_${made}`, `message ${made}`];
  return {
    ...{ taskId, messageId, contextId: "ctx", skill: "get_project", digest: "", history: "[]", metadata: null },
    ...{ revision: null, stateOnSuccess: "completed" },
  };
}

async function task(state: TaskState, isRead = false): Promise<string> {
  const one = newTurn();
  await db.tx((tx) => writeTurn(tx, accountId, one, { state, isRead, now: clock.now() }));
  return one.taskId;
}

const left = async () => (await db.q.select({ id: db.t.tasks.id }).from(db.t.tasks)).map(({ id }) => id).sort();
const messages = async () => (await db.q.select().from(db.t.taskMessages)).map(({ taskId }) => taskId).sort();

describe("purge", () => {
  test("deletes tasks that only read or were rejected after a day, and all others after 30, with their messages", async () => {
    const read = await task("completed", true);
    const rejected = await task("rejected");
    const done = await task("completed");
    const asking = await task("input_required", true);
    await purgeTasks(db, clock.now() + DAY - 1);
    expect(await left()).toEqual([read, rejected, done, asking].sort());
    await purgeTasks(db, clock.now() + DAY);
    expect(await left()).toEqual([done, asking].sort());
    await purgeTasks(db, clock.now() + 30 * DAY - 1);
    expect([await left(), await messages()]).toEqual([[done, asking].sort(), [done, asking].sort()]);
    await purgeTasks(db, clock.now() + 30 * DAY);
    expect([await left(), await messages()]).toEqual([[], []]);
  });

  test("takes more than one batch", async () => {
    await db.tx(async (tx) => {
      for (let n = 0; n < 1_050; n++) await writeTurn(tx, accountId, newTurn(), { state: "failed", now: clock.now() });
    });
    const last = await task("input_required");
    clock.pass(1);
    const kept = await task("failed");
    await purgeTasks(db, clock.now() - 1 + 30 * DAY);
    expect(await left()).toEqual([kept]);
    expect(last).not.toBe(kept);
    await purgeTasks(db, clock.now() + 30 * DAY);
  });

  test("never deletes a working task; one that nobody reads is completed with its project, and deleted later", async () => {
    const project = await store.index(accountId, ["https://example.com/"]);
    const watching = newTurn();
    await startProjectTask(db, accountId, watching, project.id, clock.now());
    await purgeTasks(db, clock.now() + 1_000 * DAY);
    expect(await left()).toEqual([watching.taskId]);
    await testChecker(store).until(clock.service() + 20 * DAY);
    await purgeTasks(db, clock.now());
    const [row] = await db.q.select().from(db.t.tasks);
    expect(row).toMatchObject({ state: "completed", revision: 1, expiresAt: clock.now() + 30 * DAY });
    await purgeTasks(db, clock.now() + 30 * DAY);
    expect(await left()).toEqual([]);
  });
});

describe("a turn", () => {
  test("of a message that was processed already is refused, and writes nothing", async () => {
    const one = newTurn();
    await db.tx((tx) => writeTurn(tx, accountId, one, { state: "completed", now: clock.now() }));
    const again = { ...newTurn(), messageId: one.messageId };
    const late = db.tx((tx) => writeTurn(tx, accountId, again, { state: "completed", now: clock.now() }));
    await expect(late).rejects.toMatchObject({ code: "idempotency_in_flight" });
    expect(await left()).not.toContain(again.taskId);
  });

  test("of a task that has changed is refused, and its message can be sent again", async () => {
    const one = newTurn();
    await db.tx((tx) => writeTurn(tx, accountId, one, { state: "input_required", now: clock.now() }));
    const next = { ...newTurn(), taskId: one.taskId, revision: 0 };
    await db.tx((tx) => writeTurn(tx, accountId, next, { state: "input_required", now: clock.now() }));
    const other = { ...newTurn(), taskId: one.taskId, revision: 0 };
    const late = db.tx((tx) => writeTurn(tx, accountId, other, { state: "completed", now: clock.now() }));
    await expect(late).rejects.toMatchObject({ code: "idempotency_in_flight" });
    expect((await db.q.select().from(db.t.taskMessages)).map(({ messageId }) => messageId)).not.toContain(
      other.messageId,
    );
  });

  test("of another account's task is refused", async () => {
    const one = newTurn();
    await db.tx((tx) => writeTurn(tx, accountId, one, { state: "input_required", now: clock.now() }));
    const stranger = await store.account(1);
    const next = { ...newTurn(), taskId: one.taskId, revision: 0 };
    const late = db.tx((tx) => writeTurn(tx, stranger, next, { state: "canceled", now: clock.now() }));
    await expect(late).rejects.toMatchObject({ code: "idempotency_in_flight" });
  });
});
