import { expect, test } from "vitest";
import { knownMigrations, type SchemaState } from "../../../../db/known-migrations.ts";
import { version } from "../../../../src/platform/version.ts";
import { ReadinessProbe } from "../../../../src/process/health/readiness.ts";
import { testStore } from "../../../support/database/store.ts";

type Schema = () => Promise<SchemaState>;

const probeOf = (schema: Schema) => new ReadinessProbe({ schema }, { timeoutMs: 30 });
const needed = knownMigrations("sqlite").length;
const found = (state: SchemaState) => async () => state;
const NEWEST: SchemaState = { age: "newest", number: needed, needed, version };

test("ready: the database answers, and its schema is the one of this version", async () => {
  const store = await testStore();
  const checks = { process: "ok", database: "ok", schema: "ok" };
  const schema = { needed, found: needed, found_version: version };
  expect(await new ReadinessProbe(store.db).check()).toEqual({ ready: true, checks, version, schema });
  await store.close();
});

test.each([
  ["the process is stopping", found(NEWEST), true, { process: "stopping", database: "ok", schema: "ok" }],
  [
    "a newer version has migrated",
    found({ age: "newer", number: needed + 1, needed, version: "0.9.0" }),
    false,
    { process: "ok", database: "ok", schema: "differs" },
  ],
  [
    "the database fails",
    (): Promise<SchemaState> => Promise.reject(new Error("password in here")),
    false,
    { process: "ok", database: "no_answer", schema: "unknown" },
  ],
  [
    "the database hangs",
    () => new Promise<SchemaState>(() => undefined),
    false,
    { process: "ok", database: "no_answer", schema: "unknown" },
  ],
] as const)("not ready: %s", async (_, schema, stop, checks) => {
  const probe = probeOf(schema);
  if (stop) probe.stop();
  expect(await probe.check()).toMatchObject({ ready: false, checks });
});

test("two nodes of different versions: the older one says its version, and which version has changed the database", async () => {
  const probe = probeOf(found({ age: "newer", number: needed + 1, needed, version: "0.9.0" }));
  const schema = { needed, found: needed + 1, found_version: "0.9.0" };
  expect(await probe.check()).toMatchObject({ version, schema });
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
