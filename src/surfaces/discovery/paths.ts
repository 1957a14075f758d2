import { BUNDLE_PATH } from "../install/bundle.ts";
import { CLIENT_PACKAGE_PATH } from "../install/client-package.ts";
import { SKILL_INDEX_PATH, SKILL_PATH } from "../install/skill.ts";

/** The paths of the documents that describe the service. */
export const PATHS = {
  openApi: "/openapi.json",
  /** Below the endpoint that it describes (modelcontextprotocol/experimental-ext-server-card, docs/discovery.md). */
  serverCard: "/mcp/server-card",
  /** A2A 1.0 section 8.2. */
  agentCard: "/.well-known/agent-card.json",
  /** RFC 9727. */
  apiCatalog: "/.well-known/api-catalog",
  /** github.com/Agent-Card/ai-catalog. */
  aiCatalog: "/.well-known/ai-catalog.json",
  /** llmstxt.org. */
  llms: "/llms.txt",
  llmsFull: "/llms-full.txt",
  /** RFC 9309. */
  robots: "/robots.txt",
  sitemap: "/sitemap.xml",
  /** RFC 9116. */
  security: "/.well-known/security.txt",
  /** The domain verification of OpenAI's plugin directory (developers.openai.com/plugins/deploy/submission). */
  openaiAppsChallenge: "/.well-known/openai-apps-challenge",
  /** What callers install. */
  clientPackage: CLIENT_PACKAGE_PATH,
  clientBundle: BUNDLE_PATH,
  /** Agent Skills Discovery 0.2.0. */
  skillIndex: SKILL_INDEX_PATH,
  skill: SKILL_PATH,
  /** How an agent signs in. */
  auth: "/auth.md",
  health: "/healthz",
  docs: "/docs",
} as const;

/** The paths of earlier drafts and versions, which clients still request. */
export const OLD_PATHS = {
  serverCard: ["/.well-known/mcp/server-card.json", "/.well-known/mcp.json", "/.well-known/mcp-server-card"],
  agentCard: ["/.well-known/agent.json"],
  aiCatalog: ["/.well-known/mcp/catalog.json"],
} as const;

export const MEDIA_TYPES = {
  json: "application/json; charset=utf-8",
  serverCard: "application/mcp-server-card+json",
  agentCard: "application/a2a-agent-card+json",
  aiCatalog: "application/ai-catalog+json",
  linkset: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  text: "text/plain; charset=utf-8",
  markdown: "text/markdown",
  html: "text/html",
  gzip: "application/gzip",
  zip: "application/zip",
  markdownText: "text/markdown; charset=utf-8",
  xml: "application/xml; charset=utf-8",
} as const;
