import { z } from "zod";
import { callerOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { presentSpending, Spending } from "../src/contract/shapes/spending.ts";
import { endOfCredential } from "../src/domain/spending/credentials.ts";
import { holdersOf } from "../src/domain/spending/holder.ts";
import { spendingOfHolders } from "../src/domain/spending/read.ts";

export default defineOperation({
  name: "get_spending",
  title: "Read what this credential may spend",
  description:
    "Returns how many credits this key, app or agent may spend in a call, today, this month and in total, and what is left.",
  access: { kind: "credential" },
  effect: "read",
  input: z.object({}),
  output: Spending,
  skill: { tags: ["credits", "limits"], commands: ["spending", "limits"] },
  example: {},
  rest: { method: "GET", path: "/spending" },
  toolset: "credits",
  async run(_input, ctx) {
    const caller = callerOf(ctx);
    const { accountId, credential } = caller;
    const spending = await spendingOfHolders(ctx.db, accountId, holdersOf(caller), ctx.clock.now());
    const expiresAt = await endOfCredential(ctx.db, accountId, credential);
    return presentSpending(credential, { ...spending, expiresAt });
  },
});
