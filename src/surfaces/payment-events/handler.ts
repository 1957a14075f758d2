import type { IncomingMessage, ServerResponse } from "node:http";
import { CARD_METHODS } from "../../domain/payments/find-method.ts";
import { errorEnvelope, Refusal, toRefusal } from "../../platform/errors/errors.ts";
import { sendResponse } from "../http-server/send-response.ts";
import { receiveEvent } from "./card-event.ts";
import type { WebhookServices } from "./services.ts";

export const WEBHOOKS = "/webhooks";

/**
 * Handles every request under `/webhooks`: signed events of other services. A sender repeats what is not answered with
 * 2xx, so only a stored event gets that answer. There is no CORS, since no web page calls webhooks.
 */
export function webhookHandler(
  services: WebhookServices,
): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  return async (req, res) => {
    try {
      const path = req.url!.split("?")[0];
      const webhook = CARD_METHODS.get(services.payments.cards?.method ?? "none")?.webhook;
      if (!webhook || path !== `${WEBHOOKS}/${webhook.path}`)
        throw new Refusal("not_found", "There is no such webhook.");
      if (req.method !== "POST")
        throw new Refusal("method_not_allowed", "Send webhook events by POST.", {}, { Allow: "POST" });
      await receiveEvent(services, webhook, req, res);
      send(req, res, 200, { received: true });
    } catch (thrown) {
      if (!(thrown instanceof Refusal))
        services.log.error({ err: thrown, path: req.url!.split("?")[0] }, "a webhook failed");
      const refusal = toRefusal(thrown);
      send(req, res, refusal.status, errorEnvelope(refusal, services.config.siteUrl), refusal.headers);
    }
  };
}

function send(req: IncomingMessage, res: ServerResponse, status: number, body: object, headers = {}): void {
  sendResponse(req, res, {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store", ...headers },
    text: JSON.stringify(body),
  });
}
