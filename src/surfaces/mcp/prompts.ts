import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { inputSchema } from "../../contract/json-schema.ts";
import type { AnyOperation } from "../../contract/operation.ts";
import { CHECK_DAYS } from "../../platform/check-days.ts";
import { operationOf } from "./tools.ts";

interface Argument {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
  /** All values that it may have, where they are known. */
  readonly values?: readonly string[];
}

interface PromptDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The prompt is listed where this tool is offered. */
  readonly tool: string;
  readonly arguments: readonly Argument[];
  text(given: Readonly<Record<string, string | undefined>>): string;
}

const PROMPTS: readonly PromptDefinition[] = [
  {
    name: "index_site",
    title: "Index a site",
    description: "Reads a site's sitemap, says what indexing costs, and submits the new pages once you agree.",
    tool: "submit_sitemap",
    arguments: [
      { name: "site", description: "A site or its sitemap, e.g. https://example.com", required: true },
      { name: "mode", description: "standard (the default) or instant", values: valuesOf("submit_sitemap", "mode") },
    ],
    text: ({ site, mode = "standard" }) => `Get the pages of ${site} indexed by search engines.

1. If that is not the address of a sitemap, take /sitemap.xml of the site, or the one its robots.txt names. Call read_sitemap with skip_already_submitted: true. If there is no sitemap, ask me for one or for a list of URLs.
2. Call get_account, and tell me: how many pages are new, what they cost in mode ${mode} (credits in the answer), and the balance. If the balance is short or the account is not paid, say what is missing, and offer buy_credits if it is listed.
3. Ask me before you spend anything, and wait for my answer.
4. Once I agree: submit_sitemap with skip_already_submitted: true, mode: ${mode} and an idempotency_key of your choice; repeat that key if you retry. If urls_remaining is not 0, say so and ask again before the next part.
5. Tell me the project id. Google is checked on day ${CHECK_DAYS.first} and day ${CHECK_DAYS.final}; do not poll.`,
  },
  {
    name: "check_pages",
    title: "Check pages in Google",
    description: "Checks whether Google has indexed the pages, without submitting them, once you agree to the price.",
    tool: "check_urls",
    arguments: [{ name: "urls", description: "The pages' URLs, separated by spaces", required: true }],
    text: ({ urls }) => `Find out whether Google has indexed these pages: ${urls}

1. Call estimate_cost with kind: check and the URLs, and tell me the price in credits and whether the balance is enough.
2. Ask me before you spend anything, and wait for my answer.
3. Once I agree: check_urls with an idempotency_key of your choice; repeat that key if you retry.
4. Checks take some time. When I come back, call get_project, and list_links for the pages, and tell me which of them Google has indexed, which it has not, and which could not be checked.`,
  },
  {
    name: "project_report",
    title: "Report on a project",
    description: "Sums up a project: what is indexed, what is not and why, and how many credits were returned.",
    tool: "get_project",
    arguments: [{ name: "project_id", description: "Id of the project: prj_…", required: true }],
    text: ({ project_id }) => `Report on the project ${project_id}.

1. Call get_project. Tell me the counts, the index rate (it is null until a URL is decided), and the credits spent and returned.
2. Call list_links with status: not_indexed, then with status: failed. Group the URLs by what they have in common: error_message, warnings, what the last check found. get_link has the evidence of one URL.
3. If the project is active, tell me when the next check is due (next_check_at) and what is not decided yet; nothing is final before day ${CHECK_DAYS.final}.
4. Tell me what I could do about the rest. Do not submit anything again unless I ask you to.`,
  },
  {
    name: "top_up",
    title: "Buy credits",
    description: "Helps you to choose a pack, and creates the link where you pay.",
    tool: "buy_credits",
    arguments: [{ name: "pack", description: "The pack, if you know which", values: valuesOf("buy_credits", "pack") }],
    text: ({ pack }) => `I want to buy credits${pack === undefined ? "" : `: the pack ${pack}`}.

1. Call get_pricing and get_account, and tell me the balance, and the price of ${pack === undefined ? "each pack" : "the pack"}.
2. Ask me ${pack === undefined ? "which pack I want" : "whether that is right"}, and wait for my answer.
3. Call buy_credits with the pack and an idempotency_key of your choice, and give me checkout_url. I pay on that page; nothing is charged before.
4. When I say that I have paid, call get_order: the credits are there once its status is paid.`,
  },
];

/** Prompts whose tool is offered. */
export function promptList(isOffered: (operation: AnyOperation) => boolean): Prompt[] {
  return PROMPTS.filter(({ tool }) => isOffered(operationOf(tool)!)).map(({ tool: _, text: __, ...prompt }) => ({
    ...prompt,
    arguments: prompt.arguments.map(({ values: _, ...argument }) => argument),
  }));
}

/** @throws ProtocolError for an unknown name */
export function promptOf(name: string): PromptDefinition {
  const job = PROMPTS.find((one) => one.name === name);
  if (job) return job;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such prompt. See prompts/list.");
}

/** @throws ProtocolError for an unknown prompt or a missing argument */
export function getPrompt(name: string, given: Readonly<Record<string, string>> = {}): GetPromptResult {
  const job = promptOf(name);
  const missing = job.arguments.find((one) => one.required && !given[one.name]?.trim());
  if (missing) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The argument ${missing.name} is required.`);
  // Clients send an empty text for a field that was left empty.
  const filled = Object.fromEntries(Object.entries(given).filter(([, value]) => value.trim() !== ""));
  const text = job.text(filled);
  return { description: job.description, messages: [{ role: "user", content: { type: "text", text } }] };
}

function valuesOf(tool: string, field: string): readonly string[] {
  const { properties } = inputSchema(operationOf(tool)!, "agent");
  return (properties as Record<string, { enum: readonly string[] }>)[field]!.enum;
}
