import { afterAll, expect, test } from "vitest";
import { testDatabase } from "./support/database/database.ts";
import { watchKills } from "./support/watches/kills.ts";

const database = await testDatabase();
afterAll(() => database.drop());

/** `npm run chaos -- --watches N` does it more often. */
const KILLS = 4;

test(`law: over ${KILLS} kills of a process that runs a watch, each page is submitted once, and it has spent what the ledger says`, {
  timeout: 240_000,
}, async () => {
  const { problems, pages } = await watchKills({ databaseUrl: database.url, seed: 22, kills: KILLS });
  expect(problems).toEqual([]);
  expect(pages).toBeGreaterThan(60);
});
