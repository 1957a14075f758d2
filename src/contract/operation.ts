import type { z } from "zod";
import type { OperationLimit } from "../domain/limits/window.ts";
import { type Offer, prepaidOffers } from "../domain/payments/offers.ts";
import type { Config } from "../platform/config/config.ts";
import type { ErrorCode } from "../platform/errors/errors.ts";
import type { Scope } from "../platform/principal.ts";
import type { CallContext } from "./context.ts";

export type Access =
  /** No credential is needed; one may be sent. `saysMore`: with one, the answer says more. */
  | { readonly kind: "public"; readonly saysMore?: true }
  /** Any valid credential. */
  | { readonly kind: "credential" }
  /** A credential with this scope; `paid`: the account must have at least one paid order. */
  | {
      readonly kind: "scope";
      readonly scope: Scope;
      /** A second scope that it needs: its effect tells or does what the first one alone does not cover. */
      readonly besides?: Scope;
      readonly paid?: boolean;
      /** The public operation that answers callers without a credential. */
      readonly anonymous?: AnyOperation;
    };

/** Tools that an MCP client can ask for together. The tools of the last three are listed only on request. */
export const TOOLSETS = ["jobs", "credits", "sites", "watches", "webhooks", "results"] as const;
export type Toolset = (typeof TOOLSETS)[number];

export type Surface = "rest" | "mcp" | "a2a";

/** What a call changes. MCP hints, Idempotency-Key and limits follow from this one word. */
export type Effect = "read" | "spend" | "purchase" | "cancel" | "change";

/** A second representation of the same resource, streamed: REST serves it by `Accept` or by suffix. */
export interface Representation<Input> {
  readonly mediaType: string;
  /** The suffix of the path that selects it, without the dot. */
  readonly suffix: string;
  stream(input: Input, ctx: CallContext): Promise<AsyncIterable<string>>;
}

export interface Skill {
  /** Keywords by which agents search. */
  readonly tags: readonly string[];
  /**
   * Text commands that call it: words, followed by all required input fields in braces. A field takes one word; a list, which is
   * the last, takes the rest of the line.
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
  /** Ways to pay for it that this deployment accepts (draft-payment-discovery). */
  readonly payment?: (config: Config) => readonly Offer[];
  /**
   * A call carries the signed payment itself (x402), which is its own idempotency key. A call without one is answered with
   * the price.
   */
  readonly takesPayment?: boolean;
  /**
   * Field of the answer with a URL that a user has to open, and the message for them. Clients that support it are asked to
   * show it; the answer is the same for all.
   */
  readonly urlForUser?: { readonly field: keyof z.input<O> & string; readonly message: string };
  /**
   * A call by a key, app or agent needs the yes of a person, whatever it costs: what the person is told of it, by its answer.
   */
  readonly asksApproval?: (answer: z.output<O>) => { readonly name: string; readonly description: string };
  /** Surfaces that offer it; default: all. */
  readonly surfaces?: readonly Surface[];
  /** Whether this deployment offers it; default: always. Otherwise a call is refused with the reason. */
  readonly isOffered?: (config: Config) => boolean;
  /** Refusals in addition to the ones that access, effect and input imply. */
  readonly errors?: readonly ErrorCode[];
  /** The toolset that it belongs to over MCP. */
  readonly toolset: Toolset;
  /** How A2A agents find it, and call it by text. */
  readonly skill: Skill;
  /** A valid input for documentation; its ids are invented. */
  readonly example: z.input<I>;
  readonly rest: {
    readonly method: "GET" | "POST" | "PATCH" | "DELETE";
    readonly path: `/${string}`;
    readonly status?: 200 | 201 | 402;
    /** The field that may be the body itself, as a log is, instead of a member of a JSON object. Its value is bytes then. */
    readonly bodyField?: string;
  };
  /**
   * Whether an answer says that there was nothing to do: it is 200 over REST then, and not counted as a submission. A job
   * that runs every night goes on succeeding.
   */
  readonly hadNothingToDo?: (answer: z.output<O>) => boolean;
  /**
   * It spends as much as its own budget, the limits of its credential and the balance allow, and leaves the rest for later. It
   * is not refused for want of credits, and does not count as a submission of the day.
   */
  readonly spendsWhatItMay?: true;
  /** Its answer counts the request itself. No two answers are equal, so REST gives them no entity tag. */
  readonly countsRequests?: true;
  /** Limits per account for this operation, in addition to the limits of every call. */
  readonly limits?: readonly OperationLimit[];
  /** It fetches documents from the web: it has MCP's openWorldHint, and runs on the bulk thread. */
  readonly readsWeb?: boolean;
  /** Defaults over MCP and A2A, where a model reads the results. */
  readonly agentDefaults?: Partial<z.input<I>>;
  readonly representations?: readonly Representation<z.output<I>>[];
  readonly run: (input: z.output<I>, ctx: CallContext<z.input<O>>) => Promise<z.input<O>>;
}

