import type { CallToolResult, InputRequiredResult, ServerContext } from "@modelcontextprotocol/server";
import type { AnyOperation } from "../../contract/operation.ts";
import { Refusal, toRefusal } from "../../platform/errors/errors.ts";
import type { McpLog, ToolCall, ToolCaller } from "./caller.ts";
import { askPerson, keyOf } from "./elicitation.ts";
import { fitted } from "./fit-page.ts";
import { paymentIn } from "./payment.ts";
import { answered, refused } from "./result.ts";

/** A call of a tool, as its arguments came. */
export interface Called {
  readonly operation: AnyOperation;
  readonly args: Record<string, unknown>;
  /** Who is behind the call; only an operation that takes a payment or asks a person needs to know. */
  readonly ctx?: ServerContext;
}

/** Runs the call. A refusal is a result too, and so is a fault of ours, which is logged. */
export async function callTool(
  caller: ToolCaller,
  log: McpLog,
  called: Called,
): Promise<CallToolResult | InputRequiredResult> {
  const { ctx, operation } = called;
  try {
    const call = decode(called);
    const answer = fitted(call, await caller.call(call));
    return (ctx && (await askPerson(call, answer, ctx))) ?? answered(answer);
  } catch (thrown) {
    const refusal = toRefusal(thrown);
    if (refusal !== thrown) log.error({ err: thrown, tool: operation.name }, "a tool call failed");
    return refused(refusal, caller.siteUrl);
  }
}

/** @throws Refusal invalid_request for a key that is not text */
function decode({ operation, args: { idempotency_key: key, ...input }, ctx }: Called): ToolCall {
  if (key === undefined || typeof key === "string") {
    const payment = operation.takesPayment ? paymentIn(ctx?.mcpReq._meta) : undefined;
    return { operation, input, idempotencyKey: ctx ? keyOf(operation, key, ctx) : key, payment };
  }
  throw new Refusal("invalid_request", "`idempotency_key`: must be text. Nothing was changed.", {
    issues: [{ path: "idempotency_key", message: "must be text" }],
  });
}
