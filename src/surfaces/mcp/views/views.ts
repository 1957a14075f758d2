import { type AnyOperation, errorsOf } from "../../../contract/operation.ts";
import { APPROVAL_PAGE } from "./approval-page.ts";
import { RESULT_PAGE } from "./result-page.ts";

/** MCP Apps (io.modelcontextprotocol/ui, 2026-01-26): pages in which a client may show the answer of a tool. */

export const VIEW_TYPE = "text/html;profile=mcp-app";

interface View {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Whether it shows the answers of a tool. */
  shows(operation: AnyOperation): boolean;
  readonly page: string;
}

export const VIEWS: readonly View[] = [
  {
    uri: "ui://beckon/project.html",
    name: "project_view",
    title: "View of a project",
    description: "The page in which a client shows what get_project answers.",
    shows: ({ name }) => name === "get_project",
    page: RESULT_PAGE,
  },
  {
    uri: "ui://beckon/approval.html",
    name: "approval_view",
    title: "View of a call that waits for approval",
    description: "The page in which a client shows that a call waits for a person. It opens the page that decides.",
    shows: (operation) => errorsOf(operation).includes("approval_required"),
    page: APPROVAL_PAGE,
  },
];

/** The view of a tool as a part of its `_meta`. */
export function viewMeta(operation: AnyOperation): Record<string, unknown> {
  const view = VIEWS.find((one) => one.shows(operation));
  return view ? { ui: { resourceUri: view.uri } } : {};
}

/** The page of a URI, or null. It needs no network and no permission. */
export function viewAt(uri: string) {
  const view = VIEWS.find((one) => one.uri === uri);
  if (!view) return null;
  const ui = { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true };
  return { uri, mimeType: VIEW_TYPE, text: view.page, _meta: { ui } };
}
