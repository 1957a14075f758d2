import { pushTargets } from "../../../a2a/agent/push-targets.ts";
import { relayEvents } from "../../../src/domain/events/relay.ts";
import { queuePushes } from "../../../src/domain/tasks/queue-pushes.ts";
import { WebhookSender } from "../../../src/domain/webhooks/sender.ts";
import { createHttpClient, type HttpOverrides } from "../../../src/platform/http-client/http-client.ts";
import type { TestService } from "../service/service.ts";

/** Hands on the events of a service and sends the push notifications that are due, as its background work would. */
export function pushSender({ db, clock, config }: TestService, overrides?: HttpOverrides) {
  const http = createHttpClient(config, overrides);
  const errors: object[] = [];
  const log = { error: (details: object) => void errors.push(details) };
  const sender = new WebhookSender({ db, clock, http, targets: [pushTargets({ clock, config })], log });
  return {
    /** Fields of the errors that were logged. */
    errors,
    async send(): Promise<void> {
      await relayEvents(db, [queuePushes], () => clock.now());
      await sender.drain();
    },
    close: () => http.close(),
  };
}
