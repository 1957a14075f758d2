import { z } from "zod";
import { accountOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { accountOverview } from "../src/domain/accounts/overview.ts";
import { LIMITS } from "../src/platform/limits.ts";
import { SIZES } from "../src/platform/sizes.ts";

export default defineOperation({
  name: "get_account",
  title: "Read the account",
  description:
    "Returns how many credits are left, whether the account may index (`paid`), what this credential may do, today's usage and the limits.",
  access: { kind: "credential" },
  effect: "read",
  input: z.object({}),
  output: z
    .strictObject({
      object: z.literal("account"),
      id: z.string(),
      email: z.string(),
      name: z.string(),
      credits: z.number().int(),
      paid: z.boolean().describe("Indexing and checking need a paid account"),
      credential: z.strictObject({
        type: z.enum(["api_key", "oauth", "agent"]),
        name: z.string(),
        scopes: z.array(z.string()),
      }),
      usage_today: z.strictObject({ requests: z.number().int(), submissions: z.number().int() }),
      limits: z.strictObject({
        requests_per_minute: z.number().int(),
        requests_per_day: z.number().int(),
        submissions_per_day: z.number().int(),
        urls_per_submission: z.number().int(),
      }),
      dashboard_url: z.string(),
    })
    .meta({ id: "Account" }),
  skill: { tags: ["account", "credits"], commands: ["account", "balance"] },
  example: {},
  rest: { method: "GET", path: "/account" },
  toolset: "credits",
  countsRequests: true,
  async run(_input, ctx) {
    const id = accountOf(ctx);
    const { type, name, scopes } = ctx.principal!.credential;
    if (type === "session" || type === "push") throw new Error(`get_account was called by a ${type}`);
    const account = await accountOverview(ctx.db, id, ctx.clock.now());
    return {
      object: "account" as const,
      id,
      email: account.email,
      name: account.name,
      credits: account.credits,
      paid: account.paid,
      credential: { type, name, scopes: [...scopes] },
      usage_today: { requests: ctx.requestsToday, submissions: account.submissions },
      limits: {
        requests_per_minute: LIMITS.requests_per_minute.count,
        requests_per_day: LIMITS.requests_per_day.count,
        submissions_per_day: LIMITS.submissions_per_day.count,
        urls_per_submission: SIZES.urlsPerSubmission,
      },
      dashboard_url: `${ctx.config.siteUrl}/dashboard`,
    };
  },
});
