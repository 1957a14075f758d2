import { z } from "zod";
import { accountOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { limit, offset, webhookId } from "../src/contract/params.ts";
import { presentDelivery, WebhookDelivery } from "../src/contract/shapes/webhook.ts";
import { deliveriesOf, WEBHOOK_DELIVERY_STATUSES } from "../src/domain/webhooks/list-deliveries.ts";
import { findWebhook } from "../src/domain/webhooks/webhooks.ts";
import { SIZES } from "../src/platform/sizes.ts";

export default defineOperation({
  name: "list_deliveries",
  title: "List a webhook's deliveries",
  description:
    "Lists what was or will be sent to a webhook in the last 30 days, newest event first: each attempt with its status and duration, why it failed, and when the next one follows.",
  access: { kind: "scope", scope: "read" },
  effect: "read",
  input: z.object({
    webhook_id: webhookId,
    status: z
      .enum(["any", ...WEBHOOK_DELIVERY_STATUSES])
      .default("any")
      .describe("Only with this status"),
    limit: limit(SIZES.pageLimit, 50),
    offset,
  }),
  output: z.object({ deliveries: z.array(WebhookDelivery), has_more: z.boolean() }),
  skill: { tags: ["events", "webhooks"], commands: ["deliveries {webhook_id}"] },
  example: { webhook_id: "wh_0123456789abcdefghjk", status: "failed" },
  rest: { method: "GET", path: "/webhooks/{webhook_id}/deliveries" },
  toolset: "webhooks",
  agentDefaults: { limit: 10 },
  async run({ webhook_id, status, ...page }, ctx) {
    const { id } = await findWebhook(ctx.db, accountOf(ctx), webhook_id);
    const { rows, hasMore } = await deliveriesOf(ctx.db, id, { ...page, status: status === "any" ? null : status });
    return { deliveries: rows.map(presentDelivery), has_more: hasMore };
  },
});
