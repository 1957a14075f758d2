import type { IncomingMessage, ServerResponse } from "node:http";
import { BadSignature } from "../../domain/payments/cards/card-processor.ts";
import { receiveCardEvent } from "../../domain/payments/cards/receive-event.ts";
import type { CardWebhook } from "../../domain/payments/method.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { withBody } from "../http-server/body.ts";
import { addressOf } from "../http-server/caller.ts";
import type { WebhookServices } from "./services.ts";

/** Most bytes of an event; usual are a few thousand. */
const MAX_EVENT = 1024 * 1024;

/**
 * An event of the card processor, signed over the very bytes of the body.
 * @throws Refusal invalid_request and others for what is not of the card processor, which count on the address;
 * whatever the database throws, so that the event is sent again
 */
export async function receiveEvent(
  parts: WebhookServices,
  { signatureHeader }: CardWebhook,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  try {
    const signature = req.headers[signatureHeader.toLowerCase()];
    await withBody(req, res, { max: MAX_EVENT }, (body) => receiveCardEvent(parts, body, signature?.toString()));
  } catch (thrown) {
    if (!(thrown instanceof BadSignature || thrown instanceof Refusal)) throw thrown;
    parts.guard.countAnonymous(addressOf(req, parts.config.trustProxy));
    throw thrown instanceof Refusal ? thrown : unsigned(signatureHeader);
  }
}

function unsigned(path: string): Refusal {
  const issues = [{ path, message: "missing, wrong, or too old" }];
  return new Refusal("invalid_request", "The event is not signed by the card processor. Nothing was changed.", {
    issues,
  });
}
