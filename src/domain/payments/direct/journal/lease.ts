import { randomUUID } from "node:crypto";
import { and, eq, inArray, lte } from "drizzle-orm";
import type { Engine, Reader, Tx } from "../../../../../db/engine.ts";
import { type Clock, MINUTE } from "../../../../platform/clock.ts";
import { type DirectPaymentRow, type DirectPaymentState, paymentOf } from "./journal.ts";

/** How long one caller holds a payment before another may take it, in ms. */
export const LEASE_MS = 2 * MINUTE;

/** The right of one caller to work on a payment, until it expires. */
export interface PaymentLease {
  readonly key: string;
  readonly owner: string;
}

/** The lease has expired, and another caller holds the payment. */
export class PaymentLeaseLost extends Error {}

export function newLease(key: string): PaymentLease {
  return { key, owner: randomUUID() };
}

/**
 * Takes the lease of a payment that is in one of these states.
 * @returns null if it is in another state, or another caller holds it
 */
export async function takeLease(
  db: Engine,
  key: string,
  states: readonly DirectPaymentState[],
  now: number,
  set: { readonly state?: DirectPaymentState } = {},
): Promise<PaymentLease | null> {
  const lease = newLease(key);
  const { directPayments: t } = db.t;
  const free = and(eq(t.key, key), inArray(t.state, [...states]), lte(t.lockedUntil, now));
  const taken = await db.tx((tx) =>
    tx.q
      .update(t)
      .set({ ...set, owner: lease.owner, lockedUntil: now + LEASE_MS })
      .where(free)
      .returning({ key: t.key }),
  );
  return taken.length === 0 ? null : lease;
}

/** The payment as it is now. @throws PaymentLeaseLost */
export async function leasedPayment(db: Reader, { key, owner }: PaymentLease): Promise<DirectPaymentRow> {
  const row = await paymentOf(db, key);
  if (row?.owner !== owner) throw new PaymentLeaseLost();
  return row;
}

export type PaymentChange = Partial<Omit<DirectPaymentRow, "key" | "state">> & { readonly state?: DirectPaymentState };

/** Changes a payment, unless another caller holds it by now. @throws PaymentLeaseLost */
export async function updateLeased(
  tx: Tx,
  { key, owner }: PaymentLease,
  set: PaymentChange,
): Promise<DirectPaymentRow> {
  const { directPayments } = tx.t;
  const [row] = await tx.q
    .update(directPayments)
    .set(set)
    .where(and(eq(directPayments.key, key), eq(directPayments.owner, owner)))
    .returning();
  if (!row) throw new PaymentLeaseLost();
  return row;
}

/** Runs work under a lease, and releases the lease if the work fails. */
export async function withLease(
  { db, clock }: { readonly db: Engine; readonly clock: Clock },
  lease: PaymentLease,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    // If this fails too, the lease expires.
    await releaseLease(db, lease, clock.now()).catch(() => undefined);
    throw thrown;
  }
}

/** Does nothing if another caller holds the payment by now. */
export async function releaseLease(db: Engine, { key, owner }: PaymentLease, now: number): Promise<void> {
  const { directPayments: t } = db.t;
  await db.tx((tx) =>
    tx.q
      .update(t)
      .set(released(now))
      .where(and(eq(t.key, key), eq(t.owner, owner)))
      .returning({ key: t.key }),
  );
}

/** Part of the last change under a lease. Its time orders the payments of the next round. */
export function released(now: number): Pick<DirectPaymentRow, "owner" | "lockedUntil"> {
  return { owner: null, lockedUntil: now };
}
