import { expect, test } from "vitest";
import { isOnPostgres } from "../support/database/database.ts";
import { runPaymentModel } from "./payments.ts";

/** More than any mutant takes to be found (mutants.test.ts). Fewer on PostgreSQL, where each takes many times as long. */
const HISTORIES = isOnPostgres ? 40 : 500;

/** How often each outcome has to occur at least: otherwise the laws would not have been tested. */
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

/** A few histories do not have every outcome. */
const LEAST_ON_POSTGRES = { commands: 350, "card paid": 3, "direct paid": 20, "told settlement_pending": 3 } as const;

test(`law: every payment is credited once, to its payer, and nothing else is, over ${HISTORIES} histories with crashes`, async () => {
  const counts = await runPaymentModel({ histories: HISTORIES, seed: 20_261_121 });
  expect(counts.histories).toBe(HISTORIES);
  const leasts = Object.entries(isOnPostgres ? LEAST_ON_POSTGRES : LEAST);
  for (const [name, least] of leasts) expect(counts[name], name).toBeGreaterThanOrEqual(least);
}, 600_000);
