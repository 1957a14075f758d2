import { type DirectPaymentRow, isCredited, paymentOf, SUBMITTED_STATES } from "../journal/journal.ts";
import { PaymentLeaseLost, takeLease, withLease } from "../journal/lease.ts";
import { NotAccepted } from "../protocol/not-accepted.ts";
import { readPayment } from "../protocol/parse-payment.ts";
import { keyOf, type ParsedPayment } from "../protocol/parsed-payment.ts";
import { inFlight } from "../protocol/refusals.ts";
import type { Payload } from "../protocol/x402.ts";
import { isDecided } from "./check-chain.ts";
import { claimPayment, isSamePurchase } from "./claim.ts";
import { expectedPayment, type SettlementDeps } from "./deps.ts";
import { countFailures } from "./failed-payment-limit.ts";
import { tryCheckChain } from "./poll-chain.ts";
import type { Purchase } from "./purchase.ts";
import { awaitTransfer, conclude, submitPayment, UNKNOWN } from "./submit.ts";
import { verifyClaimed } from "./verify.ts";

/**
 * Settles a payment until its transfer is on the chain, from the state in which an earlier call has left it.
 * @returns its row in the journal
 * @throws NotAccepted, Refusal idempotency_in_flight, settlement_pending, unavailable, rate_limited
 */
export async function settlePayment(deps: SettlementDeps, purchase: Purchase): Promise<DirectPaymentRow> {
  const parsed = readPayment(purchase.payment);
  const key = keyOf(deps.terms, parsed.signed);
  const known = await paymentOf(deps.db, key);
  const isOurs = known !== null && known.state !== "claimed" && isSamePurchase(known, purchase);
  if (isOurs && isCredited(known)) return known;
  try {
    await (isOurs ? resume(deps, purchase, parsed, known) : begin(deps, purchase, parsed, key));
  } catch (thrown) {
    throw thrown instanceof PaymentLeaseLost ? inFlight() : thrown;
  }
  return (await paymentOf(deps.db, key))!;
}

async function begin(deps: SettlementDeps, purchase: Purchase, parsed: ParsedPayment, key: string): Promise<void> {
  const payload = parsed.accept(await expectedPayment(deps, purchase.pack));
  await countFailures(deps, purchase.accountId, async () => {
    const lease = await claimPayment(deps, key, purchase, payload);
    await withLease(deps, lease, async () => {
      const isNew = await verifyClaimed(deps, lease, payload);
      await (isNew ? submitPayment(deps, lease, payload, true) : awaitTransfer(deps, lease, UNKNOWN));
    });
  });
}

/**
 * An earlier call ended before the outcome was known. The chain is checked first, since it may have the transfer by
 * now.
 */
async function resume(
  deps: SettlementDeps,
  purchase: Purchase,
  parsed: ParsedPayment,
  known: DirectPaymentRow,
): Promise<void> {
  // A refusal was believed only because it was never handed over before.
  const isFirst = known.state === "refused";
  const lease = await takeLease(deps.db, known.key, SUBMITTED_STATES, deps.clock.now(), { state: "submitted" });
  if (!lease) throw inFlight();
  await withLease(deps, lease, async () => {
    const status = await tryCheckChain(deps, lease);
    const payload = status === "absent" ? await stillAcceptable(deps, purchase, parsed, known) : null;
    if (payload) return countFailures(deps, purchase.accountId, () => submitPayment(deps, lease, payload, isFirst));
    const isEnough = isDecided(status) || status === "absent";
    return isEnough ? conclude(deps, lease, status, UNKNOWN) : awaitTransfer(deps, lease, UNKNOWN);
  });
}

/** A payment that may be submitted again: the same as in the journal, while it can still reach the chain. */
async function stillAcceptable(
  deps: SettlementDeps,
  purchase: Purchase,
  parsed: ParsedPayment,
  { amount, payTo, validBefore }: DirectPaymentRow,
): Promise<Payload | null> {
  const { signed } = parsed;
  const isSame =
    signed.value === amount && signed.to.toLowerCase() === payTo && signed.validBefore === `${validBefore}`;
  if (!isSame) return null;
  const expected = await expectedPayment(deps, purchase.pack);
  try {
    return parsed.accept(expected);
  } catch (thrown) {
    if (thrown instanceof NotAccepted) return null;
    throw thrown;
  }
}
