import { expect, test } from "vitest";
import { isOnPostgres } from "../support/database/database.ts";
import { runPaymentModel } from "./payments.ts";

/** As many as are needed to find every mutant (mutants.test.ts). Fewer on PostgreSQL, where each takes many times as long. */
const HISTORIES = isOnPostgres ? 40 : 1_000;

/** How often each outcome has to occur at least: otherwise the laws would not have been tested. */
const LEAST = {
  commands: 8_500,
  "card paid": 100,
  "card refunded": 15,
  "card disputed": 15,
  "card failed": 10,
  "card expired": 100,
  "event found by asking": 15,
  "direct paid": 350,
  "direct paid, found by the reconciler": 35,
  "direct paid, after a lie": 15,
  "direct failed": 15,
  "journal void": 5,
  "journal expired": 70,
  "adjustment up": 1,
  "adjustment down": 100,
  "below zero": 5,
  "told settlement_pending": 100,
  "told idempotency_in_flight": 70,
} as const;

/** A few histories do not have every outcome. */
const LEAST_ON_POSTGRES = { commands: 350, "card paid": 3, "direct paid": 20, "told settlement_pending": 3 } as const;

test(`law: every payment is credited once, to its payer, and nothing else is, over ${HISTORIES} histories with crashes`, async () => {
  const counts = await runPaymentModel({ histories: HISTORIES, seed: 20_261_121 });
  expect(counts.histories).toBe(HISTORIES);
  const leasts = Object.entries(isOnPostgres ? LEAST_ON_POSTGRES : LEAST);
  for (const [name, least] of leasts) expect(counts[name], name).toBeGreaterThanOrEqual(least);
}, 600_000);
