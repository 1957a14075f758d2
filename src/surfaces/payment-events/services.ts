import type { RequestGuard } from "../../contract/authenticate.ts";
import type { Services } from "../../contract/call.ts";
import type { Log } from "../http-server/log.ts";

/** The services that webhooks use. */
export interface WebhookServices extends Services {
  readonly guard: RequestGuard;
  readonly log: Log;
}
