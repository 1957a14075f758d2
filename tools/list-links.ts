import { z } from "zod";
import { accountOf, type CallContext } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { limit, offset, projectId, search } from "../src/contract/params.ts";
import { Link, presentLinks } from "../src/contract/shapes/link.ts";
import { csvOfLinks } from "../src/contract/shapes/link-csv.ts";
import { jsonOf } from "../src/contract/shapes/whole-list.ts";
import { findProject } from "../src/domain/projects/find.ts";
import { eachLink, type LinkFilter, linksOf } from "../src/domain/projects/list-links.ts";
import { bothWays, LINK_SORTS } from "../src/domain/projects/list-order.ts";
import { LINK_STATES } from "../src/domain/projects/states.ts";
import { SIZES } from "../src/platform/sizes.ts";

const input = z.object({
  project_id: projectId,
  status: z
    .enum(["any", ...LINK_STATES])
    .default("any")
    .describe("Only with this status"),
  search: search("URL"),
  sort: z.enum(bothWays(LINK_SORTS)).default("submitted").describe("Order; - is descending"),
  limit: limit(SIZES.linksPerPage, 100),
  offset,
});
type Input = z.output<typeof input>;

export default defineOperation({
  name: "list_links",
  title: "List a project's URLs",
  description:
    "Lists the URLs of a project, each with its status, what each engine answered and its checks. `status: not_indexed` lists those whose credits were returned; error_message says why.",
  access: { kind: "scope", scope: "read" },
  effect: "read",
  input,
  output: z.object({ links: z.array(Link), has_more: z.boolean() }),
  skill: { tags: ["projects", "report"], commands: ["links {project_id}"] },
  example: { project_id: "prj_0123456789abc", status: "not_indexed" },
  rest: { method: "GET", path: "/projects/{project_id}/links" },
  toolset: "jobs",
  agentDefaults: { limit: 20 },
  representations: [
    { mediaType: "text/csv", suffix: "csv", stream: async (input, ctx) => csvOfLinks(await allLinks(input, ctx)) },
    {
      mediaType: "application/json",
      suffix: "json",
      stream: async (input, ctx) => jsonOf("links", await allLinks(input, ctx)),
    },
  ],
  async run(input, ctx) {
    const { limit, offset } = input;
    const project = await findProject(ctx.db, accountOf(ctx), input.project_id);
    const { records, hasMore } = await linksOf(ctx.db, project, { ...filterOf(input), limit, offset });
    return { links: await presentLinks(ctx.db, project.accountId, records), has_more: hasMore };
  },
});

async function allLinks(input: Input, ctx: CallContext) {
  const project = await findProject(ctx.db, accountOf(ctx), input.project_id);
  return present();

  async function* present() {
    for await (const records of eachLink(ctx.db, project, filterOf(input)))
      yield await presentLinks(ctx.db, project.accountId, records);
  }
}

function filterOf({ status, search, sort }: Input): LinkFilter {
  return { state: status === "any" ? null : status, search, sort };
}
