import { expect, test } from "vitest";
import type { Engines } from "../../../../../src/indexing/engines/engine.ts";
import type { Fate } from "../../../../../src/indexing/engines/sandbox/fate.ts";
import { HOUR } from "../../../../../src/platform/clock.ts";
import { testStore } from "../../../../support/database/store.ts";
import { testChecker } from "../../../../support/service/checker.ts";
import { urlOf } from "../../../../support/service/sandbox-urls.ts";

const FATES: readonly Fate[] = ["hour", "day_4", "day_14", "never", "rejected", "late_answer", "dropped", "withdrawn"];
const URLS = FATES.flatMap((fate) => Array.from({ length: 5 }, (_, i) => urlOf(fate, `${fate}-${i}`)));

/** What becomes of a project whose every step is done so long after it was due. */
async function played(late: number) {
  const store = await testStore();
  const times: number[] = [];
  const due = new Set<number>();
  const { checker } = testChecker(store, (sandbox) => listening(sandbox, (asOf) => times.push(asOf)));
  try {
    const project = await store.index(await store.account(1_000), URLS, { mode: "instant" });
    for (let next = await checker.nextDue(); next !== null; next = await checker.nextDue()) {
      for (const { dueAt } of await store.db.q.select().from(store.db.t.steps)) due.add(dueAt);
      store.clock.pass(Math.max(0, next + late - store.clock.service()));
      await checker.drain();
    }
    return { times, due, states: (await store.links(project)).map(({ link }) => link.state) };
  } finally {
    await store.close();
  }
}

/** The same engines, with a listener that gets the time for which each lookup is made. */
function listening(sandbox: Engines, tell: (asOf: number) => void): Engines {
  const check: Engines["verifier"]["check"] = (batch) => {
    tell(batch.asOf);
    return sandbox.verifier.check(batch);
  };
  return { ...sandbox, verifier: { check } };
}

test("the same links have the same outcome, however late their steps are done", async () => {
  const punctual = await played(0);
  expect(new Set(punctual.states)).toEqual(new Set(["indexed", "not_indexed", "failed"]));
  expect((await played(10 * HOUR)).states).toEqual(punctual.states);
});

test("a late check sees the sandbox as it was when the check was due", async () => {
  const { times, due } = await played(HOUR);
  expect(times.length).toBeGreaterThan(5);
  expect(times.filter((asOf) => !due.has(asOf))).toEqual([]);
});
