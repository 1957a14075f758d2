import { randomUUID } from "node:crypto";
import { and, eq, inArray, lte } from "drizzle-orm";
import type { Engine, Reader, Tx } from "../../../../../db/engine.ts";
import { type Clock, MINUTE } from "../../../../platform/clock.ts";
import { type PaymentRow, type PaymentState, paymentOf } from "./journal.ts";

/** How long one may work on a payment before another may, in ms. */
export const LEASE = 2 * MINUTE;

/** Somebody's right to work on a payment, until the lease is over. */
export interface Hold {
  readonly key: string;
  readonly owner: string;
}

/** The lease was over, and another has taken the payment up. */
export class LeaseLost extends Error {}

export function newHold(key: string): Hold {
  return { key, owner: randomUUID() };
}

/** Takes a payment up that is in one of these states and nobody's. @returns null where it is not */
export async function lease(
  db: Engine,
  key: string,
  states: readonly PaymentState[],
  now: number,
  set: { readonly state?: PaymentState } = {},
): Promise<Hold | null> {
  const hold = newHold(key);
  const { directPayments: t } = db.t;
  const free = and(eq(t.key, key), inArray(t.state, [...states]), lte(t.lockedUntil, now));
  const taken = await db.tx((tx) =>
    tx.q
      .update(t)
      .set({ ...set, owner: hold.owner, lockedUntil: now + LEASE })
      .where(free)
      .returning({ key: t.key }),
  );
  return taken.length === 0 ? null : hold;
}

/** The payment as it stands. @throws LeaseLost */
export async function held(db: Reader, { key, owner }: Hold): Promise<PaymentRow> {
  const row = await paymentOf(db, key);
  if (row?.owner !== owner) throw new LeaseLost();
  return row;
}

export type Change = Partial<Omit<PaymentRow, "key" | "state">> & { readonly state?: PaymentState };

/** Writes what was found out, unless another has taken the payment up. @throws LeaseLost */
export async function change(tx: Tx, { key, owner }: Hold, set: Change): Promise<PaymentRow> {
  const { directPayments } = tx.t;
  const [row] = await tx.q
    .update(directPayments)
    .set(set)
    .where(and(eq(directPayments.key, key), eq(directPayments.owner, owner)))
    .returning();
  if (!row) throw new LeaseLost();
  return row;
}

/** Works on a payment, and lets go of it where that fails. */
export async function holding(
  { db, clock }: { readonly db: Engine; readonly clock: Clock },
  hold: Hold,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    // Where this fails too, the lease runs out.
    await letGo(db, hold, clock.now()).catch(() => undefined);
    throw thrown;
  }
}

/** Does nothing where another has it by now. */
export async function letGo(db: Engine, { key, owner }: Hold, now: number): Promise<void> {
  const { directPayments: t } = db.t;
  await db.tx((tx) =>
    tx.q
      .update(t)
      .set(freed(now))
      .where(and(eq(t.key, key), eq(t.owner, owner)))
      .returning({ key: t.key }),
  );
}

/** Belongs to the last change of a holder. The time says how long ago that was. */
export function freed(now: number): Pick<PaymentRow, "owner" | "lockedUntil"> {
  return { owner: null, lockedUntil: now };
}
