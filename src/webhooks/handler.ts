import type { IncomingMessage, ServerResponse } from "node:http";
import type { Gate } from "../contract/admit.ts";
import type { Services } from "../contract/call.ts";
import { Refusal } from "../errors.ts";
import type { Log } from "../web/log.ts";

export interface WebhookParts extends Services {
  readonly gate: Gate;
  readonly log: Log;
}

export const WEBHOOKS = "/webhooks";

/** Handles every request under `/webhooks`: what other services tell us, signed. */
export function webhookHandler(_parts: WebhookParts): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  return async () => {
    throw new Refusal("not_found", "There is no such webhook.");
  };
}
