import type { AnyOperation } from "../../contract/operation.ts";
import { operationOf } from "./tools.ts";

/** The call whose answer is a resource. */
export interface ResourceCall {
  readonly operation: AnyOperation;
  readonly input: Record<string, unknown>;
}

export const PRICING = "beckon://pricing";
export const ACCOUNT = "beckon://account";
export const PROJECT_TEMPLATE = "beckon://projects/{project_id}";
export const LINKS_TEMPLATE = "beckon://projects/{project_id}/links";

const PROJECT_URI = /^beckon:\/\/projects\/([\w-]{1,64})(\/links)?$/;

/** The call that a URI of ours names; null for any other text. */
export function resourceCallOf(uri: unknown): ResourceCall | null {
  if (uri === PRICING) return { operation: operationOf("get_pricing")!, input: {} };
  if (uri === ACCOUNT) return { operation: operationOf("get_account")!, input: {} };
  const [, id, links] = (typeof uri === "string" && PROJECT_URI.exec(uri)) || [];
  if (id === undefined) return null;
  return { operation: operationOf(links ? "list_links" : "get_project")!, input: { project_id: id } };
}

/** The project that a URI of ours is about, and whether it is the list of its links; null for any other text. */
export function projectResourceOf(uri: string): { readonly projectId: string; readonly isLinks: boolean } | null {
  const [, projectId, links] = PROJECT_URI.exec(uri) ?? [];
  return projectId === undefined ? null : { projectId, isLinks: links !== undefined };
}

export function linksUri(id: string): string {
  return LINKS_TEMPLATE.replace("{project_id}", id);
}

export function projectUri(id: string): string {
  return PROJECT_TEMPLATE.replace("{project_id}", id);
}
