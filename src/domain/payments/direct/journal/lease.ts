import { randomUUID } from "node:crypto";
import { and, eq, inArray, lte } from "drizzle-orm";
import type { Engine, Reader, Tx } from "../../../../../db/engine.ts";
import { type Clock, MINUTE } from "../../../../platform/clock.ts";
import { type DirectPaymentRow, type DirectPaymentState, paymentOf } from "./journal.ts";

/** How long one may work on a payment before another may, in ms. */
export const LEASE_MS = 2 * MINUTE;

/** Somebody's right to work on a payment, until the lease is over. */
export interface PaymentLease {
  readonly key: string;
  readonly owner: string;
}

/** The lease was over, and another has taken the payment up. */
export class PaymentLeaseLost extends Error {}

export function newLease(key: string): PaymentLease {
  return { key, owner: randomUUID() };
}

/** Takes a payment up that is in one of these states and nobody's. @returns null where it is not */
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

/** The payment as it stands. @throws PaymentLeaseLost */
export async function leasedPayment(db: Reader, { key, owner }: PaymentLease): Promise<DirectPaymentRow> {
  const row = await paymentOf(db, key);
  if (row?.owner !== owner) throw new PaymentLeaseLost();
  return row;
}

export type PaymentChange = Partial<Omit<DirectPaymentRow, "key" | "state">> & { readonly state?: DirectPaymentState };

/** Writes what was found out, unless another has taken the payment up. @throws PaymentLeaseLost */
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

/** Works on a payment, and lets go of it where that fails. */
export async function withLease(
  { db, clock }: { readonly db: Engine; readonly clock: Clock },
  lease: PaymentLease,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    // Where this fails too, the lease runs out.
    await releaseLease(db, lease, clock.now()).catch(() => undefined);
    throw thrown;
  }
}

/** Does nothing where another has it by now. */
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

/** Belongs to the last change of a holder. The time says how long ago that was. */
export function released(now: number): Pick<DirectPaymentRow, "owner" | "lockedUntil"> {
  return { owner: null, lockedUntil: now };
}
