import { z } from "zod";
import { callerOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { id } from "../src/contract/params.ts";
import { presentShare, Share } from "../src/contract/shapes/share.ts";
import { requireRole } from "../src/domain/credentials/may-act.ts";
import { endShare } from "../src/domain/shares/shares.ts";

export default defineOperation({
  name: "delete_share",
  title: "End a share",
  description:
    "Ends a link by which results are shared, at once and for good, and answers the share as it was. A key, app or agent ends the shares that it made, and needs the approval of a person for it.",
  access: { kind: "scope", scope: "index" },
  effect: "change",
  input: z.object({ share_id: id.describe("shr_…") }),
  output: Share,
  skill: { tags: ["share", "report"], commands: ["delete share {share_id}"] },
  example: { share_id: "shr_0123456789abcdefghjk" },
  rest: { method: "DELETE", path: "/shares/{share_id}" },
  toolset: "results",
  asksApproval: ({ title }) => ({ name: title, description: "Nobody can read the results by its link any longer" }),
  async run({ share_id }, ctx) {
    const caller = callerOf(ctx);
    if (caller.credential.type === "session") requireRole(caller.role!, "share");
    return ctx.commit(async (tx) => presentShare(await endShare(tx, { caller, id: share_id, now: ctx.clock.now() })));
  },
});
