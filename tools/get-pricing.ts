import { z } from "zod";
import { defineOperation } from "../src/contract/operation.ts";
import { COSTS, URLS_CHECKED_PER_CREDIT } from "../src/domain/ledger/costs.ts";
import { CURRENCY, type Pack, POPULAR } from "../src/domain/payments/orders/packs.ts";
import { CHECK_DAYS } from "../src/platform/check-days.ts";
import { SIZES } from "../src/platform/sizes.ts";

export default defineOperation({
  name: "get_pricing",
  title: "Read the prices",
  description:
    "Returns the prices of credit packs and of each kind of work, the days of the checks, and when credits are given back. Needs no credential.",
  access: { kind: "public" },
  effect: "read",
  input: z.object({}),
  output: z
    .strictObject({
      object: z.literal("pricing"),
      currency: z.string(),
      packs: z.array(
        z.strictObject({
          id: z.string(),
          name: z.string(),
          price: z.string(),
          amount_cents: z.number().int(),
          credits: z.number().int(),
          per_link: z.string(),
          popular: z.boolean(),
        }),
      ),
      costs: z.strictObject({
        standard_url: z.number().int().describe("Credits per URL"),
        instant_url: z.number().int().describe("Credits per URL"),
        urls_checked_per_credit: z.number().int(),
      }),
      check_days: z.strictObject({ first: z.number().int(), final: z.number().int() }),
      credits_back_after_days: z.number().int(),
      credits_expire: z.boolean(),
      max_urls_per_submission: z.number().int(),
      buy_url: z.string(),
    })
    .meta({ id: "Pricing" }),
  skill: { tags: ["credits", "prices"], commands: ["pricing", "prices"] },
  example: {},
  rest: { method: "GET", path: "/pricing" },
  toolset: "credits",
  async run(_input, ctx) {
    return {
      object: "pricing" as const,
      currency: CURRENCY,
      packs: ctx.config.isSelling ? ctx.config.packs.map(presentPack) : [],
      costs: {
        standard_url: COSTS.standard,
        instant_url: COSTS.instant,
        urls_checked_per_credit: URLS_CHECKED_PER_CREDIT,
      },
      check_days: CHECK_DAYS,
      credits_back_after_days: CHECK_DAYS.final,
      credits_expire: false,
      max_urls_per_submission: SIZES.urlsPerSubmission,
      buy_url: `${ctx.config.siteUrl}/pricing`,
    };
  },
});

function presentPack({ id, name, credits, amountCents, price, perLink }: Pack) {
  return {
    id,
    name,
    price,
    amount_cents: amountCents,
    credits,
    per_link: perLink,
    popular: id === POPULAR,
  };
}
