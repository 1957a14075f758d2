import { z } from "zod";
import { accountOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { limit, offset } from "../src/contract/params.ts";
import { Connection, presentConnection } from "../src/contract/shapes/connection.ts";
import { presentSite, Site } from "../src/contract/shapes/site.ts";
import { keyRefusals } from "../src/indexing/sites/replace-key.ts";
import { type SiteRow, sitesOf } from "../src/indexing/sites/sites.ts";
import { SIZES } from "../src/platform/sizes.ts";

export default defineOperation({
  name: "list_sites",
  title: "List sites",
  description: "Lists the account's hosts: whether each is verified, its key file, and what sends for it.",
  access: { kind: "scope", scope: "read" },
  effect: "read",
  input: z.object({ limit: limit(SIZES.pageLimit, 50), offset }),
  output: z.object({ sites: z.array(Site), has_more: z.boolean(), connections: z.array(Connection) }),
  skill: { tags: ["sites", "indexnow"], commands: ["sites"] },
  example: {},
  rest: { method: "GET", path: "/sites" },
  toolset: "sites",
  agentDefaults: { limit: 20 },
  async run(page, ctx) {
    const { rows, hasMore, connections } = await sitesOf(ctx.db, accountOf(ctx), page);
    const refusals = await keyRefusals(ctx.db, rows);
    const present = (row: SiteRow) => presentSite(row, ctx.config, { refusedBy: refusals.get(row.id) ?? [] });
    return { sites: rows.map(present), has_more: hasMore, connections: connections.map(presentConnection) };
  },
});
