import { randomUUID } from "node:crypto";
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Answer } from "../../contract/call.ts";
import type { AnyOperation } from "../../contract/operation.ts";
import type { Refusal } from "../../platform/errors/errors.ts";
import { formatCount } from "../../platform/format.ts";
import type { ToolCall } from "./caller.ts";

/**
 * The idempotency key of a call whose answer is shown to a user (elicitation in URL mode). Since 2026-07-28 the client
 * repeats the call after that, and the key makes the repetition answer the same. Where the caller sent no key, ours goes
 * out and comes back as `requestState`. It is not signed: a forged one is a key that the caller could send anyway.
 */
export function idempotencyKeyFor(
  { urlForUser }: AnyOperation,
  given: string | undefined,
  ctx: ServerContext,
): string | undefined {
  if (!urlForUser || given !== undefined) return given;
  return ctx.mcpReq.requestState<string>() ?? (repeatsCall(ctx) ? randomUUID() : undefined);
}

/**
 * Asks the client to show the URL in the answer to its user, if the client can. The answer contains the URL in any case,
 * and does not depend on what the user does.
 * @returns a result to send instead of the answer, or null
 */
export function elicitUrl(
  { operation: { urlForUser }, idempotencyKey }: ToolCall,
  { text, replayed }: Answer,
  ctx: ServerContext,
): InputRequiredResult | null {
  // A replayed answer was shown already.
  if (!urlForUser || replayed || !repeatsCall(ctx)) return null;
  const { [urlForUser.field]: url } = JSON.parse(text) as Record<string, unknown>;
  if (typeof url !== "string") return null;
  const open = inputRequired.elicitUrl({ message: urlForUser.message, url });
  return inputRequired({ inputRequests: { open }, requestState: idempotencyKey! });
}

/**
 * Asks the client to show its user the page on which a call is approved, if the client can, and each page once: the repeated call
 * of a user who has not decided yet is refused as it was.
 * @returns a result to send instead of the refusal, or null
 */
export function elicitApproval({ fields }: Refusal, ctx: ServerContext): InputRequiredResult | null {
  const { approval_url: url, needed } = fields as { approval_url: string; needed: number };
  // What comes back with the call that a client repeats after its user has seen the page.
  if (!repeatsCall(ctx) || ctx.mcpReq.requestState<string>() === url) return null;
  const why =
    needed > 0
      ? `it costs ${formatCount(needed, "credit")}, more than this program may spend by itself`
      : "this program may not make it by itself";
  const message = `Approve this call on the page: ${why}.`;
  return inputRequired({
    inputRequests: { approve: inputRequired.elicitUrl({ message, url }) },
    requestState: url,
  });
}

/** Whether the client shows URLs to its user, as the envelope of a request says (2026-07-28). */
export function showsUrls(meta: Readonly<Record<string, unknown>> | undefined): boolean {
  const declared = meta?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  return declared?.elicitation?.url !== undefined;
}

/** Whether the client shows URLs to its user and then repeats the call (2026-07-28). */
function repeatsCall({ mcpReq: { envelope } }: ServerContext): boolean {
  return showsUrls(envelope as Record<string, unknown> | undefined);
}
