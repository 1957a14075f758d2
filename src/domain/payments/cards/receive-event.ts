import type { CardParts } from "./apply-event.ts";
import { takeCardEvent } from "./apply-event.ts";

/**
 * What the card processor tells us: the one way in for it, by the webhook or by the page of the sandbox.
 * @param body the very bytes that came
 * @param signature the header Stripe-Signature
 * @throws BadSignature
 */
export async function receiveCardEvent(parts: CardParts, body: Buffer, signature: string | undefined): Promise<void> {
  await takeCardEvent(parts, parts.payments.cards!.read(body, signature));
}
