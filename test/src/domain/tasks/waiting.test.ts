import { beforeEach, expect, test } from "vitest";
import { dueTasks, postponeTask } from "../../../../src/domain/tasks/waiting.ts";
import { writeTurn } from "../../../../src/domain/tasks/write.ts";
import { HOUR, MINUTE } from "../../../../src/platform/clock.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
const now = () => store.clock.now();
let accountId: string;
beforeEach(async () => {
  accountId = await store.account(0);
});

const turnOf = (taskId: string, revision: number | null) => ({
  ...{ taskId, contextId: "ctx", skill: "submit_urls", messageId: null, digest: "", history: "[]", metadata: null },
  ...{ revision, stateOnSuccess: "completed" as const },
});

/** A task that is to be looked at. */
const waiting = (taskId: string, resumeAt: number, revision: number | null = null) =>
  store.db.tx((tx) =>
    writeTurn(tx, accountId, turnOf(taskId, revision), { state: "auth_required", resumeAt, now: now() }),
  );
const due = () => dueTasks(store.db, now(), 10);

test("of several that have found a task one has it until the time that it says, and nobody has one that has changed since", async () => {
  await waiting("tsk_late", now());
  await waiting("tsk_early", now() - MINUTE);
  await waiting("tsk_later", now() + 1);
  const [early, late] = await due();
  expect([early, late].map((task) => task!.id)).toEqual(["tsk_early", "tsk_late"]);
  const postpone = (task: NonNullable<typeof early>) => store.db.tx((tx) => postponeTask(tx, task, now() + HOUR));
  expect([await postpone(early!), await postpone(early!)]).toEqual([true, false]);
  expect((await due()).map(({ id }) => id)).toEqual(["tsk_late"]);
  await waiting("tsk_late", now(), 0);
  expect(await postpone(late!)).toBe(false);
  expect(await due()).toEqual([{ ...late, revision: 1 }]);
  store.clock.pass(HOUR);
  expect((await due()).map(({ id }) => id)).toEqual(["tsk_late", "tsk_later", "tsk_early"]);
});
