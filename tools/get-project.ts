import { z } from "zod";
import { accountOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { projectId } from "../src/contract/params.ts";
import { Project, presentProject } from "../src/contract/shapes/project.ts";
import { findProject } from "../src/domain/projects/find.ts";

export default defineOperation({
  name: "get_project",
  title: "Read a project",
  description:
    "Returns one project: how many URLs are waiting or indexed, credits spent and returned, and whether it is completed.",
  access: { kind: "scope", scope: "read" },
  effect: "read",
  input: z.object({ project_id: projectId }),
  output: Project,
  skill: { tags: ["projects", "report"], commands: ["project {project_id}", "status {project_id}"] },
  example: { project_id: "prj_0123456789abc" },
  rest: { method: "GET", path: "/projects/{project_id}" },
  toolset: "jobs",
  async run({ project_id }, ctx) {
    return presentProject(await findProject(ctx.db, accountOf(ctx), project_id), ctx.config);
  },
});
