import type { CallToolResult, InputRequiredResult, ServerContext } from "@modelcontextprotocol/server";
import type { AnyOperation } from "../../contract/operation.ts";
import { splitIdempotencyKey } from "../../contract/parse-input.ts";
import { type Refusal, toRefusal } from "../../platform/errors/errors.ts";
import type { McpLog, ToolCall, ToolCaller } from "./caller.ts";
import { elicitApproval, elicitUrl, idempotencyKeyFor } from "./elicitation.ts";
import { paymentIn } from "./payment.ts";
import { answered, refused } from "./result.ts";

/** A tool call as it was sent. */
export interface RawToolCall {
  readonly operation: AnyOperation;
  readonly args: Record<string, unknown>;
  /** The SDK's context of the call; only operations that take a payment or elicit a URL need it. */
  readonly ctx?: ServerContext;
}

/** Runs the call. A refusal is a result, too, and so is an unexpected error, which is logged. */
export async function callTool(caller: ToolCaller, log: McpLog, raw: RawToolCall): Promise<ToolOutcome> {
  const { ctx } = raw;
  const { result, refusal } = await attempt(caller, log, raw);
  if (!ctx || refusal?.code !== "approval_required") return result;
  const asked = await elicitApproval(refusal, ctx);
  if (asked === "shown") return (await attempt(caller, log, raw)).result;
  return asked ?? result;
}

type ToolOutcome = CallToolResult | InputRequiredResult;

async function attempt(
  caller: ToolCaller,
  log: McpLog,
  raw: RawToolCall,
): Promise<{ readonly result: ToolOutcome; readonly refusal?: Refusal }> {
  const { ctx, operation } = raw;
  try {
    const call = decode(caller, raw);
    const answer = await caller.call(call);
    return { result: (ctx && (await elicitUrl(call, answer, ctx))) ?? answered(answer) };
  } catch (thrown) {
    const refusal = toRefusal(thrown);
    if (refusal !== thrown) log.error({ err: thrown, tool: operation.name }, "a tool call failed");
    return { result: refused(refusal, caller.siteUrl), refusal };
  }
}

/** @throws Refusal invalid_request for a key that is not text, or not that of the request's header */
function decode({ idempotencyKey: header }: ToolCaller, { operation, args, ctx }: RawToolCall): ToolCall {
  const { input, key } = splitIdempotencyKey(operation, args, header);
  const payment = operation.takesPayment ? paymentIn(ctx?.mcpReq._meta) : undefined;
  const idempotencyKey = ctx ? idempotencyKeyFor(operation, key, ctx) : key;
  return { operation, input, idempotencyKey, payment, signal: ctx?.mcpReq.signal };
}
