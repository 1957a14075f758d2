import { expect, test } from "vitest";
import { playPayments } from "./payments.ts";

const HISTORIES = 3_000;

/** A law that was proved of nothing is none: how often at least each of these has to come about. */
const LEAST = {
  commands: 25_000,
  "card paid": 300,
  "card refunded": 50,
  "card disputed": 50,
  "card failed": 30,
  "card expired": 300,
  "event found by asking": 50,
  "direct paid": 1_000,
  "direct paid, found by the reconciler": 100,
  "direct paid, after a lie": 50,
  "direct failed": 50,
  "journal void": 20,
  "journal expired": 200,
  "adjustment up": 5,
  "adjustment down": 300,
  "below zero": 20,
  "told settlement_pending": 300,
  "told idempotency_in_flight": 200,
} as const;

test(`law: what was paid is credited, once, to who has paid it, and nothing else is, over ${HISTORIES} histories with crashes`, async () => {
  const tally = await playPayments({ histories: HISTORIES, seed: 20_261_121 });
  expect(tally.histories).toBe(HISTORIES);
  for (const [name, least] of Object.entries(LEAST)) expect(tally[name], name).toBeGreaterThanOrEqual(least);
}, 600_000);
