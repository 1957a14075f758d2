import { EVENT_TYPE_NAMES, EVENT_TYPES, type EventType } from "../../domain/events/types.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Document } from "./document.ts";
import { fenced, page, table } from "./markdown.ts";
import { pageOf } from "./page.ts";

/** The page of all events, the page for those who write a receiver of webhooks, and a page for each type of event. */
export function eventDocuments(config: Config): Document[] {
  const types = table(
    ["type", "what has happened"],
    EVENT_TYPE_NAMES.map((type) => [`[\`${type}\`](${pathOf(type)})`, EVENT_TYPES[type].about]),
  );
  const data = EVENT_TYPES["credits.low"].example;
  const message = JSON.stringify({ type: "credits.low", timestamp: "2026-01-19T12:30:00.000Z", data });
  return [
    pageOf("/docs/events", config, { types }),
    pageOf("/docs/webhooks", config, { message }),
    ...EVENT_TYPE_NAMES.map(eventDocument),
  ];
}

function pathOf(type: EventType): string {
  return `/docs/events/${type.replace(".", "_")}`;
}

function eventDocument(type: EventType): Document {
  const { about, next, isPrivate, example: data } = EVENT_TYPES[type];
  const at = "2026-01-19T12:30:00.000Z";
  const projectId = "project_id" in data ? data.project_id : null;
  const event = { object: "event", id: "evt_0123456789abcdefghjk_42", type, at, project_id: projectId, data };
  return {
    path: pathOf(type),
    title: type,
    summary: about.split(/\. |: /)[0]!.replaceAll("`", ""),
    markdown: page(
      `# ${type}`,
      about,
      isPrivate
        ? "Webhooks that an API key, app or agent made are not told of it, only those that the account's owner made."
        : "",
      "## What an agent does then",
      next,
      "## As list_events has it",
      fenced("json", JSON.stringify(event, null, 2)),
      "## As a webhook gets it",
      fenced("json", JSON.stringify({ type, timestamp: at, data }, null, 2)),
      "The header `webhook-id` is the event's `id`. [All events](/docs/events) · [Webhooks](/docs/webhooks)",
    ),
  };
}
