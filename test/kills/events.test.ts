import { afterAll, expect, test } from "vitest";
import { runsOf } from "../support/checks/fuzz-runs.ts";
import { testDatabase } from "../support/database/database.ts";
import { eventKills } from "../support/kills/events.ts";

const database = await testDatabase();
afterAll(() => database.drop());

/** `npm run chaos` does it over a hundred times. */
const KILLS = runsOf({ usually: 2, deep: 10 });

test(`law: over ${KILLS} kills each event that the ledger or a project implies is there once, and arrives at least once with the same id, signed`, {
  timeout: 240_000,
}, async () => {
  const { problems, events, messages } = await eventKills({ databaseUrl: database.url, seed: 20, kills: KILLS });
  expect(problems).toEqual([]);
  expect(events).toBeGreaterThan(20);
  expect(messages).toBeGreaterThan(events);
});
