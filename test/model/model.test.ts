import { expect, test } from "vitest";
import { isOnPostgres } from "../support/database/database.ts";
import { runModel } from "./model.ts";

/** Fewer where each command takes many times as long: what is proved of all commands is proved on SQLite. */
const COMMANDS = isOnPostgres ? 200 : 2_000;

test(`law: ledger = balance, spent = returned + kept, no link is acted on twice, over ${COMMANDS} commands with crashes`, async () => {
  expect(await runModel({ commands: COMMANDS, seed: 20_260_105 })).toBeGreaterThan(0.9 * COMMANDS);
}, 300_000);
