import { z } from "zod";
import { accountOf, type CallContext } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { projectId } from "../src/contract/params.ts";
import { csvOfReport, presentReport, Report } from "../src/contract/shapes/report.ts";
import { presentSearcher, Searcher } from "../src/contract/shapes/visits.ts";
import { findProject } from "../src/domain/projects/find.ts";
import { reportOf } from "../src/domain/projects/report.ts";
import { visitsOfProject } from "../src/indexing/visits/visits.ts";
import { SIZES } from "../src/platform/sizes.ts";

const input = z.object({
  project_id: projectId,
  rows: z
    .number()
    .int()
    .min(1)
    .max(SIZES.reportRows)
    .default(SIZES.reportRows)
    .describe("Most rows of each list; the largest come first"),
});

export default defineOperation({
  name: "get_report",
  title: "Report why URLs are indexed or not",
  description:
    "Groups the URLs of a project by what was found and why: in Google's own words where it says why (sites connected to Search Console), else in ours. Pages that are gone, and pages without a reliable answer, are groups of their own. Also counts them by host and by folder.",
  access: { kind: "scope", scope: "read" },
  effect: "read",
  input,
  output: Report.extend({
    searchers: z
      .array(Searcher)
      .nullable()
      .describe("Whether the searchers of agents came, by the site's own access logs; null where none were imported"),
  }),
  skill: { tags: ["projects", "report", "evidence"], commands: ["report {project_id}"] },
  example: { project_id: "prj_0123456789abc" },
  rest: { method: "GET", path: "/projects/{project_id}/report" },
  toolset: "watches",
  agentDefaults: { rows: 10 },
  representations: [
    {
      mediaType: "text/csv",
      suffix: "csv",
      stream: async (input, ctx) => csvOfReport(await report(input, ctx)),
    },
  ],
  run: report,
});

async function report({ project_id, rows }: z.output<typeof input>, ctx: CallContext) {
  const project = await findProject(ctx.db, accountOf(ctx), project_id);
  const visits = await visitsOfProject(ctx.db, project);
  return {
    ...presentReport(project, await reportOf(ctx.db, project, visits?.crawls), {
      most: rows,
      siteUrl: ctx.config.siteUrl,
    }),
    searchers: visits?.searchers.map(presentSearcher) ?? null,
  };
}
