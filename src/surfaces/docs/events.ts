import { EVENT_TYPE_NAMES, EVENT_TYPES, type EventType } from "../../domain/events/types.ts";
import { CHECK_DAYS } from "../../platform/check-days.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Document } from "./document.ts";
import { fenced, page, table } from "./markdown.ts";
import { JAVASCRIPT_RECEIVER, PYTHON_RECEIVER } from "./receivers.ts";

/** The page of all events, one for each type, and one for those who write a receiver. */
export function eventDocuments(config: Config): Document[] {
  return [eventsDocument(), webhooksDocument(config), ...EVENT_TYPE_NAMES.map(eventDocument)];
}

function eventsDocument(): Document {
  return {
    path: "/docs/events",
    title: "Events",
    summary: "What has happened to an account: what each event says, and how to be told of it.",
    section: "Guides",
    markdown: page(
      "# Events",
      `A job takes ${CHECK_DAYS.final} days. Rather than asking again and again, be told: everything that happens to an account is an event,
written in the same transaction as the thing itself, and kept for 30 days.`,
      `- **Ask** with [\`list_events\`](/docs/operations/list_events). Pass the id of the last event you have seen as
  \`after\`, and you get what is new, in order, without gaps and without repetitions.
- **Be told** by a [webhook](/docs/webhooks): each event is sent to a URL of yours as it happens.`,
      table(
        ["type", "what has happened"],
        EVENT_TYPE_NAMES.map((type) => [`[\`${type}\`](${pathOf(type)})`, EVENT_TYPES[type].about]),
      ),
      "An event is less than 20 KB. Types and fields may be added; ignore those you do not know.",
    ),
  };
}

function pathOf(type: EventType): string {
  return `/docs/events/${type.replace(".", "_")}`;
}

function eventDocument(type: EventType): Document {
  const { about, isPrivate, example: data } = EVENT_TYPES[type];
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
      "## As list_events has it",
      fenced("json", JSON.stringify(event, null, 2)),
      "## As a webhook gets it",
      fenced("json", JSON.stringify({ type, timestamp: at, data }, null, 2)),
      "The header `webhook-id` is the event's `id`. [All events](/docs/events) · [Webhooks](/docs/webhooks)",
    ),
  };
}

function webhooksDocument({ siteUrl }: Config): Document {
  return {
    path: "/docs/webhooks",
    title: "Webhooks",
    summary:
      "Have events sent to a URL of yours: make a webhook, verify its messages, and what happens when you are away.",
    section: "Guides",
    markdown: page(
      "# Webhooks",
      "A webhook is a URL of yours to which [events](/docs/events) are POSTed as they happen, in the form of [Standard Webhooks](https://www.standardwebhooks.com/) 1.0, for which there are libraries in most languages.",
      "## Make one",
      fenced(
        "sh",
        [
          `curl ${siteUrl}/api/v1/webhooks \\`,
          '  -H "Authorization: Bearer $BECKON_API_KEY" \\',
          '  -H "Content-Type: application/json" \\',
          `  -d '{"url":"https://example.com/hooks/beckon","events":["project.completed"],"ping":true}'`,
        ].join("\n"),
      ),
      `The answer has a \`secret\` (\`whsec_…\`), which is shown this once: keep it where your receiver can read it. Without
\`events\` it gets all of them. \`ping\` sends a test message at once;
[\`list_deliveries\`](/docs/operations/list_deliveries) says how it went.`,
      `The URL begins with \`https://\` and is on the public web; a sandbox on your own machine also sends to
\`http://127.0.0.1\` and \`http://localhost\`. A webhook belongs to the credential that made it, and ends with it; others of
the account see its origin alone, and the owner is mailed that it was added. An account has at most 10. Over MCP the
tools are in the toolset \`webhooks\`, at \`${siteUrl}/mcp?toolsets=jobs,webhooks\`.`,
      "## Receive",
      fenced(
        "text",
        [
          "POST /hooks/beckon",
          "Content-Type: application/json",
          "webhook-id: evt_0123456789abcdefghjk_42",
          "webhook-timestamp: 1768825800",
          "webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
          "",
          JSON.stringify({
            type: "credits.low",
            timestamp: "2026-01-19T12:30:00.000Z",
            data: EVENT_TYPES["credits.low"].example,
          }),
        ].join("\n"),
      ),
      `1. **Verify.** The signature is the base64 of HMAC-SHA256 over \`webhook-id.webhook-timestamp.body\`, with the bytes of
   the body as they came; the key is the base64 after \`whsec_\`. Several signatures are separated by spaces. Refuse what is
   older than five minutes.
2. **Answer fast**, with any status of 2xx and within 15 seconds, and work afterwards.
3. **Ignore what you have seen.** A message may come twice, with the same \`webhook-id\`.
4. **Fetch the present state** where it matters, as with [\`get_project\`](/docs/operations/get_project): messages may
   come in another order than they were written.`,
      "A receiver in JavaScript, for Node.js 20 or newer, without any package:",
      fenced("js", JAVASCRIPT_RECEIVER),
      "The same in Python 3.8 or newer:",
      fenced("python", PYTHON_RECEIVER),
      "## While you write your receiver",
      `The command \`beckon listen\` of [the client](/docs/install) prints the events of your account as they happen, and forwards
them to an address of your own machine, signed as above. It asks for them with an API key, so nothing has to reach your machine from outside, and no
webhook is needed. It prints the secret at its start; \`--secret\` takes the same one again.`,
      fenced(
        "sh",
        [
          `export BECKON_URL=${siteUrl} BECKON_API_KEY=bk_…`,
          "beckon listen --events project.completed,links.settled",
          "beckon listen --forward-to localhost:8080/hook",
        ].join("\n"),
      ),
      "What is forwarded is sent once: its line says what your receiver answered.",
      "## When a message does not arrive",
      `Everything but 2xx is a failure, a redirect too. There are ten attempts: at once, then after 5 seconds, 5 and 30
minutes, 2, 5, 10, 14, 20 and 24 hours, each up to a tenth later. \`429\` and \`503\` with \`Retry-After\` are heeded. \`410\`
disables the webhook, and so do five days of nothing but failures; its owner is told. Every message comes at least once as
long as an attempt succeeds.`,
      `If you were away for longer, [\`redeliver_event\`](/docs/operations/redeliver_event) sends one event again, or all
since a time; or read what you have missed with [\`list_events\`](/docs/operations/list_events). While a webhook is
\`paused\`, events wait for it.`,
      "## Another secret",
      `[\`save_webhook\`](/docs/operations/save_webhook) with \`rotate_secret\` makes another one. For 24 hours messages are
signed with both, so that you can change yours at any time in between.`,
    ),
  };
}