/** The answer of an operation. */
export type AnswerOf<Op extends { readonly output: z.ZodType }> = z.output<Op["output"]>;

export function defineOperation<I extends z.ZodObject, O extends z.ZodObject>(op: Operation<I, O>): Operation<I, O> {
  return op;
}

// Inputs are contravariant, so a list of operations has no narrower element type.
// biome-ignore lint/suspicious/noExplicitAny: the one place where the types of input and output are erased
export type AnyOperation = Operation<any, any>;

/** The scopes that a call needs. */
export function scopesOf(access: Access): readonly Scope[] {
  if (access.kind !== "scope") return [];
  return access.besides ? [access.scope, access.besides] : [access.scope];
}

/** Whether its answer is stored under the Idempotency-Key, as for every operation that spends or buys. */
export function isIdempotent(operation: AnyOperation): boolean {
  return operation.effect === "spend" || (operation.effect === "purchase" && !operation.takesPayment);
}

/** Whether a field that it does not know is refused: a misspelt one might spend or change something that was not meant. */
export function refusesUnknownFields({ effect }: AnyOperation): boolean {
  return effect !== "read";
}

/** Whether a call changes, counts and remembers nothing, as most calls of agents. */
export function isPlainRead({ effect, access, limits, takesPayment }: AnyOperation): boolean {
  return effect === "read" && !limits && !takesPayment && !(access.kind === "scope" && access.paid);
}

/** Whether its fields are in the body over REST, except the ones in its path. */
export function hasBody({ rest }: AnyOperation): boolean {
  return rest.method === "POST" || rest.method === "PATCH";
}

/** Whether a call only reads the database: it is over before a client that goes away could be missed. */
export function onlyReadsDatabase({ effect, readsWeb }: AnyOperation): boolean {
  return effect === "read" && !readsWeb;
}

export function isOn(operation: AnyOperation, surface: Surface): boolean {
  return operation.surfaces?.includes(surface) ?? true;
}

/** Whether this deployment offers, and so lists and documents it. */
export function isOfferedBy(operation: AnyOperation, config: Config): boolean {
  return operation.isOffered?.(config) ?? true;
}

/** The ways to pay for a call; none when it is free, or this deployment sells nothing. */
export function offersOf({ payment, effect }: AnyOperation, config: Config): readonly Offer[] {
  return payment?.(config) ?? (effect === "spend" ? prepaidOffers(config) : []);
}

/** Whether a call is refused where credits or limits are not enough, and counts as one of the submissions of a day. */
export function isSubmission({ effect, spendsWhatItMay }: AnyOperation): boolean {
  return effect === "spend" && !spendsWhatItMay;
}

/** Whether a call may cost credits, or money. */
export function maySpend({ access, effect }: AnyOperation): boolean {
  return effect === "purchase" || (access.kind === "scope" && access.paid === true);
}

/** Every error code that a call of this operation can answer. */
export function errorsOf(operation: AnyOperation): ErrorCode[] {
  const { access, rest } = operation;
  const codes: ErrorCode[] = ["invalid_request", "unauthorized", "forbidden_origin", "rate_limited", "internal"];
  codes.push("unavailable");
  if (access.kind === "scope") codes.push("insufficient_scope");
  if (access.kind === "scope" && access.paid) codes.push("payment_required");
  if (maySpend(operation)) codes.push("spending_limit");
  if (isSubmission(operation)) codes.push("insufficient_credits", "approval_required");
  if (operation.asksApproval) codes.push("approval_required");
  if (operation.takesPayment) codes.push("direct_payment_required", "payment_invalid", "direct_payment_disabled");
  if (operation.takesPayment) codes.push("idempotency_in_flight", "settlement_pending");
  if (isIdempotent(operation)) codes.push("idempotency_in_flight", "idempotency_mismatch");
  if (hasBody(operation)) codes.push("payload_too_large", "unsupported_media_type");
  if (rest.path.includes("{")) codes.push("not_found");
  return [...codes, ...(operation.errors ?? [])];
}
