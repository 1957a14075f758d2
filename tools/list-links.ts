import { z } from "zod";
import { accountOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { limit, offset, projectId } from "../src/contract/params.ts";
import { Link, presentLink } from "../src/contract/shapes/link.ts";
import { csvOfLinks } from "../src/contract/shapes/link-csv.ts";
import { findProject } from "../src/domain/projects/find.ts";
import { linksOf } from "../src/domain/projects/read.ts";
import { LINK_STATES, type LinkState } from "../src/domain/projects/states.ts";
import { SIZES } from "../src/platform/limits.ts";

export default defineOperation({
  name: "list_links",
  title: "List a project's URLs",
  description:
    "Lists the URLs of a project in submission order, each with its status, what each engine answered, the last check and when the next one is due. `status: not_indexed` lists the URLs whose credits were returned.",
  access: { kind: "scope", scope: "read" },
  effect: "read",
  input: z.object({
    project_id: projectId,
    status: z.enum(["any", ...LINK_STATES]).default("any"),
    limit: limit(SIZES.linksPerPage, 100),
    offset,
  }),
  output: z.object({ links: z.array(Link), has_more: z.boolean() }),
  skill: { tags: ["projects", "report"], commands: ["links {project_id}"] },
  example: { project_id: "prj_0123456789abc", status: "not_indexed" },
  rest: { method: "GET", path: "/projects/{project_id}/links" },
  agentDefaults: { limit: 20 },
  representations: [
    {
      mediaType: "text/csv",
      suffix: "csv",
      async stream({ project_id, status }, ctx) {
        const project = await findProject(ctx.db, accountOf(ctx), project_id);
        return csvOfLinks(ctx.db, project, stateOf(status));
      },
    },
  ],
  async run({ project_id, status, limit, offset }, ctx) {
    const project = await findProject(ctx.db, accountOf(ctx), project_id);
    const { records, hasMore } = await linksOf(ctx.db, project, { state: stateOf(status), limit, offset });
    return { links: records.map(presentLink), has_more: hasMore };
  },
});

function stateOf(status: "any" | LinkState): LinkState | null {
  return status === "any" ? null : status;
}
