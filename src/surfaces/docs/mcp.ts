import { operations } from "../../../tools/index.ts";
import { isIdempotent, isOfferedBy, isOn } from "../../contract/operation.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Document } from "./document.ts";
import { fenced, page, table } from "./markdown.ts";
import { operationPath } from "./operation-page.ts";

export function mcpDocument(config: Config): Document {
  const tools = operations.filter((operation) => isOn(operation, "mcp") && isOfferedBy(operation, config));
  const names = new Set(tools.map(({ name }) => name));
  const keyed = tools.filter(isIdempotent).map(({ name }) => `\`${name}\``);
  return {
    path: "/docs/mcp",
    title: "MCP server",
    summary: "Where it is, how a client gets in, which tools there are and how refusals look.",
    section: "Reference",
    markdown: page(
      "# MCP server",
      table(
        ["", ""],
        [
          ["Address", `\`${config.siteUrl}/mcp\``],
          ["Transport", "Streamable HTTP by POST, without sessions; or standard input and output with `beckon mcp`"],
          ["Credential", "OAuth 2.1, or an API key as `Authorization: Bearer` or `X-API-Key`; never a cookie"],
          ["Protocol", "2026-07-28, and the revisions before it that begin with `initialize`"],
        ],
      ),
      `[Connect a client](/docs/quickstart/claude). Listing tools and those that need nobody known work without a credential.
For the others, a call without one is answered with 401, whose \`WWW-Authenticate\` leads a client through sign-in. A
token that lacks the scope is answered with 403, and the client asks for more.`,
      "## Tools",
      table(
        ["tool", "what it does", "changes something"],
        tools.map(({ name, title, effect }) => [
          `[\`${name}\`](${operationPath(name)})`,
          title,
          effect === "read" ? "" : WORDS[effect],
        ]),
      ),
      "Tools carry the hints `readOnlyHint`, `destructiveHint`, `idempotentHint` and `openWorldHint`, and schemas of what they take.",
      "## Resources and prompts",
      `To be read without a call: \`beckon://pricing\`, \`beckon://account\`, \`beckon://projects/{project_id}\` and
\`beckon://projects/{project_id}/links\`; the newest projects of the account are listed. Clients that show pages of
servers (MCP Apps) see \`get_project\` as one.`,
      table(
        ["prompt", "what it does"],
        PROMPTS.filter(([, , tool]) => names.has(tool)).map(([name, what]) => [name, what]),
      ),
      "## A call by hand",
      fenced(
        "sh",
        `curl ${config.siteUrl}/mcp \\
  -H "Content-Type: application/json" \\
  -H "Accept: application/json, text/event-stream" \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_pricing","arguments":{}}}'`,
      ),
      "## Refusals",
      `401, 403 and 429 are HTTP statuses, with their headers. Any other refusal is a result with \`isError\`, whose text is the
same JSON that REST answers: [errors](/docs/errors). Nothing was spent then.`,
      "## Repeating a call",
      `${keyed.join(", ")} take \`idempotency_key\`: with the same key and the same input the first answer comes back for 24
hours, and \`_meta["beckon/idempotent-replayed"]\` says so.`,
    ),
  };
}

/** Each with the tool that it needs. */
const PROMPTS = [
  ["`index_site`", "reads a site's sitemap, says the price, and submits what is new once you agree", "submit_sitemap"],
  ["`check_pages`", "looks pages up in Google", "check_urls"],
  ["`project_report`", "reports on a project", "get_project"],
  ["`top_up`", "buys credits", "buy_credits"],
] as const;

const WORDS = {
  spend: "spends credits",
  purchase: "starts a purchase",
  cancel: "cancels, credits come back",
  change: "adds a site",
} as const;
