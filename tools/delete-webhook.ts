import { z } from "zod";
import { callerOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { webhookId } from "../src/contract/params.ts";
import { presentWebhook, Webhook } from "../src/contract/shapes/webhook.ts";
import { logWebhook } from "../src/domain/webhooks/security-log.ts";
import { deleteWebhook, findOwnWebhook } from "../src/domain/webhooks/webhooks.ts";

export default defineOperation({
  name: "delete_webhook",
  title: "Delete a webhook",
  description:
    "Deletes a webhook and the record of its deliveries, and answers it as it was. Nothing more is sent to it; events stay in list_events.",
  access: { kind: "scope", scope: "index" },
  effect: "change",
  input: z.object({ webhook_id: webhookId }),
  output: Webhook,
  skill: { tags: ["events", "webhooks"], commands: ["delete webhook {webhook_id}"] },
  example: { webhook_id: "wh_0123456789abcdefghjk" },
  rest: { method: "DELETE", path: "/webhooks/{webhook_id}" },
  toolset: "webhooks",
  run: ({ webhook_id }, ctx) =>
    ctx.commit(async (tx) => {
      const caller = callerOf(ctx);
      const row = await findOwnWebhook(tx, caller, webhook_id);
      await deleteWebhook(tx, row);
      await logWebhook(tx, "webhook_deleted", row, { caller, now: ctx.clock.now() });
      return presentWebhook(row, caller);
    }),
});
