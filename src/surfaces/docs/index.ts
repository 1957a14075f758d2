import type { Config } from "../../platform/config/config.ts";
import { a2aDocument } from "./a2a.ts";
import { authDocument } from "./auth.ts";
import { botDocument } from "./bot.ts";
import { changelogDocument } from "./changelog.ts";
import { codesDocument } from "./codes.ts";
import { docsIndexDocument } from "./docs-index.ts";
import type { Document } from "./document.ts";
import { errorDocuments } from "./errors.ts";
import { eventDocuments } from "./events.ts";
import { homeDocument } from "./home.ts";
import { installDocument } from "./install.ts";
import { limitsDocument } from "./limits.ts";
import { mcpDocument } from "./mcp.ts";
import { operationDocuments } from "./operations/index.ts";
import { pageOf } from "./page.ts";
import { policyDocuments } from "./policies.ts";
import { pricingDocument } from "./pricing.ts";
import { quickstarts } from "./quickstarts.ts";
import { sandboxDocument } from "./sandbox.ts";
import { visitsDocument } from "./visits.ts";

export {
  type AnswerField,
  type Document,
  type ErrorList,
  type ExampleAnswer,
  type ExampleCall,
  type Language,
  markdownPath,
  type Part,
  SECTIONS,
  type TextTabs,
} from "./document.ts";
export {
  AGENT_LINE_INTRO,
  AGENT_STARTS,
  CAVEATS,
  COSTS_SENTENCE,
  HEADLINE,
  LEAD,
  mcpLine,
  SANDBOX_NOTICE,
  STEPS,
} from "./home.ts";
export { postmanCollection } from "./postman.ts";
export { TIMELINE_CSP, TIMELINE_PATH, TIMELINE_SVG } from "./timeline.ts";

/** All public documents of a deployment, in the order in which a newcomer should read them. */
export function documentsOf(config: Config): readonly Document[] {
  const docs = [
    installDocument(config),
    ...quickstarts(config),
    pageOf("/docs/concepts", config),
    pageOf("/docs/deployments", config),
    pageOf("/docs/publish-hooks", config),
    visitsDocument(config),
    pageOf("/docs/search-console", config),
    ...eventDocuments(config),
    authDocument(config),
    pageOf("/docs/payments", config),
    sandboxDocument(config),
    pageOf("/docs/self-hosting", config),
    pageOf("/docs/operating", config),
    pageOf("/docs/single-sign-on", config),
    mcpDocument(config),
    a2aDocument(config),
    limitsDocument(config),
    codesDocument(config),
    changelogDocument(),
    ...operationDocuments(config),
    ...errorDocuments(config),
  ];
  const front = [homeDocument(config), pricingDocument(config)];
  return [...front, docsIndexDocument(docs, config), ...docs, botDocument(config), ...policyDocuments(config)];
}
