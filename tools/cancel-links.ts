import { z } from "zod";
import { callerOf } from "../src/contract/context.ts";
import { selections } from "../src/contract/nulls.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { linkIds, projectId } from "../src/contract/params.ts";
import { recordChange } from "../src/contract/record-change.ts";
import { Project, presentProject } from "../src/contract/shapes/project.ts";
import { balanceOf } from "../src/domain/ledger/ledger.ts";
import { cancelLinks } from "../src/domain/projects/cancel.ts";
import { findProject, positionsOf } from "../src/domain/projects/find.ts";
import { formatCount } from "../src/platform/format.ts";

export default defineOperation({
  name: "cancel_links",
  title: "Cancel unsent URLs",
  description:
    "Cancels URLs of a project that were not sent yet and returns their credits: those in link_ids, or all. Calling again cancels 0.",
  access: { kind: "scope", scope: "index" },
  effect: "cancel",
  input: z.object({
    project_id: projectId,
    link_ids: linkIds("every unsent one").register(selections),
  }),
  output: z.object({
    project: Project,
    cancelled: z.number().int().min(0),
    credits_returned: z.number().int().min(0),
    balance: z.number().int(),
  }),
  skill: { tags: ["projects", "cancel"], commands: ["cancel {project_id}"] },
  example: { project_id: "prj_0123456789abc" },
  rest: { method: "POST", path: "/projects/{project_id}/cancel" },
  toolset: "jobs",
  async run({ project_id, link_ids }, ctx) {
    const { accountId } = callerOf(ctx);
    const times = { now: ctx.clock.now(), service: ctx.clock.service() };
    return ctx.commit(async (tx) => {
      const project = await findProject(tx, accountId, project_id);
      const positions = link_ids ? positionsOf(project, link_ids) : null;
      const { cancelled, returned } = await cancelLinks(tx, project, positions, times);
      if (cancelled > 0) {
        const subject = `${project.name}: ${formatCount(cancelled, "URL")}`;
        await recordChange(tx, ctx, { kind: "links_cancelled", subject, target: project_id });
      }
      return {
        project: presentProject(await findProject(tx, accountId, project_id), ctx.config),
        cancelled,
        credits_returned: returned,
        balance: await balanceOf(tx, accountId),
      };
    });
  },
});
