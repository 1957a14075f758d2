import { expect, test } from "vitest";
import { ReadinessProbe } from "../../../../src/process/health/readiness.ts";
import { testStore } from "../../../support/database/store.ts";

const probeOf = (isCurrent: () => Promise<boolean>) => new ReadinessProbe({ isCurrent }, 30);

test("ready: the database answers, and its schema is the one of this version", async () => {
  const store = await testStore();
  const checks = { process: "ok", database: "ok", schema: "ok" };
  expect(await new ReadinessProbe(store.db).check()).toEqual({ ready: true, checks });
  await store.close();
});

test.each([
  [
    "the process is stopping",
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
    "the database hangs",
    () => new Promise<boolean>(() => undefined),
    false,
    { process: "ok", database: "no_answer", schema: "unknown" },
  ],
] as const)("not ready: %s", async (_, isCurrent, stop, checks) => {
  const probe = probeOf(isCurrent);
  if (stop) probe.stop();
  expect(await probe.check()).toEqual({ ready: false, checks });
});

test("a database that hangs is queried once, however many requests wait for the result", async () => {
  let queries = 0;
  const probe = probeOf(() => {
    queries++;
    return new Promise(() => undefined);
  });
  await Promise.all([probe.check(), probe.check(), probe.check()]);
  await probe.check();
  expect(queries).toBe(1);
});
