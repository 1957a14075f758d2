import { z } from "zod";
import { defineOperation } from "../src/contract/operation.ts";
import { holdoutPercent, linkIds, notIndexedReasons, projectId, urlListOrNone } from "../src/contract/params.ts";
import { invalidInput } from "../src/contract/parse-input.ts";
import { pricedAgain, pricedNew } from "../src/contract/priced.ts";
import { balanceOf } from "../src/domain/ledger/ledger.ts";
import { SIZES } from "../src/platform/sizes.ts";

const count = z.number().int().min(0);

const input = z.object({
  kind: z.enum(["standard", "instant", "check"]).default("standard").describe("Which price"),
  urls: urlListOrNone,
  count: count.min(1).max(SIZES.urlsPerSubmission).optional().describe("Instead of urls; without either, 1"),
  project_id: projectId.optional().describe("To resubmit"),
  reasons: notIndexedReasons(),
  link_ids: linkIds("all not_indexed"),
  holdout_percent: holdoutPercent,
});

export default defineOperation({
  name: "estimate_cost",
  title: "Estimate the cost",
  description:
    "Says what indexing or checking would cost, and spends nothing: for URLs or a count. With a credential also whether the balance is enough.",
  access: { kind: "public", saysMore: true },
  effect: "read",
  input,
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
      experiment: z.strictObject({ sent: count, held: count, credits: count }).optional(),
    })
    .meta({ id: "Estimate" }),
  errors: ["too_many_urls", "insufficient_scope", "not_found", "holdout_not_possible"],
  skill: { tags: ["credits", "prices"], commands: ["estimate {urls}"] },
  example: { urls: ["https://example.com/", "https://example.com/about"] },
  rest: { method: "POST", path: "/estimate" },
  toolset: "credits",
  async run({ project_id: id, holdout_percent: percent, reasons, link_ids: linkIds, ...given }, ctx) {
    const named = { ...given, project_id: id };
    const [first, second] = EXCLUSIVE.filter((name) => named[name] !== undefined);
    if (second) throw invalidInput([{ path: second, message: `send ${first} or ${second}, not both` }]);
    if (id !== undefined && percent !== undefined)
      throw invalidInput([{ path: "holdout_percent", message: "resubmit holds no pages out" }]);
    const priced =
      id === undefined ? await pricedNew({ ...given, percent }, ctx) : await pricedAgain(ctx, id, { reasons, linkIds });
    const balance = ctx.principal ? await balanceOf(ctx.db, ctx.principal.accountId) : null;
    return { ...priced, balance, enough: balance === null ? null : balance >= priced.credits };
  },
});

/** Each is another way to say which URLs. */
const EXCLUSIVE = ["urls", "count", "project_id"] as const;
