import type { ServerEventBus } from "@modelcontextprotocol/server";
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

/** Runs the tool calls of one request. */
export interface ToolCaller {
  /** The origin of URLs in refusals. */
  readonly siteUrl: string;
  /** The header Idempotency-Key of the request, which counts as the argument of every call in it. */
  readonly idempotencyKey?: string | undefined;
  /** The toolsets that the client has asked for; default: DEFAULT_TOOLSETS. */
  readonly toolsets?: ReadonlySet<Toolset> | undefined;
  /** Reports changes of resources to the client; absent where it cannot. */
  readonly subscriptions?: ResourceSubscriptions | undefined;
  /** MCP Events of the caller; absent where nobody has signed in. */
  readonly events?: EventCalls | undefined;
  /** Whether the service offers the operation. */
  isOffered(operation: AnyOperation): boolean;
  /** Whether the credential allows the operation. */
  allows(operation: AnyOperation): boolean;
  /** @throws Refusal */
  call(call: ToolCall): Promise<Answer>;
}

/** How a client is told that projects, or the lists of their links, have changed. */
export interface ResourceSubscriptions {
  /** Until 2025-11-25. @returns whether there is such a project @throws Refusal */
  subscribe(uri: string): Promise<boolean>;
  /** @returns whether there is such a project @throws Refusal */
  unsubscribe(uri: string): Promise<boolean>;
  /** Since 2026-07-28: a stream about the given URIs; the URIs that the caller may not read are left out. @throws Refusal */
  listen(uris: readonly string[]): Promise<ResourceStream>;
}

/** The methods of MCP Events that need a caller. Parameters are not validated. */
export interface EventCalls {
  /** @throws ProtocolError, Refusal */
  subscribe(params: unknown): Promise<object>;
  /** @throws ProtocolError, Refusal */
  unsubscribe(params: unknown): Promise<object>;
  /** @throws ProtocolError, Refusal */
  poll(params: unknown): Promise<object>;
}

export interface ResourceStream {
  /** The resources whose changes the client hears of. */
  readonly uris: readonly string[];
  readonly bus: ServerEventBus;
  /** Aborted when the stream has to end: the service stops, or the credential is not valid any more. */
  readonly ends: AbortSignal;
}

/** Logs errors of ours; `debug` also gets the client errors that the SDK reports. pino has this shape. */
export interface McpLog extends Log {
  debug?(fields: object, message: string): void;
}
