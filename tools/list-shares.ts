import { z } from "zod";
import { accountOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { limit, offset } from "../src/contract/params.ts";
import { presentShare, Share } from "../src/contract/shapes/share.ts";
import { sharesOf } from "../src/domain/shares/shares.ts";
import { SIZES } from "../src/platform/sizes.ts";

export default defineOperation({
  name: "list_shares",
  title: "List shares",
  description:
    "Lists the links by which results are shared and that have not ended, newest first, each with its end and when it was last opened. The links themselves are not stored.",
  access: { kind: "scope", scope: "read" },
  effect: "read",
  input: z.object({ limit: limit(SIZES.pageLimit, 50), offset }),
  output: z.object({ shares: z.array(Share), has_more: z.boolean() }),
  skill: { tags: ["share", "report"], commands: ["shares"] },
  example: { limit: 10 },
  rest: { method: "GET", path: "/shares" },
  toolset: "results",
  async run(page, ctx) {
    const { rows, hasMore } = await sharesOf(ctx.db, accountOf(ctx), { ...page, now: ctx.clock.now() });
    return { shares: rows.map((row) => presentShare(row)), has_more: hasMore };
  },
});
