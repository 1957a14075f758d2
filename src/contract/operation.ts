import type { z } from "zod";
import type { OperationLimit } from "../domain/limits/window.ts";
import { type Offer, prepaidOffers } from "../domain/payments/offers.ts";
import type { Config } from "../platform/config/config.ts";
import type { ErrorCode } from "../platform/errors/errors.ts";
import type { Scope } from "../platform/principal.ts";
import type { CallContext } from "./context.ts";

export type Access =
  /** A credential may be sent, none is needed. */
  | { readonly kind: "public" }
  /** Any valid credential. */
  | { readonly kind: "credential" }
  /** A credential with this scope; `paid`: of an account with at least one paid order. */
  | {
      readonly kind: "scope";
      readonly scope: Scope;
      readonly paid?: boolean;
      /** The operation of public access that answers a caller without a credential. */
      readonly anonymous?: AnyOperation;
    };

export type Surface = "rest" | "mcp" | "a2a";

/** What a call changes. MCP hints, Idempotency-Key and limits follow from this one word. */
export type Effect = "read" | "spend" | "purchase" | "cancel" | "change";

/** A second representation of the same resource, streamed: REST serves it by `Accept` or by suffix. */
export interface Representation<Input> {
  readonly mediaType: string;
  /** Suffix of the path that asks for it, without the dot. */
  readonly suffix: string;
  stream(input: Input, ctx: CallContext): Promise<AsyncIterable<string>>;
}

export interface Skill {
  /** Keywords for search. */
  readonly tags: readonly string[];
  /**
   * Lines of text that call it: words, then required fields of its input in braces. A field takes one word; a list takes
   * the rest of the line.
   */
  readonly commands?: readonly string[];
}

/**
 * An operation of Beckon, defined once. MCP tool, REST route, OpenAPI entry, documentation, limits and
 * idempotency are projections of this object; see CONTRIBUTING.md for adding one.
 */
export interface Operation<I extends z.ZodObject, O extends z.ZodObject> {
  /** snake_case; equals the file name. */
  readonly name: string;
  readonly title: string;
  /** Written for an agent; under 1,024 characters. */
  readonly description: string;
  readonly access: Access;
  readonly effect: Effect;
  readonly input: I;
  readonly output: O;
  /** Ways to pay for it, as far as this deployment takes them (draft-payment-discovery). */
  readonly payment?: (config: Config) => readonly Offer[];
  /**
   * A call carries the signed payment itself (x402), which is its own idempotency key. One without it is answered
   * by the price.
   */
  readonly takesPayment?: boolean;
  /**
   * Field of the answer with a URL that a user has to open, and the message for them. Clients that can show it to their
   * user are asked to; the answer is the same for all.
   */
  readonly personOpens?: { readonly field: keyof z.input<O> & string; readonly message: string };
  /** Where it is offered; default: everywhere. */
  readonly surfaces?: readonly Surface[];
  /** Whether this deployment offers it; default: always. A call is answered by a refusal that says why not. */
  readonly isOffered?: (config: Config) => boolean;
  /** Refusals beyond those that access, effect and input imply. */
  readonly errors?: readonly ErrorCode[];
  /** How A2A agents find it, and call it by a line of text. */
  readonly skill: Skill;
  /** A valid input, for documents and clients that show one; ids in it are made up. */
  readonly example: z.input<I>;
  readonly rest: { readonly method: "GET" | "POST"; readonly path: `/${string}`; readonly status?: 200 | 201 | 402 };
  /** Limits per account of its own, beside those of every call. */
  readonly limits?: readonly OperationLimit[];
  /** Whether it fetches documents of the web: MCP's openWorldHint, and it runs on the thread for large calls. */
  readonly readsWeb?: boolean;
  /** Defaults over MCP and A2A, where a model reads the results. */
  readonly agentDefaults?: Partial<z.input<I>>;
  readonly representations?: readonly Representation<z.output<I>>[];
  readonly run: (input: z.output<I>, ctx: CallContext<z.input<O>>) => Promise<z.input<O>>;
}

export function defineOperation<I extends z.ZodObject, O extends z.ZodObject>(op: Operation<I, O>): Operation<I, O> {
  return op;
}

// Inputs are contravariant, so a list of operations has no narrower element type.
// biome-ignore lint/suspicious/noExplicitAny: the one place where the types of input and output are let go
export type AnyOperation = Operation<any, any>;

/** Operations that spend or buy remember their answer under an Idempotency-Key. */
export function isIdempotent(operation: AnyOperation): boolean {
  return operation.effect === "spend" || (operation.effect === "purchase" && !operation.takesPayment);
}

export function isOn(operation: AnyOperation, surface: Surface): boolean {
  return operation.surfaces?.includes(surface) ?? true;
}

/** Whether this deployment lists and describes it. */
export function isOfferedBy(operation: AnyOperation, config: Config): boolean {
  return operation.isOffered?.(config) ?? true;
}

/** The ways to pay for a call; none where it is free, or this deployment sells nothing. */
export function offersOf({ payment, effect }: AnyOperation, config: Config): readonly Offer[] {
  return payment?.(config) ?? (effect === "spend" ? prepaidOffers(config) : []);
}

/** Every error code a call of this operation can answer, in the order of their statuses. */
export function errorsOf(operation: AnyOperation): ErrorCode[] {
  const { access, effect, rest } = operation;
  const codes: ErrorCode[] = ["invalid_request", "unauthorized", "rate_limited", "internal", "unavailable"];
  if (access.kind === "scope") codes.push("insufficient_scope");
  if (access.kind === "scope" && access.paid) codes.push("payment_required");
  if (effect === "spend") codes.push("insufficient_credits");
  if (operation.takesPayment) codes.push("direct_payment_required", "payment_invalid", "direct_payment_disabled");
  if (operation.takesPayment) codes.push("idempotency_in_flight", "settlement_pending");
  if (isIdempotent(operation)) codes.push("idempotency_in_flight", "idempotency_mismatch");
  if (rest.method === "POST") codes.push("payload_too_large", "unsupported_media_type");
  if (rest.path.includes("{")) codes.push("not_found");
  return [...codes, ...(operation.errors ?? [])];
}
