import { operations } from "../../../tools/index.ts";
import { type AnyOperation, isOfferedBy, isOn } from "../../contract/operation.ts";
import type { Config } from "../../platform/config/config.ts";
import { SIZES } from "../../platform/limits.ts";
import type { Document } from "./document.ts";
import { list, page, table } from "./markdown.ts";
import { operationPath } from "./operations/page.ts";

export function a2aDocument(config: Config): Document {
  const skills = operations.filter((operation) => isOn(operation, "a2a") && isOfferedBy(operation, config));
  return {
    path: "/docs/a2a",
    title: "A2A agent",
    summary: "The agent endpoint: protocol bindings, skills, text commands, tasks and payment.",
    section: "Reference",
    markdown: page(
      "# A2A agent",
      table(
        ["", ""],
        [
          ["Address", `\`${config.siteUrl}/a2a\``],
          ["Card", `\`${config.siteUrl}/.well-known/agent-card.json\``],
          ["Protocol", "A2A 1.0 over JSON-RPC and HTTP+JSON, with the header `A2A-Version: 1.0`; 0.3 over JSON-RPC"],
          ["Credential", "the same as for REST: an API key, or a token of an app or agent"],
        ],
      ),
      "[Send a first message](/docs/quickstart/a2a)",
      "## Sending a message",
      `A message is one call. It has one of two forms; anything else is rejected, free text too, and spends nothing.

1. A data part: \`{"skill": "submit_urls", "input": {"urls": ["https://example.com/"]}}\`. The input is that of the
   operation of the same name. The same JSON in a text part works too.
2. A text part that is one of the commands below, and nothing else. \`help\` lists them.

Markdown around either is ignored: JSON may be in a code fence, an address in \`<…>\`. A client that accepts only
\`text/plain\` (\`acceptedOutputModes\`) gets the answer as JSON in a text part.`,
      "## Repeating a message",
      `Give every message its own \`messageId\`. If you send the same message again, you get the first answer, and nothing is
done twice; a different message with the same id is refused, over JSON-RPC with \`-32602\`. This holds as long as the
task is kept. If a retry cannot send the same id, put an \`idempotency_key\` into the \`input\` of a skill that spends or
buys: for 24 hours, the same key with the same input gets the first answer, in a new task.`,
      "## Skills",
      table(
        ["skill", "text commands"],
        [...skills.map(rowOf), ["`watch_project`: Watch a project", "`watch {project_id}`"]],
      ),
      `A field in braces stands for one word, or for all words up to the end of the line if the field is a list.`,
      "## Tasks",
      list([
        "Every call is a task. When it is `completed`, its artifact contains what REST would answer.",
        "If input is missing, the task is `input-required` and says what is missing; send that in a message with its `taskId`.",
        "A call that costs more than its credential may spend by itself is `input-required` too, with [`approval_required`](/docs/errors/approval_required) and the address for your user as data. After a yes the task goes on by itself, after a no or 24 hours it is `rejected`. No message approves it; cancelling the task withdraws the question.",
        "A task that we refuse is `rejected`, with the [error](/docs/errors) as data, also one that exceeds a [limit](/docs/errors/spending_limit) of its credential. If something failed on our side, it is `failed`.",
        "401, 403 and 429 are HTTP statuses, with their headers.",
        "`GetTask` answers the present state of a task, `ListTasks` the tasks of the account, the latest change first.",
        `A task that has ended is kept for 30 days, or for one day if it only read something or was rejected. A task that waits for input is deleted after 30 days.`,
      ]),
      `**\`watch_project\`** is a task that lasts as long as the project is active, which can be weeks. A stream reports every
change of the counts; after a lost connection, subscribe to the task again. Without a stream it is answered after a
minute, still \`working\`, or at once with \`returnImmediately\`; ask for its state later with \`GetTask\`. Cancelling the
task cancels the links that were not sent yet, and returns their credits.`,
      `## Push notifications

Instead of holding a stream, have a task told to a URL of yours: \`CreateTaskPushNotificationConfig\`, or
\`taskPushNotificationConfig\` in the configuration of a message. We POST a \`StreamResponse\` whenever links of the
project have got their final status, when a task goes on after an approval, and the whole task when it has ended.`,
      list([
        "Your `token` comes in the header `X-A2A-Notification-Token`, your `authentication` in `Authorization`. Check them, and that the task is yours. We store both encrypted, and never answer them.",
        "The URL has to begin with `https://`, and its host has to be on the public web.",
        "Answer with 2xx within 15 seconds. Otherwise we try again, ten times in about three days. 410 ends the configuration.",
        "A push says how the task is when it is sent. It may come twice or late: the time of its status puts it in order.",
        `A task has at most ${SIZES.pushConfigsPerTask}, and all open tasks of an account ${SIZES.pushConfigsPerAccount}. A configuration belongs to the credential that made it, and ends with it.`,
      ]),
      config.direct ? PAYMENT : "",
    ),
  };
}

function rowOf({ name, title, skill }: AnyOperation): string[] {
  const lines = (skill.commands ?? []).map((line) => `\`${line}\``);
  return [`[\`${name}\`](${operationPath(name)}): ${title}`, lines.join("; ")];
}

const PAYMENT = `## Payment

\`pay_direct\` uses the x402 extension of A2A. The agent card has the URI of the extension, which a client names in the
header \`A2A-Extensions\`. The task is \`input-required\`, with the price in \`x402.payment.required\`. To pay, send a message
to the task with \`payment-submitted\` as \`x402.payment.status\` and the signed payment in \`x402.payment.payload\`. No other
skill needs the extension.`;
