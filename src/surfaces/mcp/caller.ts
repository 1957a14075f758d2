import type { Answer } from "../../contract/call.ts";
import type { AnyOperation, Toolset } from "../../contract/operation.ts";
import type { PresentedPayment } from "../../domain/payments/orders/presented-payment.ts";
import type { Log } from "../http-server/log.ts";

/** A decoded tool call: its input without the idempotency key. */
export interface ToolCall {
  readonly operation: AnyOperation;
  /** Not validated. */
  readonly input: Record<string, unknown>;
  readonly idempotencyKey: string | undefined;
  /** Only for an operation that takes one. */
  readonly payment?: PresentedPayment | undefined;
  /** Aborted when the client cancels the call. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs the tool calls of one client, in this process or at another service. */
export interface ToolCaller {
  /** The origin of URLs in refusals. */
  readonly siteUrl: string;
  /** The header Idempotency-Key of the request, which counts as the argument of every call in it. */
  readonly idempotencyKey?: string | undefined;
  /** Those that the client has asked for; default: DEFAULT_TOOLSETS. */
  readonly toolsets?: ReadonlySet<Toolset> | undefined;
  /** Which operations the service offers that runs the calls. */
  offered(): Promise<(operation: AnyOperation) => boolean>;
  /** Whether the credential allows the operation, as far as it is known here; the service may still refuse the call. */
  allows(operation: AnyOperation): boolean;
  /** @throws Refusal */
  call(call: ToolCall): Promise<Answer>;
}

/** Logs errors of ours; `debug` also gets the client errors that the SDK reports. pino has this shape. */
export interface McpLog extends Log {
  debug?(fields: object, message: string): void;
}
