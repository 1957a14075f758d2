import type { CallToolResult, InputRequiredResult, ServerContext } from "@modelcontextprotocol/server";
import type { Answer } from "../../contract/call.ts";
import type { AnyOperation } from "../../contract/operation.ts";
import { splitIdempotencyKey } from "../../contract/parse-input.ts";
import { Refusal, toRefusal } from "../../platform/errors/errors.ts";
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

type SentResult = CallToolResult | InputRequiredResult;

/** The result of the call, or of its refusal. The client may ask its user something first. */
export async function callTool(caller: ToolCaller, log: McpLog, raw: RawToolCall): Promise<SentResult> {
  const { ctx } = raw;
  const outcome = await runTool(caller, log, raw);
  if (outcome instanceof Refusal) {
    const asked = ctx && outcome.code === "approval_required" ? elicitApproval(outcome, ctx) : null;
    return asked ?? refused(outcome, caller.siteUrl);
  }
  const { call, answer } = outcome;
  return (ctx && elicitUrl(call, answer, ctx)) ?? answered(answer);
}

/** A call that was decoded, and its answer. */
export interface AnsweredCall {
  readonly call: ToolCall;
  readonly answer: Answer;
}

export type ToolOutcome = AnsweredCall | Refusal;

/** Runs the call. An unexpected error is a refusal as well, and is logged. */
export async function runTool(caller: ToolCaller, log: McpLog, raw: RawToolCall): Promise<ToolOutcome> {
  try {
    const call = decode(caller, raw);
    return { call, answer: await caller.call(call) };
  } catch (thrown) {
    const refusal = toRefusal(thrown);
    if (refusal !== thrown) log.error({ err: thrown, tool: raw.operation.name }, "a tool call failed");
    return refusal;
  }
}

/** @throws Refusal invalid_request for a key that is not text, or differs from the request's header */
function decode({ idempotencyKey: header }: ToolCaller, { operation, args, ctx }: RawToolCall): ToolCall {
  const { input, key } = splitIdempotencyKey(operation, args, header);
  const payment = operation.takesPayment ? paymentIn(ctx?.mcpReq._meta) : undefined;
  const idempotencyKey = ctx ? idempotencyKeyFor(operation, key, ctx) : key;
  return { operation, input, idempotencyKey, payment, signal: ctx?.mcpReq.signal };
}
