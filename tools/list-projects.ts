import { z } from "zod";
import { accountOf, type CallContext } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { credentialId, limit, offset, search, tag } from "../src/contract/params.ts";
import { Project, presentProject } from "../src/contract/shapes/project.ts";
import { csvOfProjects } from "../src/contract/shapes/project-csv.ts";
import { jsonOf } from "../src/contract/shapes/whole-list.ts";
import { ARCHIVED, bothWays, PROJECT_SORTS } from "../src/domain/projects/list-order.ts";
import { eachProject, projectsOf } from "../src/domain/projects/list-projects.ts";
import { credentialsLike } from "../src/domain/spending/credentials.ts";
import { SIZES } from "../src/platform/sizes.ts";

const input = z.object({
  kind: z.enum(["all", "index", "check"]).default("all").describe("Only this kind"),
  status: z.enum(["any", "active", "completed"]).default("any").describe("Only with this status"),
  search: search("name"),
  tag,
  archived: z.enum(ARCHIVED).default("all").describe("Archived ones"),
  credential_id: credentialId,
  sort: z.enum(bothWays(PROJECT_SORTS)).default("-created").describe("Order; - is descending"),
  limit: limit(SIZES.pageLimit, 50),
  offset,
});

export default defineOperation({
  name: "list_projects",
  title: "List projects",
  description: "Lists the account's projects with their counts, index rate and credits.",
  access: { kind: "scope", scope: "read" },
  effect: "read",
  input,
  output: z.object({ projects: z.array(Project), has_more: z.boolean() }),
  skill: { tags: ["projects"], commands: ["projects"] },
  example: { status: "active", limit: 10 },
  rest: { method: "GET", path: "/projects" },
  toolset: "jobs",
  agentDefaults: { limit: 20 },
  representations: [
    { mediaType: "text/csv", suffix: "csv", stream: async (filter, ctx) => csvOfProjects(allProjects(filter, ctx)) },
    {
      mediaType: "application/json",
      suffix: "json",
      stream: async (filter, ctx) => jsonOf("projects", allProjects(filter, ctx)),
    },
  ],
  async run(filter, ctx) {
    const { rows, hasMore } = await projectsOf(ctx.db, accountOf(ctx), await byCredential(filter, ctx));
    return { projects: rows.map((row) => presentProject(row, ctx.config)), has_more: hasMore };
  },
});

async function* allProjects(filter: z.output<typeof input>, ctx: CallContext) {
  for await (const rows of eachProject(ctx.db, accountOf(ctx), await byCredential(filter, ctx)))
    yield rows.map((row) => presentProject(row, ctx.config));
}

async function byCredential(filter: z.output<typeof input>, ctx: CallContext) {
  return { ...filter, credentials: await credentialsLike(ctx.db, accountOf(ctx), filter.credential_id) };
}
