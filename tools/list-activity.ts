import { z } from "zod";
import { callerOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { credentialId, id, limit, offset } from "../src/contract/params.ts";
import { Activity, presentActivity } from "../src/contract/shapes/activity.ts";
import { activityOf } from "../src/domain/security-log/security-log.ts";
import { credentialsLike } from "../src/domain/spending/credentials.ts";
import { isMemberWith } from "../src/platform/roles.ts";
import { SIZES } from "../src/platform/sizes.ts";

export default defineOperation({
  name: "list_activity",
  title: "List who changed what",
  description:
    "Lists the changes of the last 400 days, newest first: projects, keys, apps, approvals, watches, webhooks, sites, connections, people. Each has who made it: the person by id and role, and the credential.",
  access: { kind: "scope", scope: "read" },
  effect: "read",
  input: z.object({
    person_id: id.optional().describe("Only by this person"),
    credential_id: credentialId,
    limit: limit(SIZES.pageLimit, 50),
    offset,
  }),
  output: z.object({ activity: z.array(Activity), has_more: z.boolean() }),
  skill: { tags: ["activity", "members", "history"], commands: ["activity"] },
  example: { limit: 4 },
  rest: { method: "GET", path: "/activity" },
  toolset: "results",
  agentDefaults: { limit: 20 },
  async run({ person_id: personId, credential_id, ...page }, ctx) {
    const caller = callerOf(ctx);
    const { accountId } = caller;
    const credentials = await credentialsLike(ctx.db, accountId, credential_id);
    const { rows, hasMore } = await activityOf(ctx.db, accountId, { personId, credentials, ...page });
    const withAddresses = isMemberWith(caller, "people");
    return { activity: rows.map((row) => presentActivity(row, { withAddresses })), has_more: hasMore };
  },
});
