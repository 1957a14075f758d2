import { operations } from "../../../tools/index.ts";
import { isIdempotent, isOfferedBy, isOn } from "../../contract/operation.ts";
import { SUBSCRIPTION_TERMS } from "../../domain/subscriptions/terms.ts";
import type { Config } from "../../platform/config/config.ts";
import { SIZES } from "../../platform/sizes.ts";
import type { Document } from "./document.ts";
import { table } from "./markdown.ts";
import { operationPath } from "./operations/page.ts";
import { pageOf } from "./page.ts";

export function mcpDocument(config: Config): Document {
  const tools = operations.filter((operation) => isOn(operation, "mcp") && isOfferedBy(operation, config));
  const names = new Set(tools.map(({ name }) => name));
  return pageOf("/docs/mcp", config, {
    tools: table(
      ["tool", "what it does", "changes something"],
      tools.map(({ name, title, effect }) => [
        `[\`${name}\`](${operationPath(name)})`,
        title,
        effect === "read" ? "" : EFFECTS[effect],
      ]),
    ),
    prompts: table(
      ["prompt", "what it does"],
      PROMPTS.filter(([, , tool]) => names.has(tool)).map(([name, what]) => [name, what]),
    ),
    subscriptions: String(SIZES.subscriptionsPerAccount),
    eventSubscriptions: String(SUBSCRIPTION_TERMS.perCredential),
    eventHours: String(SUBSCRIPTION_TERMS.hours),
    idempotentTools: tools
      .filter(isIdempotent)
      .map(({ name }) => `\`${name}\``)
      .join(", "),
  });
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
  change: "yes, spends no credits",
} as const;
