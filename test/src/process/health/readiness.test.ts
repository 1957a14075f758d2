import { expect, test } from "vitest";
import { ReadinessProbe } from "../../../../src/process/health/readiness.ts";
import { testStore } from "../../../support/database/store.ts";

const asked = (isCurrent: () => Promise<boolean>) => new ReadinessProbe({ isCurrent }, 30);

test("ready: the database answers, and its schema is the one of this version", async () => {
  const store = await testStore();
  const checks = { process: "ok", database: "ok", schema: "ok" };
  expect(await new ReadinessProbe(store.db).check()).toEqual({ ready: true, checks });
  await store.close();
});

test.each([
  [
    "it is told to stop",
    async (): Promise<boolean> => true,
    true,
    { process: "stopping", database: "ok", schema: "ok" },
  ],
  [
    "another version has migrated",
    async (): Promise<boolean> => false,
    false,
    { process: "ok", database: "ok", schema: "differs" },
  ],
  [
    "the database fails",
    (): Promise<boolean> => Promise.reject(new Error("password in here")),
    false,
    { process: "ok", database: "no_answer", schema: "unknown" },
  ],
  [
    "it hangs",
    () => new Promise<boolean>(() => undefined),
    false,
    { process: "ok", database: "no_answer", schema: "unknown" },
  ],
] as const)("not ready: %s", async (_, isCurrent, stop, checks) => {
  const ready = asked(isCurrent);
  if (stop) ready.stop();
  expect(await ready.check()).toEqual({ ready: false, checks });
});

test("a database that hangs is asked once, however many requests wait for the result", async () => {
  let questions = 0;
  const ready = asked(() => {
    questions++;
    return new Promise(() => undefined);
  });
  await Promise.all([ready.check(), ready.check(), ready.check()]);
  await ready.check();
  expect(questions).toBe(1);
});
