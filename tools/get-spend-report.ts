import { z } from "zod";
import { type CallContext, callerOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { csvOfSpendReport, presentSpendReport, SpendReport } from "../src/contract/shapes/spend-report.ts";
import { budgetOf } from "../src/domain/spending/budgets.ts";
import { ACCOUNT } from "../src/domain/spending/holder.ts";
import { spendingOf } from "../src/domain/spending/read.ts";
import { spendReport } from "../src/domain/spending/report.ts";
import { isMemberWith } from "../src/platform/roles.ts";
import { SIZES } from "../src/platform/sizes.ts";

const input = z.object({
  days: z.number().int().min(1).max(SIZES.reportDays).default(30).describe("How many UTC days, up to today"),
  rows: z
    .number()
    .int()
    .min(1)
    .max(SIZES.reportRows)
    .default(20)
    .describe("Of credentials and projects: those that spent most"),
});

export default defineOperation({
  name: "get_spend_report",
  title: "Report who spent what",
  description:
    "Sums up what was spent and returned in the last days: by key, app and agent, by person, by day, and by project. `budget` is what all of them together may spend in a day and a month, which only a person sets.",
  access: { kind: "scope", scope: "read" },
  effect: "read",
  input,
  output: SpendReport,
  skill: { tags: ["credits", "spending", "report"], commands: ["spend report"] },
  example: { days: 7 },
  rest: { method: "GET", path: "/spending/report" },
  toolset: "results",
  agentDefaults: { days: 14, rows: 10 },
  representations: [
    {
      mediaType: "text/csv",
      suffix: "csv",
      stream: async (wanted, ctx) => csvOfSpendReport(await reportOf(wanted, ctx)),
    },
  ],
  run: reportOf,
});

async function reportOf({ days, rows }: z.output<typeof input>, ctx: CallContext) {
  const { db, clock } = ctx;
  const caller = callerOf(ctx);
  const { accountId } = caller;
  const now = clock.now();
  const report = await spendReport(db, accountId, { days, rows, now });
  const account = spendingOf(await budgetOf(db, { accountId, holder: ACCOUNT }), now);
  return presentSpendReport(report, account, isMemberWith(caller, "people"));
}
