import { z } from "zod";
import { callerOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { id, webhookId } from "../src/contract/params.ts";
import { invalidInput } from "../src/contract/parse-input.ts";
import { eventNoOf } from "../src/domain/events/events.ts";
import { repeatDeliveries } from "../src/domain/webhooks/queue.ts";
import { findOwnWebhook, refuseUnlessActive } from "../src/domain/webhooks/webhooks.ts";

export default defineOperation({
  name: "redeliver_event",
  title: "Deliver events again",
  description:
    "Sends an event to a webhook again, or all since a time (at most 1,000, in order), whether they arrived or not: for a receiver that was down for longer than the attempts last. The ids stay the same.",
  access: { kind: "scope", scope: "index" },
  effect: "change",
  input: z.object({
    webhook_id: webhookId,
    event_id: id.optional().describe("evt_…; this or since"),
    since: z.iso.datetime({ offset: true }).optional().describe("ISO 8601 time: all events from then on"),
  }),
  output: z.object({ queued: z.number().int() }),
  errors: ["webhook_invalid"],
  skill: { tags: ["events", "webhooks"], commands: ["redeliver {webhook_id} {since}"] },
  example: { webhook_id: "wh_0123456789abcdefghjk", since: "2026-01-05T00:00:00Z" },
  rest: { method: "POST", path: "/webhooks/{webhook_id}/redeliver" },
  toolset: "webhooks",
  async run({ webhook_id, event_id: eventId, since }, ctx) {
    const [caller, now] = [callerOf(ctx), ctx.clock.now()];
    if ((eventId === undefined) === (since === undefined))
      throw invalidInput([{ path: "event_id", message: "give either this or since" }]);
    const no = eventId === undefined ? null : eventNoOf(eventId, caller.accountId);
    if (eventId !== undefined && no === null)
      throw invalidInput([{ path: "event_id", message: "no event of this account" }]);
    return ctx.commit(async (tx) => {
      const webhook = await findOwnWebhook(tx, caller, webhook_id);
      refuseUnlessActive(webhook);
      const which = no === null ? { since: Date.parse(since!) } : { no };
      return { queued: await repeatDeliveries(tx, webhook, which, now) };
    });
  },
});
