import { z } from "zod";
import { accountOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { limit, offset } from "../src/contract/params.ts";
import { Project, presentProject } from "../src/contract/shapes/project.ts";
import { projectsOf } from "../src/domain/projects/read.ts";
import { SIZES } from "../src/platform/limits.ts";

export default defineOperation({
  name: "list_projects",
  title: "List projects",
  description: "Lists the account's projects, newest first, with their counts, index rate and credits.",
  access: { kind: "scope", scope: "read" },
  effect: "read",
  input: z.object({
    kind: z.enum(["all", "index", "check"]).default("all"),
    status: z.enum(["any", "active", "completed"]).default("any"),
    limit: limit(SIZES.pageLimit, 50),
    offset,
  }),
  output: z.object({ projects: z.array(Project), has_more: z.boolean() }),
  skill: { tags: ["projects"], commands: ["projects"] },
  example: { status: "active", limit: 10 },
  rest: { method: "GET", path: "/projects" },
  agentDefaults: { limit: 20 },
  async run(filter, ctx) {
    const { rows, hasMore } = await projectsOf(ctx.db, accountOf(ctx), filter);
    return { projects: rows.map((row) => presentProject(row, ctx.config)), has_more: hasMore };
  },
});
