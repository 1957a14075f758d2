import { applyCardEvent } from "./apply-event.ts";
import type { CardDeps } from "./deps.ts";

/**
 * Receives an event of the card processor, from the webhook or from the payment page of the sandbox.
 * @param body the received bytes, which the signature covers
 * @param signature the value of the header that its method names
 * @throws BadSignature
 */
export async function receiveCardEvent(deps: CardDeps, body: Buffer, signature: string | undefined): Promise<void> {
  await applyCardEvent(deps, deps.payments.cards!.read(body, signature));
}
