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
import type { ToolCall } from "./caller.ts";

/** How long a call waits for the user, in ms: less than the minute after which clients give up a call. */
const ANSWER_TIMEOUT = 30_000;

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
export async function elicitUrl(
  { operation: { urlForUser }, idempotencyKey }: ToolCall,
  { text, replayed }: Answer,
  ctx: ServerContext,
): Promise<InputRequiredResult | null> {
  // A replayed answer was shown already.
  if (!urlForUser || replayed) return null;
  const { [urlForUser.field]: url } = JSON.parse(text) as Record<string, unknown>;
  if (typeof url !== "string") return null;
  const { message } = urlForUser;
  if (repeatsCall(ctx)) {
    const open = inputRequired.elicitUrl({ message, url });
    return inputRequired({ inputRequests: { open }, requestState: idempotencyKey! });
  }
  if (!ctx.mcpReq.envelope) {
    const asked = ctx.mcpReq.elicitInput(
      { mode: "url", message, url, elicitationId: randomUUID() },
      { timeout: ANSWER_TIMEOUT },
    );
    // Where the client cannot or the user declines, the answer still has the URL.
    await asked.catch(() => undefined);
  }
  return null;
}

/** Whether the client shows URLs to its user and then repeats the call (2026-07-28). */
function repeatsCall({ mcpReq: { envelope } }: ServerContext): boolean {
  const declared = (envelope as Record<string, ClientCapabilities> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
  return declared?.elicitation?.url !== undefined;
}
