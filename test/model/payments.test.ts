import { expect, test } from "vitest";
import { runsOf } from "../support/checks/fuzz-runs.ts";
import { isOnPostgres } from "../support/database/database.ts";
import { runPaymentModel } from "./payments.ts";

/** Fewer on PostgreSQL, where each takes many times as long. */
const HISTORIES = runsOf(isOnPostgres ? { usually: 20, deep: 200 } : { usually: 60, deep: 1_000 });

/** How often each outcome has to occur at least in 500 histories: otherwise the laws would not have been tested. */
const LEAST = {
  commands: 4_250,
  "card paid": 50,
  "card refunded": 8,
  "card disputed": 8,
  "card failed": 5,
  "card expired": 50,
  "event found by asking": 8,
  "direct paid": 175,
  "direct paid, found by the reconciler": 18,
  "direct paid, after a lie": 8,
  "direct failed": 8,
  "journal void": 3,
  "journal expired": 35,
  "adjustment up": 1,
  "adjustment down": 50,
  "below zero": 3,
  "told settlement_pending": 50,
  "told idempotency_in_flight": 35,
} as const;

/** Fewer histories do not have every outcome. */
const FREQUENT = ["commands", "card paid", "direct paid", "told settlement_pending"] as const;
const OUTCOMES = HISTORIES < 500 ? FREQUENT : (Object.keys(LEAST) as (keyof typeof LEAST)[]);

test(`law: every payment is credited once, to its payer, and nothing else is, over ${HISTORIES} histories with crashes`, async () => {
  const counts = await runPaymentModel({ histories: HISTORIES, seed: 20_261_121 });
  expect(counts.histories).toBe(HISTORIES);
  for (const name of OUTCOMES)
    expect(counts[name], name).toBeGreaterThanOrEqual(Math.floor((LEAST[name] * HISTORIES) / 500));
}, 900_000);
