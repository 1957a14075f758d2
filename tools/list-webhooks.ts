import { z } from "zod";
import { callerOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { limit, offset } from "../src/contract/params.ts";
import { presentWebhook, Webhook } from "../src/contract/shapes/webhook.ts";
import { webhooksOf } from "../src/domain/webhooks/webhooks.ts";
import { SIZES } from "../src/platform/sizes.ts";

export default defineOperation({
  name: "list_webhooks",
  title: "List webhooks",
  description:
    "Lists the webhooks of the account, newest first, each with its status and how its last deliveries went. Of those that another credential made, only the origin of the URL is shown.",
  access: { kind: "scope", scope: "read" },
  effect: "read",
  input: z.object({ limit: limit(SIZES.pageLimit, 50), offset }),
  output: z.object({ webhooks: z.array(Webhook), has_more: z.boolean() }),
  skill: { tags: ["events", "webhooks"], commands: ["webhooks"] },
  example: { limit: 10 },
  rest: { method: "GET", path: "/webhooks" },
  toolset: "webhooks",
  async run(page, ctx) {
    const caller = callerOf(ctx);
    const { rows, hasMore } = await webhooksOf(ctx.db, caller.accountId, page);
    return { webhooks: rows.map((row) => presentWebhook(row, caller)), has_more: hasMore };
  },
});
