import { z } from "zod";
import { accountOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { id, projectId } from "../src/contract/params.ts";
import { LinkWithChecks, presentLinksWithChecks } from "../src/contract/shapes/link.ts";
import { findLink, findProject } from "../src/domain/projects/find.ts";
import { SIZES } from "../src/platform/sizes.ts";

export default defineOperation({
  name: "get_link",
  title: "Read one URL with its evidence",
  description:
    "Returns one URL of a project with the evidence of its checks. error_message says why it failed or is not indexed.",
  access: { kind: "scope", scope: "read" },
  effect: "read",
  input: z.object({
    project_id: projectId,
    link_id: id.describe("lnk_…"),
    rows: z.number().int().min(1).max(SIZES.crawlRows).default(SIZES.crawlRows).describe("Of crawls and visits"),
  }),
  output: LinkWithChecks,
  skill: { tags: ["projects", "report", "evidence"], commands: ["link {project_id} {link_id}"] },
  example: { project_id: "prj_0123456789abc", link_id: "lnk_0123456789abc_0" },
  rest: { method: "GET", path: "/projects/{project_id}/links/{link_id}" },
  toolset: "jobs",
  agentDefaults: { rows: 6 },
  async run({ project_id, link_id, rows }, ctx) {
    const project = await findProject(ctx.db, accountOf(ctx), project_id);
    const record = await findLink(ctx.db, project, link_id);
    const [link] = await presentLinksWithChecks(ctx.db, project.accountId, {
      records: [record],
      rows,
      siteUrl: ctx.config.siteUrl,
    });
    return link!;
  },
});
