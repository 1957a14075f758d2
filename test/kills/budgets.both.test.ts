import { afterAll, expect, test } from "vitest";
import { runsOf } from "../support/checks/fuzz-runs.ts";
import { testDatabase } from "../support/database/database.ts";
import { budgetKills } from "../support/kills/budgets.ts";

const database = await testDatabase();
afterAll(() => database.drop());

/** `npm run chaos` does it 200 times on each database, with ten processes. */
const RUNS = runsOf({ usually: 2, deep: 5 });

test(`law: ${RUNS} budgets that killed processes share, also on a slow database and while they are lowered, are never passed, are what the ledger says, and use each approval once`, {
  timeout: 240_000,
}, async () => {
  const { problems, kills, approvals, refused, slow, lowered } = await budgetKills({
    databaseUrl: database.url,
    seed: 21,
    runs: RUNS,
    processes: (random) => random.between(2, 4),
  });
  expect(problems).toEqual([]);
  expect(kills).toBeGreaterThanOrEqual(2 * RUNS);
  expect(approvals).toBeGreaterThanOrEqual(RUNS);
  expect(refused).toBeGreaterThan(kills);
  expect([slow, lowered]).toEqual([Math.floor(RUNS / 2), expect.any(Number)]);
  expect(lowered).toBeGreaterThan(0);
});
