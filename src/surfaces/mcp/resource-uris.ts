import type { AnyOperation } from "../../contract/operation.ts";
import { operationOf } from "./tools.ts";

/** Addresses of what can be read as a resource: each is the answer of an operation. */
export interface Place {
  readonly operation: AnyOperation;
  readonly input: Record<string, unknown>;
}

export const PRICING = "beckon://pricing";
export const ACCOUNT = "beckon://account";
export const PROJECT_TEMPLATE = "beckon://projects/{project_id}";
export const LINKS_TEMPLATE = "beckon://projects/{project_id}/links";

const OF_A_PROJECT = /^beckon:\/\/projects\/([\w-]{1,64})(\/links)?$/;

/** Null for an address of nothing. */
export function placeOf(uri: unknown): Place | null {
  if (uri === PRICING) return { operation: operationOf("get_pricing")!, input: {} };
  if (uri === ACCOUNT) return { operation: operationOf("get_account")!, input: {} };
  const [, id, links] = (typeof uri === "string" && OF_A_PROJECT.exec(uri)) || [];
  if (id === undefined) return null;
  return { operation: operationOf(links ? "list_links" : "get_project")!, input: { project_id: id } };
}

export function projectUri(id: string): string {
  return PROJECT_TEMPLATE.replace("{project_id}", id);
}
