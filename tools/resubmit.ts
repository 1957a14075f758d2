import { z } from "zod";
import { accountOf, spenderOf } from "../src/contract/context.ts";
import { selections } from "../src/contract/nulls.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { linkIds, notIndexedReasons, projectId } from "../src/contract/params.ts";
import { presentReceipt, Receipt } from "../src/contract/shapes/project.ts";
import { createProject } from "../src/domain/projects/create.ts";
import { findProject } from "../src/domain/projects/find.ts";
import { nothingToResubmit, resubmissionOf, sameSettings } from "../src/domain/projects/resubmit.ts";
import { waitForOthers } from "../src/domain/projects/submitted.ts";
import { packUrls } from "../src/platform/urls/packed-urls.ts";

export default defineOperation({
  name: "resubmit",
  title: "Resubmit URLs",
  description:
    "Sends not_indexed URLs once more, in a new project; credits are spent at once. Mend them first, by get_report. URLs that refused indexing when last read, are under way, or were indexed since are left out. estimate_cost tells the price.",
  access: { kind: "scope", scope: "index", paid: true },
  effect: "spend",
  input: z.object({
    project_id: projectId,
    reasons: notIndexedReasons().register(selections),
    link_ids: linkIds("all not_indexed").register(selections),
  }),
  output: Receipt.extend({
    parent_id: z.string(),
    left_out: z.array(z.object({ reason: z.string(), count: z.number().int().min(1) })),
  }),
  errors: ["no_valid_urls"],
  skill: { tags: ["indexing", "google", "projects"], commands: ["resubmit {project_id}"] },
  example: { project_id: "prj_0123456789abc" },
  rest: { method: "POST", path: "/projects/{project_id}/resubmit", status: 201 },
  toolset: "jobs",
  async run({ project_id, reasons, link_ids: linkIds }, ctx) {
    const accountId = accountOf(ctx);
    const times = { now: ctx.clock.now(), service: ctx.clock.service() };
    return ctx.commit(async (tx) => {
      // Two calls at once would send the same URLs twice.
      await waitForOthers(tx, accountId);
      const parent = await findProject(tx, accountId, project_id);
      const again = await resubmissionOf(tx, parent, { reasons, linkIds });
      if (again.urls.length === 0) throw nothingToResubmit(again);
      const draft = {
        kind: "index",
        parentId: parent.id,
        ...sameSettings(parent),
        urls: packUrls(again.urls),
      } as const;
      const made = await createProject(tx, {
        ...spenderOf(ctx),
        ...draft,
        ...times,
        preflight: ctx.config.preflight,
      });
      const none = { invalid: 0, duplicates: 0, invalidExamples: [] };
      return {
        ...presentReceipt(made, { accepted: again.urls, ...none }, ctx.config),
        parent_id: parent.id,
        left_out: again.leftOut.map((one) => ({ ...one })),
      };
    });
  },
});
