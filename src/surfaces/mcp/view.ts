import { PROJECT_PAGE } from "./project-page.ts";

/** MCP Apps (io.modelcontextprotocol/ui, 2026-01-26): pages in which a client may show the answer of a tool. */

export const PROJECT_VIEW = "ui://beckon/project.html";
export const VIEW_TYPE = "text/html;profile=mcp-app";

const VIEW_OF: Readonly<Record<string, string>> = { get_project: PROJECT_VIEW };

/** The view of a tool as a part of its `_meta`, also under the key of the first drafts. */
export function viewMeta(toolName: string): Record<string, unknown> {
  const resourceUri = VIEW_OF[toolName];
  return resourceUri === undefined ? {} : { ui: { resourceUri }, "ui/resourceUri": resourceUri };
}

/** The page of a URI, or null. It needs no network and no permission. */
export function viewAt(uri: string) {
  if (uri !== PROJECT_VIEW) return null;
  const ui = { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true };
  return { uri, mimeType: VIEW_TYPE, text: PROJECT_PAGE, _meta: { ui } };
}
