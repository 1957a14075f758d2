import { applyCardEvent } from "./apply-event.ts";
import type { CardDeps } from "./deps.ts";

/**
 * What the card processor tells us: the one way in for it, by the webhook or by the page of the sandbox.
 * @param body the very bytes that came
 * @param signature the header that its method names
 * @throws BadSignature
 */
export async function receiveCardEvent(deps: CardDeps, body: Buffer, signature: string | undefined): Promise<void> {
  await applyCardEvent(deps, deps.payments.cards!.read(body, signature));
}
