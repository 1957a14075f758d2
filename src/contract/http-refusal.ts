import type { ErrorCode, Refusal } from "../platform/errors/errors.ts";

const STATUSES: ReadonlySet<number> = new Set([401, 403, 429]);

/** Refusals of a person rather than of the credential: clients of MCP would take their 403 for a lack of scope, and step up. */
const ANSWERED: ReadonlySet<ErrorCode> = new Set(["spending_limit", "approval_required"]);

/**
 * Whether a refusal is the HTTP status of the request over MCP and A2A, too (docs/rules.md rule 13). Every other refusal
 * is an answer of the protocol there: a tool result, or a rejected task.
 */
export function isHttpRefusal({ code, status }: Refusal): boolean {
  return STATUSES.has(status) && !ANSWERED.has(code);
}
