import { z } from "zod";
import { callerOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { id, line } from "../src/contract/params.ts";
import { invalidInput } from "../src/contract/parse-input.ts";
import { presentWebhook, Webhook } from "../src/contract/shapes/webhook.ts";
import { SUBSCRIBED_TYPES } from "../src/domain/events/types.ts";
import { leadsElsewhere, tellOfChannel } from "../src/domain/notices/channel-made.ts";
import { queuePing } from "../src/domain/webhooks/queue.ts";
import { logSaved } from "../src/domain/webhooks/security-log.ts";
import { refuseUnreachable, webhookUrl } from "../src/domain/webhooks/webhook-url.ts";
import { changeWebhook, createWebhook, rotateSecret, webhookToChange } from "../src/domain/webhooks/webhooks.ts";
import { secretBoxOf } from "../src/platform/config/secrets-key.ts";
import { creatorOf } from "../src/platform/principal.ts";
import { SIZES } from "../src/platform/sizes.ts";

const input = z.object({
  webhook_id: id.optional().describe("Of the one to change: wh_…; default: a new one"),
  url: line(SIZES.webhookUrl).optional().describe("https URL to POST events to; required for a new one"),
  events: z
    .array(z.enum(SUBSCRIBED_TYPES))
    .min(1)
    .max(SUBSCRIBED_TYPES.length)
    .nullable()
    .optional()
    .describe("Types of events; null: all, as in a new one"),
  description: line(SIZES.webhookDescription).optional().describe("What it is for, in your words"),
  status: z.enum(["active", "paused"]).optional().describe("paused keeps events until it is active again"),
  rotate_secret: z.boolean().default(false).describe("Make a new secret; the old one signs too for 24 hours"),
  ping: z.boolean().default(false).describe("Send a test message; list_deliveries says how it went"),
});

export default defineOperation({
  name: "save_webhook",
  title: "Add or change a webhook",
  description:
    "Adds a webhook, or changes one: events of the account are POSTed to its URL as they happen, signed as Standard Webhooks 1.0 describes. The secret is in the answer once, when it is made. A webhook belongs to the credential that made it, and ends with it. At most 10 an account.",
  access: { kind: "scope", scope: "index", besides: "read" },
  effect: "change",
  input,
  output: z.object({ webhook: Webhook, secret: z.string().nullable() }),
  errors: ["webhook_invalid", "not_found"],
  skill: { tags: ["events", "webhooks"] },
  example: { url: "https://example.com/hooks/beckon", events: ["project.completed"] },
  rest: { method: "POST", path: "/webhooks", status: 201 },
  toolset: "webhooks",
  async run({ webhook_id: webhookId, rotate_secret: isRotated, ping: isPinged, ...wanted }, ctx) {
    const [caller, now, box] = [callerOf(ctx), ctx.clock.now(), secretBoxOf(ctx.config)];
    const url = wanted.url === undefined ? undefined : webhookUrl(wanted.url);
    if (url === undefined && webhookId === undefined) throw invalidInput([{ path: "url", message: "is required" }]);
    if (url !== undefined) await refuseUnreachable(ctx.http, url);
    const { events: types, description, status } = wanted;
    return ctx.commit(async (tx) => {
      const known = await webhookToChange(tx, caller, { id: webhookId, url });
      const saved = known
        ? { row: await changeWebhook(tx, known, { url, types, description, status }, now), secret: null }
        : await createWebhook(tx, box, {
            ...{ accountId: caller.accountId, maker: creatorOf(caller), now },
            ...{ url: url!, types: types ?? null, description: description ?? "", status: status ?? "active" },
          });
      const { row, secret } = isRotated && known ? await rotateSecret(tx, box, saved.row, now) : saved;
      await logSaved(tx, { before: known, after: row, secret }, { caller, now });
      // If two calls make the same webhook at once, the second has made none.
      const isTold = known ? leadsElsewhere(known, row) : secret !== null;
      const channel = { kind: "webhook", url: row.url, isMoved: known !== null, caller } as const;
      if (isTold) await tellOfChannel(tx, ctx.config, channel, now);
      if (isPinged) await queuePing(tx, row, now);
      return { webhook: presentWebhook(row, caller), secret };
    });
  },
});
