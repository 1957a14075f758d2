import { operations } from "../../../tools/index.ts";
import { type AnyOperation, isOfferedBy, isOn } from "../../contract/operation.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Document } from "./document.ts";
import { list, page, table } from "./markdown.ts";
import { operationPath } from "./operation-page.ts";

export function a2aDocument(config: Config): Document {
  const skills = operations.filter((operation) => isOn(operation, "a2a") && isOfferedBy(operation, config));
  return {
    path: "/docs/a2a",
    title: "A2A agent",
    summary: "The agent endpoint: bindings, skills, lines of text it understands, tasks and payment.",
    section: "Reference",
    markdown: page(
      "# A2A agent",
      table(
        ["", ""],
        [
          ["Address", `\`${config.siteUrl}/a2a\``],
          ["Card", `\`${config.siteUrl}/.well-known/agent-card.json\``],
          ["Protocol", "A2A 1.0 over JSON-RPC and HTTP+JSON, with the header `A2A-Version: 1.0`; 0.3 over JSON-RPC"],
          ["Credential", "as for REST: an API key, or a token of an app or agent"],
        ],
      ),
      "[Send a first message](/docs/quickstart/a2a)",
      "## Asking for something",
      `A message is one call. Free text is not guessed at: what is none of these is rejected, and nothing is spent on it.

1. A part with data: \`{"skill": "submit_urls", "input": {"urls": ["https://example.com/"]}}\`. The input is that of the
   operation of the same name. The same as JSON in a text is taken too.
2. A text that is one of the lines below, and nothing else. \`help\` lists them.

Markdown around it does no harm: JSON may stand in a fence, an address in \`<…>\`. Who accepts only \`text/plain\`
(\`acceptedOutputModes\`) gets the answer as JSON in a part of text.`,
      "## Repeating a message",
      `Every message needs a \`messageId\` of its own. The same message sent again gets the first answer, and nothing is done
twice; another message with an id that was used is refused, with \`-32602\` over JSON-RPC. That holds as long as its task
is kept. Where a retry cannot send the same id, put an \`idempotency_key\` into the \`input\` of what spends or buys:
with the same key and the same input the first answer comes back for 24 hours, under a new task.`,
      "## Skills",
      table(
        ["skill", "lines of text"],
        [...skills.map(rowOf), ["`watch_project`: Watch a project", "`watch {project_id}`"]],
      ),
      `A field in braces takes one word; a list takes the words to the end of the line.`,
      "## Tasks",
      list([
        "A skill is a task. It is `completed` with one artifact, whose data is what REST would answer.",
        "Where input is missing, it is `input-required`, with what is missing; a message with its `taskId` goes on.",
        "A refusal is `rejected`, with the [error](/docs/errors) as data. What failed on our side is `failed`.",
        "401, 403 and 429 are HTTP statuses, with their headers.",
        "`GetTask` answers a task as it stands, `ListTasks` the account's, those that changed last first.",
        `A task that is over is kept for 30 days; one that only read something, or was rejected, for a day. One that waits for input is forgotten after 30 days.`,
      ]),
      `**\`watch_project\`** is a task that works as long as the project does, which can be weeks. Streamed, it tells of every
change of the counts; who lost the stream subscribes to the task again. Not streamed, it is answered after a minute as it
stands, \`working\`, and at once with \`returnImmediately\`: ask later with \`GetTask\`. Cancelling it cancels the links that were not
sent yet, and gives their credits back.`,
      config.direct ? PAYMENT : "",
    ),
  };
}

function rowOf({ name, title, skill }: AnyOperation): string[] {
  const lines = (skill.commands ?? []).map((line) => `\`${line}\``);
  return [`[\`${name}\`](${operationPath(name)}): ${title}`, lines.join("; ")];
}

const PAYMENT = `## Payment

\`pay_direct\` speaks the x402 extension of A2A, which a client names in \`A2A-Extensions\`; the card has its address. The
task is \`input-required\`, with the price in \`x402.payment.required\`. A message to it with \`x402.payment.status\`
\`payment-submitted\` and the signed payment in \`x402.payment.payload\` goes on. No other skill needs it.`;
