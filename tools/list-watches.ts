import { z } from "zod";
import { accountOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { limit, offset } from "../src/contract/params.ts";
import { presentWatch, Watch } from "../src/contract/shapes/watched-sitemap.ts";
import { watchesOf } from "../src/domain/watches/watches.ts";
import { SIZES } from "../src/platform/sizes.ts";

export default defineOperation({
  name: "list_watches",
  title: "List watches",
  description:
    "Lists the sitemaps that the account watches, newest first: when each runs next, what it has spent this month, what a month is estimated to cost, and whether it is held.",
  access: { kind: "scope", scope: "read" },
  effect: "read",
  agentDefaults: { limit: 20 },
  input: z.object({ limit: limit(SIZES.pageLimit, 50), offset }),
  output: z.object({ watches: z.array(Watch), has_more: z.boolean() }),
  skill: { tags: ["watch", "sitemap"], commands: ["watches"] },
  example: { limit: 10 },
  rest: { method: "GET", path: "/watches" },
  toolset: "watches",
  async run(page, ctx) {
    const { rows, hasMore } = await watchesOf(ctx.db, accountOf(ctx), page);
    const service = ctx.clock.service();
    return { watches: rows.map((row) => presentWatch(row, service, ctx.config)), has_more: hasMore };
  },
});
