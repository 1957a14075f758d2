import { z } from "zod";
import { defineOperation } from "../src/contract/operation.ts";
import { ownProject } from "../src/contract/own-project.ts";
import { id, projectId } from "../src/contract/params.ts";
import { LinkWithChecks, presentLinkWithChecks } from "../src/contract/shapes/link.ts";
import { bingCheckOf } from "../src/domain/projects/bing-checks.ts";
import { findLink, refuseUnlessLinkOf } from "../src/domain/projects/find.ts";
import { progressVersion } from "../src/domain/projects/progress.ts";
import { andThen } from "../src/platform/awaitable.ts";

export default defineOperation({
  name: "get_link",
  title: "Read one URL with its evidence",
  description:
    "Returns one URL of a project with the evidence of all its checks. error_message says why it failed or is not indexed.",
  access: { kind: "scope", scope: "read" },
  effect: "read",
  input: z.object({ project_id: projectId, link_id: id.describe("Id of a link: lnk_…") }),
  output: LinkWithChecks,
  skill: { tags: ["projects", "report", "evidence"], commands: ["link {project_id} {link_id}"] },
  example: { project_id: "prj_0123456789abc", link_id: "lnk_0123456789abc_0" },
  rest: { method: "GET", path: "/projects/{project_id}/links/{link_id}" },
  toolset: "jobs",
  isCacheable: true,
  version({ project_id, link_id }, ctx) {
    return andThen(ownProject(ctx, project_id), (project) => {
      refuseUnlessLinkOf(project, link_id);
      return progressVersion(ctx.db, project);
    });
  },
  run({ project_id, link_id }, ctx) {
    const project = ownProject(ctx, project_id);
    return andThen(
      andThen(project, (found) => findLink(ctx.db, found, link_id)),
      (record) => andThen(bingCheckOf(ctx.db, record), (bing) => presentLinkWithChecks(record, bing)),
    );
  },
});
