import { z } from "zod";
import { defineOperation } from "../src/contract/operation.ts";
import { linkIds, notIndexedReasons, projectId, urlListOrNone } from "../src/contract/params.ts";
import { invalidInput } from "../src/contract/parse-input.ts";
import { pricedAgain } from "../src/contract/priced-again.ts";
import { costOf } from "../src/domain/ledger/costs.ts";
import { balanceOf } from "../src/domain/ledger/ledger.ts";
import { countUrls, tooMany } from "../src/domain/projects/accept.ts";
import { SIZES } from "../src/platform/limits.ts";

const count = z.number().int().min(0);

const input = z.object({
  kind: z.enum(["standard", "instant", "check"]).default("standard").describe("Which price"),
  urls: urlListOrNone,
  count: count
    .min(1)
    .max(SIZES.urlsPerSubmission)
    .optional()
    .describe("Instead of urls. Without either, 1 URL is assumed"),
  project_id: projectId.optional().describe("To resubmit"),
  reasons: notIndexedReasons(),
  link_ids: linkIds("all not_indexed"),
});

export default defineOperation({
  name: "estimate_cost",
  title: "Estimate the cost",
  description:
    "Says what indexing or checking would cost, and spends nothing: for the URLs given, without duplicates and invalid entries, or for a count. With a credential also whether the balance is enough.",
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
    })
    .meta({ id: "Estimate" }),
  errors: ["too_many_urls", "insufficient_scope", "not_found"],
  skill: { tags: ["credits", "prices"], commands: ["estimate {urls}"] },
  example: { urls: ["https://example.com/", "https://example.com/about"] },
  rest: { method: "POST", path: "/estimate" },
  toolset: "credits",
  async run(input, ctx) {
    const { project_id: id, reasons, link_ids: linkIds } = input;
    const [first, second] = (["urls", "count", "project_id"] as const).filter((name) => input[name] !== undefined);
    if (second) throw invalidInput([{ path: second, message: `send ${first} or ${second}, not both` }]);
    const counted = id === undefined ? countedUrls(input) : await pricedAgain(ctx, id, { reasons, linkIds });
    const credits = costOf(counted.kind, counted.urls);
    const balance = ctx.principal ? await balanceOf(ctx.db, ctx.principal.accountId) : null;
    return { ...counted, credits, balance, enough: balance === null ? null : balance >= credits };
  },
});

function countedUrls({ kind, urls, count }: z.output<typeof input>) {
  const { accepted, invalid, duplicates, invalidExamples } = countUrls(urls ?? []);
  const counted = urls ? accepted.length : (count ?? 1);
  if (counted > SIZES.urlsPerSubmission) throw tooMany(counted);
  return { kind, urls: counted, invalid, duplicates, invalid_examples: invalidExamples };
}
