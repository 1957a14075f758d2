import type { Config } from "../../platform/config/config.ts";
import { type Document, markdownPath, SECTIONS } from "../docs/index.ts";
import { PATHS } from "./paths.ts";

/** llms.txt: the list of all documents, linked as Markdown (llmstxt.org). Documents without a section are optional. */
export function llmsText({ siteUrl }: Pick<Config, "siteUrl">, documents: readonly Document[]): string {
  const entry = ({ path, title, summary }: Document) => item(`${siteUrl}${markdownPath(path)}`, title, summary);
  const sections = SECTIONS.map((name) => section(name, documents.filter((one) => one.section === name).map(entry)));
  const others = documents.filter((one) => !one.section || !SECTIONS.includes(one.section));
  return [
    `# Beckon

> Beckon submits web pages to Google, Bing and Yandex, checks whether Google has indexed them, and returns the credits of those that it has not.

The same operations are available in three ways: a REST API at ${siteUrl}/api/v1, an MCP server at ${siteUrl}/mcp and an A2A agent at ${siteUrl}/a2a. Credentials are API keys or OAuth tokens, sent as \`Authorization: Bearer …\`; prices and estimates need none. Every page is also available as Markdown: add \`.md\` to its address, or send \`Accept: text/markdown\`.
`,
    ...sections,
    section("Descriptions for machines", [
      item(`${siteUrl}${PATHS.openApi}`, "OpenAPI", "The REST API, OpenAPI 3.1, with prices and errors"),
      item(`${siteUrl}${PATHS.serverCard}`, "MCP server card", "Where the MCP server is and which versions it speaks"),
      item(`${siteUrl}${PATHS.agentCard}`, "A2A agent card", "Skills, interfaces and credentials of the agent"),
      item(`${siteUrl}${PATHS.apiCatalog}`, "API catalog", "All of these as a linkset (RFC 9727)"),
    ]),
    section("Optional", [
      ...others.map(entry),
      item(`${siteUrl}${PATHS.llmsFull}`, "llms-full.txt", "All documents in one file"),
    ]),
  ]
    .filter(Boolean)
    .join("\n");
}

/** llms-full.txt: all documents in one file. Links are absolute and lead to Markdown. */
export function llmsFullText({ siteUrl }: Pick<Config, "siteUrl">, documents: readonly Document[]): string {
  const paths = new Set(documents.map(({ path }) => path));
  const absolute = (markdown: string) =>
    markdown.replace(/\]\((\/[^)\s#]*)/g, (_, path: string) => {
      return `](${siteUrl}${paths.has(path) ? markdownPath(path) : path}`;
    });
  return documents
    .map(({ path, markdown }) => `<!-- ${siteUrl}${markdownPath(path)} -->\n\n${absolute(markdown)}\n`)
    .join("\n");
}

function section(name: string, lines: readonly string[]): string {
  return lines.length > 0 ? `## ${name}\n\n${lines.join("\n")}\n` : "";
}

function item(url: string, title: string, summary: string): string {
  return `- [${title.replace(/[[\]]/g, "\\$&")}](${url}): ${summary}`;
}
