import { and, eq, lt, lte } from "drizzle-orm";
import type { Engine, Tx } from "../../../../../db/engine.ts";
import { DAY } from "../../../../platform/clock.ts";
import { type DirectPaymentRow, type DirectPaymentState, paymentOf } from "../journal/journal.ts";
import { LEASE_MS, newLease, type PaymentLease } from "../journal/lease.ts";
import { NotAccepted } from "../protocol/not-accepted.ts";
import { inFlight } from "../protocol/refusals.ts";
import type { Terms } from "../protocol/terms.ts";
import type { Payload } from "../protocol/x402.ts";
import type { SettlementDeps } from "./deps.ts";
import type { Purchase } from "./purchase.ts";

/** A claim whose call never ended is deleted after this time, in ms. */
const KEPT = DAY;

/**
 * Claims a payment that was not submitted yet, before the chain or the facilitator is called: of many copies of one
 * signature, one goes on. A claim whose lease has expired can be taken by anybody, since nothing was submitted.
 * @throws Refusal idempotency_in_flight
 * @throws NotAccepted already_used: by another account, or for another pack
 */
export async function claimPayment(
  { db, clock, terms }: SettlementDeps,
  key: string,
  purchase: Purchase,
  { payload }: Payload,
): Promise<PaymentLease> {
  const now = clock.now();
  const lease = newLease(key);
  const row = { ...rowOf(terms, purchase, payload), owner: lease.owner, lockedUntil: now + LEASE_MS, createdAt: now };
  const known = await db.tx(async (tx) => ((await insertOrTakeOver(tx, key, row, now)) ? null : paymentOf(tx, key)));
  if (!known) return lease;
  if (known.state !== "claimed" && !isSamePurchase(known, purchase)) throw new NotAccepted("already_used");
  throw inFlight();
}

function rowOf(
  { network, asset }: Terms,
  { accountId, credential, pack }: Purchase,
  { authorization }: Payload["payload"],
) {
  const { from, to, value, nonce, validBefore } = authorization;
  return {
    accountId,
    credential,
    pack: pack.id,
    credits: pack.credits,
    amountCents: pack.amountCents,
    amount: value,
    network,
    asset: asset.toLowerCase(),
    payer: from.toLowerCase(),
    payTo: to.toLowerCase(),
    nonce: nonce.toLowerCase(),
    validBefore: Number(validBefore),
    state: CLAIMED,
  };
}

/** Whether this is the purchase for which the payment was presented before. */
export function isSamePurchase(row: DirectPaymentRow, { accountId, pack }: Purchase): boolean {
  return row.accountId === accountId && row.pack === pack.id;
}

async function insertOrTakeOver(tx: Tx, key: string, row: Omit<NewRow, "key">, now: number): Promise<boolean> {
  const { directPayments: t } = tx.t;
  const made = await tx.q
    .insert(t)
    .values({ key, ...row })
    .onConflictDoNothing()
    .returning({ key: t.key });
  if (made.length > 0) return true;
  const free = and(eq(t.key, key), eq(t.state, CLAIMED), lte(t.lockedUntil, now));
  const taken = await tx.q.update(t).set(row).where(free).returning({ key: t.key });
  return taken.length > 0;
}

type NewRow = Tx["t"]["directPayments"]["$inferInsert"];

const CLAIMED: DirectPaymentState = "claimed";

/** Deletes the claim of a payment that was not submitted, as if it had never been presented. */
export async function releaseClaim(db: Engine, { key, owner }: PaymentLease): Promise<void> {
  await db.tx(async (tx) => {
    const { directPayments: t } = tx.t;
    await tx.q.delete(t).where(and(eq(t.key, key), eq(t.owner, owner), eq(t.state, CLAIMED)));
  });
}

/** Deletes claims of calls that never ended. */
export async function purgeClaims(db: Engine, now: number): Promise<void> {
  await db.tx(async (tx) => {
    const { directPayments: t } = tx.t;
    await tx.q.delete(t).where(and(eq(t.state, CLAIMED), lt(t.createdAt, now - KEPT), lte(t.lockedUntil, now)));
  });
}
