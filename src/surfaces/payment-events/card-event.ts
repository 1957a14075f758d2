import type { IncomingMessage, ServerResponse } from "node:http";
import { BadSignature } from "../../domain/payments/cards/card-processor.ts";
import { receiveCardEvent } from "../../domain/payments/cards/receive-event.ts";
import type { CardWebhook } from "../../domain/payments/method.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { withBody } from "../http-server/body.ts";
import { addressOf } from "../http-server/caller.ts";
import type { WebhookServices } from "./services.ts";

/** The maximum size of an event in bytes; usually it has a few thousand. */
const MAX_EVENT = 1024 * 1024;

/**
 * Receives an event of the card processor, whose signature covers the exact bytes of the body.
 * @throws Refusal for a request that is not the card processor's, which counts as a failure of its IP address; errors of
 * the database, so that the processor sends the event again
 */
export async function receiveEvent(
  services: WebhookServices,
  { signatureHeader }: CardWebhook,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  try {
    const signature = req.headers[signatureHeader.toLowerCase()];
    await withBody(req, res, { max: MAX_EVENT }, (body) => receiveCardEvent(services, body, signature?.toString()));
  } catch (thrown) {
    if (!(thrown instanceof BadSignature || thrown instanceof Refusal)) throw thrown;
    services.guard.countAnonymous(addressOf(req, services.config.trustProxy));
    throw thrown instanceof Refusal ? thrown : unsigned(signatureHeader);
  }
}

function unsigned(path: string): Refusal {
  const issues = [{ path, message: "missing, wrong, or too old" }];
  return new Refusal("invalid_request", "The event is not signed by the card processor. Nothing was changed.", {
    issues,
  });
}
