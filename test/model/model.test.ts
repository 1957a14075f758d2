import { expect, test } from "vitest";
import { isOnPostgres } from "../support/database/database.ts";
import { runModel } from "./model.ts";

/** Fewer on PostgreSQL, where each command takes many times as long. */
const COMMANDS = isOnPostgres ? 200 : 2_000;

test(`law: ledger = balance, spent = returned + kept, no link is acted on twice, over ${COMMANDS} commands with crashes`, async () => {
  expect(await runModel({ commands: COMMANDS, seed: 20_260_105 })).toBeGreaterThan(0.9 * COMMANDS);
}, 300_000);
