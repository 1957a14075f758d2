import { z } from "zod";
import { accountOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { limit, searchText } from "../src/contract/params.ts";
import { Link, presentLinks } from "../src/contract/shapes/link.ts";
import { Order, presentOrder } from "../src/contract/shapes/order.ts";
import { Project, presentProject } from "../src/contract/shapes/project.ts";
import { presentSite, Site } from "../src/contract/shapes/site.ts";
import { ordersLike } from "../src/domain/payments/orders/orders.ts";
import { projectsLike } from "../src/domain/projects/list-projects.ts";
import { searchLinks } from "../src/domain/projects/search-links.ts";
import { keyRefusals } from "../src/indexing/sites/replace-key.ts";
import { sitesLike } from "../src/indexing/sites/sites.ts";
import { SIZES } from "../src/platform/sizes.ts";

export default defineOperation({
  name: "search",
  title: "Search the account",
  description:
    "Finds URLs of all projects by any part of them, projects by their name, sites by their host, and orders by the beginning of their id; newest first, and first the link whose URL is the text itself. `complete` is false where the account has so many URLs that only the newest million were searched, and where a model could not read all that was found.",
  access: { kind: "scope", scope: "read" },
  effect: "read",
  limits: ["searches"],
  input: z.object({ q: searchText, limit: limit(SIZES.found, SIZES.found) }),
  output: z.object({
    links: z.array(Link),
    projects: z.array(Project),
    sites: z.array(Site),
    orders: z.array(Order),
    complete: z.boolean(),
  }),
  skill: { tags: ["search", "urls", "projects"], commands: ["search {q}"] },
  example: { q: "example.com/about", limit: 5 },
  rest: { method: "GET", path: "/search" },
  toolset: "results",
  agentDefaults: { limit: 5 },
  async run({ q, limit }, ctx) {
    const { db, config } = ctx;
    const accountId = accountOf(ctx);
    const { records, isComplete } = await searchLinks(db, accountId, { text: q, limit });
    const projects = await projectsLike(db, accountId, q, limit);
    const sites = await sitesLike(db, accountId, q, limit);
    const refusals = await keyRefusals(db, sites);
    const orders = await ordersLike(db, accountId, q, limit);
    return {
      links: await presentLinks(db, accountId, records),
      projects: projects.map((row) => presentProject(row, config)),
      sites: sites.map((row) => presentSite(row, config, { refusedBy: refusals.get(row.id) ?? [] })),
      orders: orders.map(presentOrder),
      complete: isComplete,
    };
  },
});
