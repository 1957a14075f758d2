import { z } from "zod";
import { accountOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { urlArray } from "../src/contract/params.ts";
import { requireMayAct } from "../src/domain/credentials/may-act.ts";
import { acceptUrls } from "../src/domain/projects/accept.ts";
import { NOTICE_EVENTS, notifyUrls } from "../src/indexing/sites/notify-urls.ts";
import { SIZES } from "../src/platform/sizes.ts";

const EngineReceipt = z.object({ status: z.enum(["sent", "skipped", "failed"]), detail: z.string().nullable() });

const Receipt = z
  .object({ url: z.string(), engines: z.object({ bing: EngineReceipt, yandex: EngineReceipt }) })
  .meta({ id: "NotificationReceipt" });

export default defineOperation({
  name: "notify_urls",
  title: "Tell Bing and Yandex of changed pages",
  description:
    "Tells Bing and Yandex at once that pages of verified sites have changed or are gone; it costs no credits, creates no project, and sends nothing to Google. URLs of other hosts are skipped (add_site verifies one). At most 10,000 URLs a day. Calling again does no harm: repeat what has failed later.",
  access: { kind: "scope", scope: "index" },
  effect: "change",
  input: z.object({
    urls: urlArray(SIZES.urlsPerNotification)
      .min(1)
      .describe("Absolute http(s) URLs of verified hosts. Duplicates and invalid entries are dropped and counted."),
    event: z.enum(NOTICE_EVENTS).describe("updated: new or changed; deleted: gone, and answering 404 or 410"),
  }),
  output: z.object({
    accepted: z.number().int().describe("Valid URLs, each with a receipt"),
    invalid: z.number().int(),
    duplicates: z.number().int(),
    invalid_examples: z.array(z.string()).describe("Up to 10"),
    receipts: z.array(Receipt),
  }),
  errors: ["no_valid_urls", "spending_limit"],
  skill: { tags: ["sites", "indexnow", "bing", "yandex"], commands: ["notify {event} {urls}"] },
  example: { urls: ["https://www.example.com/", "https://www.example.com/about"], event: "updated" },
  rest: { method: "POST", path: "/notifications" },
  toolset: "watches",
  async run({ urls, event }, ctx) {
    const { accepted, invalid, duplicates, invalidExamples } = acceptUrls(urls);
    // It costs nothing, and speaks to engines in the name of the account all the same: a disabled one does not.
    const act = { scopes: ["index"], spends: true, now: ctx.clock.now() } as const;
    await ctx.db.tx((tx) => requireMayAct(tx, ctx.principal!, act));
    const receipts = await notifyUrls(ctx, { accountId: accountOf(ctx), urls: accepted.toArray(), event });
    const answer = { accepted: accepted.length, invalid, duplicates, invalid_examples: invalidExamples, receipts };
    return ctx.commit(async () => answer);
  },
});
