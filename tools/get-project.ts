import { z } from "zod";
import { defineOperation } from "../src/contract/operation.ts";
import { ownProject } from "../src/contract/own-project.ts";
import { projectId } from "../src/contract/params.ts";
import { Project, presentProject } from "../src/contract/shapes/project.ts";
import { andThen } from "../src/platform/awaitable.ts";

export default defineOperation({
  name: "get_project",
  title: "Read a project",
  description:
    "Returns one project: how many URLs are waiting, being checked, indexed, not indexed or failed, and the credits spent and returned. It is completed when every URL has its final status.",
  access: { kind: "scope", scope: "read" },
  effect: "read",
  input: z.object({ project_id: projectId }),
  output: Project,
  skill: { tags: ["projects", "report"], commands: ["project {project_id}", "status {project_id}"] },
  example: { project_id: "prj_0123456789abc" },
  rest: { method: "GET", path: "/projects/{project_id}" },
  toolset: "jobs",
  isCacheable: true,
  run({ project_id }, ctx) {
    return andThen(ownProject(ctx, project_id), (project) => presentProject(project, ctx.config));
  },
});
