import { operations } from "../../../tools/index.ts";
import { isIdempotent, isOfferedBy, isOn } from "../../contract/operation.ts";
import { CHECK_DAYS } from "../../platform/check-days.ts";
import type { Config } from "../../platform/config/config.ts";
import { SIZES } from "../../platform/limits.ts";
import type { Document } from "./document.ts";
import { fenced, list, page, table } from "./markdown.ts";
import { operationPath } from "./operations/page.ts";

export function mcpDocument(config: Config): Document {
  const tools = operations.filter((operation) => isOn(operation, "mcp") && isOfferedBy(operation, config));
  const names = new Set(tools.map(({ name }) => name));
  const idempotentTools = tools.filter(isIdempotent).map(({ name }) => `\`${name}\``);
  return {
    path: "/docs/mcp",
    title: "MCP server",
    summary: "Address, credentials, tools, resources and errors of the MCP server.",
    section: "Reference",
    markdown: page(
      "# MCP server",
      table(
        ["", ""],
        [
          ["Address", `\`${config.siteUrl}/mcp\``],
          ["Transport", "Streamable HTTP; or stdio with `beckon mcp`"],
          ["Credential", "OAuth 2.1, or an API key as `Authorization: Bearer` or `X-API-Key`; never a cookie"],
          ["Protocol", "2026-07-28, and the revisions before it that begin with `initialize`"],
        ],
      ),
      `[Connect a client](/docs/quickstart/claude). Listing tools and calling public tools needs no credential. Other calls
without a credential are answered with 401, whose \`WWW-Authenticate\` header tells the client how to sign in. A token
without the required scope is answered with 403, and the client asks for the scope.`,
      "## Tools",
      table(
        ["tool", "what it does", "changes something"],
        tools.map(({ name, title, effect }) => [
          `[\`${name}\`](${operationPath(name)})`,
          title,
          effect === "read" ? "" : EFFECTS[effect],
        ]),
      ),
      "Tools have input schemas and the hints `readOnlyHint`, `destructiveHint`, `idempotentHint` and `openWorldHint`.",
      "## Resources and prompts",
      `Resources can be read without calling a tool: \`beckon://pricing\`, \`beckon://account\`,
\`beckon://projects/{project_id}\` and \`beckon://projects/{project_id}/links\`. The list of resources has the latest
projects of the account. Clients that support MCP Apps show the result of \`get_project\` as a page.`,
      table(
        ["prompt", "what it does"],
        PROMPTS.filter(([, , tool]) => names.has(tool)).map(([name, what]) => [name, what]),
      ),
      "## Changes of projects",
      `A project takes ${CHECK_DAYS.final} days. A client can have itself told when \`beckon://projects/{project_id}\` or its
\`/links\` has changed, and then reads it again: \`notifications/resources/updated\`, at most once a second for each.`,
      list([
        "Since 2026-07-28: `subscriptions/listen` with the URIs as `resourceSubscriptions`, at most 100. URIs that are not projects of yours are left out of what is acknowledged. When the stream ends, listen again and read again.",
        "Before: `resources/subscribe` in the session that the answer to `initialize` has in `Mcp-Session-Id`, with a credential; the notifications come by `GET`. A stream that is opened again with `Last-Event-ID` tells of what was missed.",
        `An account has at most 20 such streams open, and ${SIZES.subscriptionsPerAccount} subscriptions of sessions. A stream ends within a second after its credential was taken back.`,
      ]),
      "## A call by hand",
      fenced(
        "sh",
        `curl ${config.siteUrl}/mcp \\
  -H "Content-Type: application/json" \\
  -H "Accept: application/json, text/event-stream" \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_pricing","arguments":{}}}'`,
      ),
      "## Errors",
      `401, 403 and 429 are HTTP statuses, with their headers. Any other error is a result with \`isError\`, whose text is the
same JSON that REST answers: see [errors](/docs/errors). After an error nothing was spent.`,
      "## Repeating a call",
      `${idempotentTools.join(", ")} accept \`idempotency_key\`: for 24 hours, a call with the same key and the same input gets the
first answer again, marked by \`_meta["beckon/idempotent-replayed"]\`.`,
    ),
  };
}

/** The prompts: name, description, and the tool that each needs. */
const PROMPTS = [
  [
    "`index_site`",
    "reads a site's sitemap, tells you the price, and submits what is new once you agree",
    "submit_sitemap",
  ],
  ["`check_pages`", "checks whether Google has indexed pages", "check_urls"],
  ["`project_report`", "reports on a project", "get_project"],
  ["`top_up`", "buys credits", "buy_credits"],
] as const;

const EFFECTS = {
  spend: "spends credits",
  purchase: "starts a purchase",
  cancel: "cancels, and returns credits",
  change: "adds a site",
} as const;
