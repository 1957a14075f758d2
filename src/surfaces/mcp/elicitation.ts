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

/** How long an answer waits for a person, in ms: well within the minute that clients give a call. */
const PATIENCE = 30_000;

/**
 * The key of a call whose answer may be put before a person (elicitation in URL mode). Since 2026-07-28 the client
 * repeats the call once they have seen it, and by its key the repetition gets the first answer: nothing is done twice.
 * Where the caller has given none, one of ours goes out and comes back as `requestState`. It needs no seal: all that can
 * be made of it is a key that the same caller might as well have sent as `idempotency_key`.
 */
export function keyOf(
  { personOpens }: AnyOperation,
  given: string | undefined,
  ctx: ServerContext,
): string | undefined {
  if (!personOpens || given !== undefined) return given;
  return ctx.mcpReq.requestState<string>() ?? (isRepeatable(ctx) ? randomUUID() : undefined);
}

/**
 * Asks the client to put the address in an answer before its person, where it can. The answer names it all the same, and
 * stays what it is, whatever they say.
 * @returns what is to be answered in place of the answer, if anything
 */
export async function askPerson(
  { operation: { personOpens }, idempotencyKey }: ToolCall,
  { text, replayed }: Answer,
  ctx: ServerContext,
): Promise<InputRequiredResult | null> {
  // A repeated answer has been before them.
  if (!personOpens || replayed) return null;
  const { [personOpens.field]: url } = JSON.parse(text) as Record<string, unknown>;
  if (typeof url !== "string") return null;
  const { message } = personOpens;
  if (isRepeatable(ctx)) {
    const open = inputRequired.elicitUrl({ message, url });
    return inputRequired({ inputRequests: { open }, requestState: idempotencyKey! });
  }
  if (!ctx.mcpReq.envelope) {
    const asked = ctx.mcpReq.elicitInput(
      { mode: "url", message, url, elicitationId: randomUUID() },
      { timeout: PATIENCE },
    );
    // A client that cannot, a person who does not: both have the address in the answer.
    await asked.catch(() => undefined);
  }
  return null;
}

/** Whether the client will put an address before its person, and then repeat the call (2026-07-28). */
function isRepeatable({ mcpReq: { envelope } }: ServerContext): boolean {
  const declared = (envelope as Record<string, ClientCapabilities> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
  return declared?.elicitation?.url !== undefined;
}
