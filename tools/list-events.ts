import { z } from "zod";
import { accountOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { id, limit, projectId } from "../src/contract/params.ts";
import { Event, presentEvent } from "../src/contract/shapes/event.ts";
import { eventsOf } from "../src/domain/events/events.ts";
import { EVENT_TYPE_NAMES } from "../src/domain/events/types.ts";
import { SIZES } from "../src/platform/sizes.ts";

export default defineOperation({
  name: "list_events",
  title: "List what has happened",
  description:
    "Lists the account's events of the last 30 days, oldest first: projects completed, links settled or dropped, credits low, orders, sites, new credentials. Pass the id of the last event you have seen as `after` to get only what is new.",
  access: { kind: "scope", scope: "read" },
  effect: "read",
  input: z.object({
    after: id.optional().describe("Id of the last event you have seen: evt_…"),
    type: z
      .enum(["any", ...EVENT_TYPE_NAMES])
      .default("any")
      .describe("Only of this type"),
    project_id: projectId.optional(),
    limit: limit(SIZES.pageLimit, 50),
  }),
  output: z.object({ events: z.array(Event), has_more: z.boolean() }),
  errors: ["cursor_expired"],
  skill: { tags: ["events", "history"], commands: ["events"] },
  example: { type: "project.completed" },
  rest: { method: "GET", path: "/events" },
  toolset: "webhooks",
  agentDefaults: { limit: 20 },
  async run({ after = null, type, project_id = null, limit }, ctx) {
    const filter = { after, type: type === "any" ? null : type, projectId: project_id, limit };
    const { rows, hasMore } = await eventsOf(ctx.db, accountOf(ctx), filter);
    return { events: rows.map(presentEvent), has_more: hasMore };
  },
});
