import type { Answer } from "../../contract/call.ts";
import type { AnyOperation } from "../../contract/operation.ts";
import type { PresentedPayment } from "../../domain/payments/orders/presented-payment.ts";
import type { Log } from "../http-server/log.ts";

/** A tool call as it was decoded: what the model sent, without the key. */
export interface ToolCall {
  readonly operation: AnyOperation;
  /** Not validated. */
  readonly input: Record<string, unknown>;
  readonly idempotencyKey: string | undefined;
  /** Only for an operation that takes one. */
  readonly payment?: PresentedPayment | undefined;
}

/** Runs the tool calls of one client: in this process, or at another service. */
export interface ToolCaller {
  /** Where the addresses inside a refusal lead. */
  readonly siteUrl: string;
  /** What is offered where the calls are run. */
  offered(): Promise<(operation: AnyOperation) => boolean>;
  /** Whether the caller's credential is known to allow it; one that is only known elsewhere may still be refused there. */
  allows(operation: AnyOperation): boolean;
  /** @throws Refusal */
  call(call: ToolCall): Promise<Answer>;
}

/** Where faults go; `debug` also gets the client errors that the SDK reports. pino has this shape. */
export interface McpLog extends Log {
  debug?(fields: object, message: string): void;
}
