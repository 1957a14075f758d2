import { HANDED_OVER, isCredited, type PaymentRow, paymentOf } from "../journal/journal.ts";
import { holding, LeaseLost, lease } from "../journal/lease.ts";
import { NotAccepted } from "../protocol/not-accepted.ts";
import { keyOf, type Presented } from "../protocol/presented.ts";
import { readPayment } from "../protocol/read.ts";
import { inFlight } from "../protocol/refusals.ts";
import type { Payload } from "../protocol/x402.ts";
import { isDecided } from "./check-chain.ts";
import { claim, isFor } from "./claim.ts";
import { askedFor, type Works } from "./deps.ts";
import { counted } from "./failed-payment-limit.ts";
import { glance } from "./poll-chain.ts";
import type { Purchase } from "./purchase.ts";
import { awaitLanding, conclude, handOver, UNKNOWN } from "./submit.ts";
import { prove } from "./verify.ts";

/**
 * Brings a payment to where its transfer stands on the chain, from wherever an earlier call has left it.
 * @returns how it stands in the journal
 * @throws NotAccepted, Refusal idempotency_in_flight, settlement_pending, unavailable, rate_limited
 */
export async function settle(works: Works, purchase: Purchase): Promise<PaymentRow> {
  const presented = readPayment(purchase.payment);
  const key = keyOf(works.terms, presented.signed);
  const known = await paymentOf(works.db, key);
  const isOurs = known !== null && known.state !== "claimed" && isFor(known, purchase);
  if (isOurs && isCredited(known)) return known;
  try {
    await (isOurs ? resume(works, purchase, presented, known) : begin(works, purchase, presented, key));
  } catch (thrown) {
    throw thrown instanceof LeaseLost ? inFlight() : thrown;
  }
  return (await paymentOf(works.db, key))!;
}

async function begin(works: Works, purchase: Purchase, presented: Presented, key: string): Promise<void> {
  const payload = presented.accept(await askedFor(works, purchase.pack));
  await counted(works, purchase.accountId, async () => {
    const hold = await claim(works, key, purchase, payload);
    await holding(works, hold, async () => {
      const isNew = await prove(works, hold, payload);
      await (isNew ? handOver(works, hold, payload) : awaitLanding(works, hold, UNKNOWN));
    });
  });
}

/** An earlier call did not see the end of it. The chain knows more than anybody; so it is asked first. */
async function resume(works: Works, purchase: Purchase, presented: Presented, known: PaymentRow): Promise<void> {
  const hold = await lease(works.db, known.key, HANDED_OVER, works.clock.now(), { state: "submitted" });
  if (!hold) throw inFlight();
  await holding(works, hold, async () => {
    const seen = await glance(works, hold);
    const payload = seen === "absent" ? await stillAcceptable(works, purchase, presented, known) : null;
    if (payload) return counted(works, purchase.accountId, () => handOver(works, hold, payload));
    const isEnough = isDecided(seen) || seen === "absent";
    return isEnough ? conclude(works, hold, seen, UNKNOWN) : awaitLanding(works, hold, UNKNOWN);
  });
}

/** What may be handed over again: the very payment that is in the journal, while it can still reach the chain. */
async function stillAcceptable(
  works: Works,
  purchase: Purchase,
  presented: Presented,
  { amount, payTo, validBefore }: PaymentRow,
): Promise<Payload | null> {
  const { signed } = presented;
  const isSame =
    signed.value === amount && signed.to.toLowerCase() === payTo && signed.validBefore === `${validBefore}`;
  if (!isSame) return null;
  const asked = await askedFor(works, purchase.pack);
  try {
    return presented.accept(asked);
  } catch (thrown) {
    if (thrown instanceof NotAccepted) return null;
    throw thrown;
  }
}
