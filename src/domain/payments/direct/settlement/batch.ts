import { and, asc, eq, inArray, lte, type SQL } from "drizzle-orm";
import { ChainUnreachable } from "../chain/chain.ts";
import type { DirectPaymentState } from "../journal/journal.ts";
import { type PaymentLease, PaymentLeaseLost, releaseLease, takeLease } from "../journal/lease.ts";
import type { SettlementDeps } from "./deps.ts";

/** Payments that are read in one query. */
const BATCH = 200;

/** After so many payments in a row for which the chain did not answer, the others wait for the next round. */
const MOST_SILENCES = 3;

interface Due {
  readonly states: readonly DirectPaymentState[];
  readonly where?: SQL;
}

/**
 * Runs work once for every payment in these states that nobody holds, under a lease of its own. A payment that fails is
 * logged and does not hold up the others.
 * @returns why the chain gave no answer; null if it answered
 */
export async function forEachDue(
  deps: SettlementDeps,
  due: Due,
  work: (lease: PaymentLease) => Promise<void>,
): Promise<ChainUnreachable | null> {
  const seen = new Set<string>();
  let silences = 0;
  let silence: ChainUnreachable | null = null;
  for (;;) {
    const keys = (await dueKeys(deps, due)).filter((key) => !seen.has(key));
    if (keys.length === 0) return silence;
    for (const key of keys) {
      seen.add(key);
      const silent = await attempt(deps, due, key, work);
      silences = silent ? silences + 1 : 0;
      silence ??= silent;
      if (silences === MOST_SILENCES) return silence;
    }
  }
}

/**
 * Payments that were checked longest ago come first, so that payments which stay undecided never hold up the others. Only
 * payments of the configured chain and token, because others cannot be checked here.
 */
export async function dueKeys({ db, clock, terms }: SettlementDeps, { states, where }: Due): Promise<string[]> {
  const { directPayments: t } = db.t;
  const ours = and(eq(t.network, terms.network), eq(t.asset, terms.asset.toLowerCase()));
  const rows = await db.q
    .select({ key: t.key })
    .from(t)
    .where(and(inArray(t.state, [...states]), lte(t.lockedUntil, clock.now()), ours, where))
    .orderBy(asc(t.lockedUntil), asc(t.createdAt), asc(t.key))
    .limit(BATCH);
  return rows.map(({ key }) => key);
}

/** @returns why the chain gave no answer; null if it answered */
async function attempt(
  deps: SettlementDeps,
  { states }: Due,
  key: string,
  work: (lease: PaymentLease) => Promise<void>,
): Promise<ChainUnreachable | null> {
  const { db, clock, log } = deps;
  const lease = await takeLease(db, key, states, clock.now());
  if (!lease) return null;
  try {
    await work(lease);
  } catch (thrown) {
    if (thrown instanceof ChainUnreachable) return thrown;
    // If the lease is lost, another caller continues with the payment.
    if (!(thrown instanceof PaymentLeaseLost))
      log.error({ err: thrown, payment: key }, "a direct payment cannot be looked at");
  } finally {
    await releaseLease(db, lease, clock.now());
  }
  return null;
}
