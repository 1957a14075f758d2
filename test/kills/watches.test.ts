import { afterAll, expect, test } from "vitest";
import { runsOf } from "../support/checks/fuzz-runs.ts";
import { testDatabase } from "../support/database/database.ts";
import { watchKills } from "../support/kills/watches.ts";

const database = await testDatabase();
afterAll(() => database.drop());

/** `npm run chaos -- --watches N` does it more often. */
const KILLS = runsOf({ usually: 2, deep: 10 });

test(`law: over ${KILLS} kills of a process in the middle of its runs of a watch, each page is submitted once, what was acknowledged is there, and it has spent what the ledger says`, {
  timeout: 240_000,
}, async () => {
  const lines: string[] = [];
  const options = { databaseUrl: database.url, seed: 22, kills: KILLS, say: (line: string) => lines.push(line) };
  const { problems, acknowledged, cut, pages } = await watchKills(options);
  expect(problems).toEqual([]);
  // A process is killed after it has acknowledged something, and nearly always with a run on its way.
  expect(acknowledged, lines.join("\n")).toBeGreaterThanOrEqual(KILLS);
  expect(cut, lines.join("\n")).toBeGreaterThan(0);
  expect(pages).toBeGreaterThan(60 + KILLS);
});
