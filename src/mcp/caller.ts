import type { Answer } from "../contract/call.ts";
import type { AnyOperation } from "../contract/operation.ts";

/** A tool call as it was decoded: what the model sent, without the key. */
export interface ToolCall {
  readonly operation: AnyOperation;
  /** Not validated. */
  readonly input: Record<string, unknown>;
  readonly idempotencyKey: string | undefined;
}

/** Runs the tool calls of one client: in this process, or at another service. */
export interface ToolCaller {
  /** Where the addresses inside a refusal lead. */
  readonly siteUrl: string;
  /** @throws Refusal */
  call(call: ToolCall): Promise<Answer>;
}

/** What is written of things that went wrong; pino fits. */
export interface McpLog {
  debug(details: object, message: string): void;
  error(details: object, message: string): void;
}
