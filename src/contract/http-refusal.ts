import type { Refusal } from "../platform/errors/errors.ts";

const STATUSES: ReadonlySet<number> = new Set([401, 403, 429]);

/**
 * Whether a refusal is the HTTP status of the request over MCP and A2A, too (docs/rules.md rule 13). Every other refusal
 * is an answer of the protocol there: a tool result, or a rejected task.
 */
export function isHttpRefusal({ status }: Refusal): boolean {
  return STATUSES.has(status);
}
