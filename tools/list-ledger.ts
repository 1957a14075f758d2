import { z } from "zod";
import { accountOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { credentialId, limit, offset } from "../src/contract/params.ts";
import { LedgerEntry, presentEntry } from "../src/contract/shapes/ledger-entry.ts";
import { entriesOf } from "../src/domain/ledger/ledger.ts";
import { credentialsLike } from "../src/domain/spending/credentials.ts";
import { SIZES } from "../src/platform/sizes.ts";

export default defineOperation({
  name: "list_ledger",
  title: "List credit movements",
  description:
    "Lists every change of the credit balance, newest first: purchases, spends, returns (an entry for each cause) and adjustments.",
  access: { kind: "scope", scope: "read" },
  effect: "read",
  input: z.object({ limit: limit(SIZES.pageLimit, 50), offset, credential_id: credentialId }),
  output: z.object({ entries: z.array(LedgerEntry), has_more: z.boolean() }),
  skill: { tags: ["credits", "ledger"], commands: ["ledger"] },
  example: { limit: 10 },
  rest: { method: "GET", path: "/ledger" },
  toolset: "credits",
  async run({ credential_id, ...page }, ctx) {
    const accountId = accountOf(ctx);
    const credentials = await credentialsLike(ctx.db, accountId, credential_id);
    const { rows, hasMore } = await entriesOf(ctx.db, accountId, { ...page, credentials });
    return { entries: rows.map(presentEntry), has_more: hasMore };
  },
});
