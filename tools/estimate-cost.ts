import { z } from "zod";
import { defineOperation } from "../src/contract/operation.ts";
import { urlListOrNone } from "../src/contract/params.ts";
import { costOf } from "../src/domain/ledger/costs.ts";
import { balanceOf } from "../src/domain/ledger/ledger.ts";
import { countUrls, tooMany } from "../src/domain/projects/accept.ts";
import { Refusal } from "../src/platform/errors/errors.ts";
import { SIZES } from "../src/platform/limits.ts";

const count = z.number().int().min(0);

export default defineOperation({
  name: "estimate_cost",
  title: "Estimate the cost",
  description:
    "Says what indexing or checking would cost, and spends nothing: for the URLs given, without duplicates and invalid entries, or for a count. With a credential also whether the balance is enough.",
  access: { kind: "public", saysMore: true },
  effect: "read",
  input: z.object({
    kind: z.enum(["standard", "instant", "check"]).default("standard").describe("Which price"),
    urls: urlListOrNone,
    count: z
      .number()
      .int()
      .min(1)
      .max(SIZES.urlsPerSubmission)
      .optional()
      .describe("Instead of urls. Without either, 1 URL is assumed"),
  }),
  output: z
    .strictObject({
      kind: z.enum(["standard", "instant", "check"]),
      urls: count.describe("Valid unique URLs counted"),
      invalid: count,
      duplicates: count,
      invalid_examples: z.array(z.string()),
      credits: count,
      balance: z.number().int().nullable(),
      enough: z.boolean().nullable(),
    })
    .meta({ id: "Estimate" }),
  errors: ["too_many_urls"],
  skill: { tags: ["credits", "prices"], commands: ["estimate {urls}"] },
  example: { urls: ["https://example.com/", "https://example.com/about"] },
  rest: { method: "POST", path: "/estimate" },
  toolset: "credits",
  async run({ kind, urls, count }, ctx) {
    if (urls && count !== undefined) {
      const issues = [{ path: "count", message: "send urls or count, not both" }];
      throw new Refusal("invalid_request", "Send `urls` or `count`, not both.", { issues });
    }
    const list = countUrls(urls ?? []);
    const counted = urls ? list.accepted.length : (count ?? 1);
    if (counted > SIZES.urlsPerSubmission) throw tooMany(counted);
    const credits = costOf(kind, counted);
    const balance = ctx.principal ? await balanceOf(ctx.db, ctx.principal.accountId) : null;
    return {
      kind,
      urls: counted,
      invalid: list.invalid,
      duplicates: list.duplicates,
      invalid_examples: list.invalidExamples,
      credits,
      balance,
      enough: balance === null ? null : balance >= credits,
    };
  },
});
