import { paymentsOf } from "./direct-payment-laws.ts";
import type { Market } from "./market.ts";
import type { Books } from "./payment-laws.ts";

/** How often each outcome occurred. */
export type OutcomeCounts = Record<string, number>;

/** Counts the outcomes of a history, which shows that the laws were tested on all of them. */
export async function countOutcomes(market: Market, books: Books): Promise<OutcomeCounts> {
  const { q, t } = market.world.books;
  const counts: OutcomeCounts = {};
  const count = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  for (const { method, status } of books.orders) count(`${method === "evm" ? "direct" : "card"} ${status}`);
  for (const [{ status }, { told, isRefused }] of paymentsOf(market, books)) {
    if (status !== "paid") continue;
    const words = told.map(({ what }) => what);
    if (!words.includes("paid")) count("direct paid, found by the reconciler");
    if (isRefused && words.includes("payment_invalid")) count("direct paid, after a lie");
  }
  const told = market.payments.flatMap((payment) => payment.told);
  for (const { what } of told) count(`told ${what}`);
  for (const { state } of books.journal) count(`journal ${state}`);
  for (const { id } of await q.select().from(t.cardEvents)) if (id.startsWith("look:")) count("event found by asking");
  for (const { kind, credits, balanceAfter } of await q.select().from(t.ledger)) {
    count(kind === "adjustment" ? `adjustment ${credits < 0 ? "down" : "up"}` : kind);
    if (balanceAfter < 0) count("below zero");
  }
  return counts;
}
