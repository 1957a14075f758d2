import { expect, test } from "vitest";
import { runsOf } from "../support/checks/fuzz-runs.ts";
import { isOnPostgres } from "../support/database/database.ts";
import { runApprovalModel } from "./approvals.ts";
import { runMemberModel } from "./members.ts";
import { runModel } from "./model.ts";
import { runWatchModel } from "./watches.ts";

/** Fewer on PostgreSQL, where each command takes many times as long. */
const COMMANDS = runsOf(isOnPostgres ? { usually: 80, deep: 800 } : { usually: 400, deep: 6_000 });

test(`law: ledger = balance, spent = returned + kept, no link is acted on twice, over ${COMMANDS} commands with crashes`, async () => {
  expect(await runModel({ commands: COMMANDS, seed: 20_260_105 })).toBeGreaterThan(0.8 * COMMANDS);
}, 900_000);

const APPROVAL_HISTORIES = runsOf(isOnPostgres ? { usually: 2, deep: 40 } : { usually: 25, deep: 400 });

test(`law: a call that needs a yes is made once for each, within its day, over ${APPROVAL_HISTORIES} histories with crashes`, async () => {
  expect(await runApprovalModel({ histories: APPROVAL_HISTORIES, seed: 21 })).toBe(APPROVAL_HISTORIES);
}, 900_000);

const WATCH_HISTORIES = runsOf(isOnPostgres ? { usually: 1, deep: 20 } : { usually: 8, deep: 120 });

test(`law: a watch submits each page once, within its month and its credential's limits, over ${WATCH_HISTORIES} histories with crashes`, async () => {
  expect(await runWatchModel({ histories: WATCH_HISTORIES, seed: 22 })).toBe(WATCH_HISTORIES);
}, 900_000);

const MEMBER_HISTORIES = runsOf(isOnPostgres ? { usually: 1, deep: 30 } : { usually: 12, deep: 200 });

test(`law: nobody does what the role does not allow, and nothing of a removed person acts, over ${MEMBER_HISTORIES} histories`, async () => {
  expect(await runMemberModel({ histories: MEMBER_HISTORIES, seed: 20_260_105 })).toBe(MEMBER_HISTORIES);
}, 900_000);
