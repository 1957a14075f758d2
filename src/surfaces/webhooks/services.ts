import type { RequestGuard } from "../../contract/authenticate.ts";
import type { Services } from "../../contract/call.ts";
import type { Log } from "../http-server/log.ts";

/** What the webhooks work with. */
export interface WebhookServices extends Services {
  readonly guard: RequestGuard;
  readonly log: Log;
}
