import { z } from "zod";
import { accountOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { newProjectName, projectId, projectTags } from "../src/contract/params.ts";
import { recordChange } from "../src/contract/record-change.ts";
import { Project, presentProject } from "../src/contract/shapes/project.ts";
import { relabel, tagsOf } from "../src/domain/projects/labels.ts";

export default defineOperation({
  name: "update_project",
  title: "Rename, tag or archive a project",
  description:
    "Renames a project, sets its tags, such as the name of a client, or archives it; what is left out stays, and its URLs go on as before. tags replaces all of them, and [] removes them. list_projects can be filtered by both.",
  access: { kind: "scope", scope: "index" },
  effect: "change",
  input: z.object({
    project_id: projectId,
    name: newProjectName,
    tags: projectTags,
    archived: z.boolean().optional().describe("Out of the lists of people who do not ask for it"),
  }),
  output: z.object({ project: Project, tags: z.array(z.string()), archived: z.boolean() }),
  skill: { tags: ["projects", "tags", "archive"] },
  example: { project_id: "prj_0123456789abc", name: "Spring pages", tags: ["Example Ltd"] },
  rest: { method: "PATCH", path: "/projects/{project_id}" },
  toolset: "results",
  async run({ project_id, ...labels }, ctx) {
    return ctx.commit(async (tx) => {
      const row = await relabel(tx, accountOf(ctx), project_id, labels);
      await recordChange(tx, ctx, { kind: "project_changed", subject: row.name, target: project_id });
      return { project: presentProject(row, ctx.config), tags: tagsOf(row), archived: row.archived };
    });
  },
});
