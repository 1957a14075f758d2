import { MAX_PAYMENT_LENGTH, paymentOfPayload, requiredIn, responseIn } from "../../src/contract/x402.ts";
import type { PresentedPayment } from "../../src/domain/payments/orders/presented-payment.ts";
import { errorEnvelope, Refusal } from "../../src/platform/errors/errors.ts";
import type { A2aCall } from "../methods.ts";
import type { Json, Message } from "../wire.ts";
import { dataPart, refused, type TaskOutcome } from "./outcome.ts";
import type { TaskNotes } from "./task-notes.ts";

/**
 * The x402 extension (google-agentic-commerce/a2a-x402 spec v0.2, standalone flow) with the objects of x402 version 2, as
 * x402 specs/transports-v2/a2a.md has them under the older address.
 */
export const X402_EXTENSIONS = [
  "https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2",
  "https://github.com/google-a2a/a2a-x402/v0.1",
] as const;

const STATUS = "x402.payment.status";
export const PAYMENT_PAYLOAD = "x402.payment.payload";
const REQUIRED = "x402.payment.required";
const RECEIPTS = "x402.payment.receipts";
const ERROR = "x402.payment.error";

/** What a message says about a payment. */
export type MessagePayment =
  | { readonly kind: "none" }
  | { readonly kind: "submitted"; readonly payment: PresentedPayment }
  | { readonly kind: "rejected" }
  | { readonly kind: "refused"; readonly refusal: Refusal };

export function paymentIn({ metadata }: Message): MessagePayment {
  const status = metadata?.[STATUS];
  if (status === "payment-rejected") return { kind: "rejected" };
  if (status !== "payment-submitted") return { kind: "none" };
  const payment = paymentOfPayload(metadata![PAYMENT_PAYLOAD]);
  if (payment) return { kind: "submitted", payment };
  const message = `required, at most ${MAX_PAYMENT_LENGTH} characters in base64`;
  const issues = [{ path: `metadata["${PAYMENT_PAYLOAD}"]`, message }];
  const text = `The payment in \`${PAYMENT_PAYLOAD}\` is missing or too large, and was not used.`;
  return { kind: "refused", refusal: new Refusal("invalid_request", text, { issues }) };
}

/** Activates the extension where the client asked for it. @returns whether the client speaks x402 */
export function activateX402(call: A2aCall, { metadata, extensions = [] }: Message): boolean {
  const asked = X402_EXTENSIONS.filter((uri) => call.extensions.includes(uri));
  for (const uri of asked) call.activate(uri);
  return (
    asked.length > 0 || X402_EXTENSIONS.some((uri) => extensions.includes(uri)) || (metadata?.[STATUS] ?? null) !== null
  );
}

/** Metadata of a completed purchase; null where nothing was paid. */
export function paidMetadata(headers: Readonly<Record<string, string>> | undefined): Json | null {
  const response = responseIn(headers);
  return response && { [STATUS]: "payment-completed", [RECEIPTS]: [response] };
}

/** The outcome of a purchase that was refused. */
export function unpaid(refusal: Refusal, purchase: Purchase): TaskOutcome {
  const { siteUrl, input, notes, payload } = purchase;
  if (refusal.code === "direct_payment_required") return priced(refusal, purchase);
  if (refusal.code === "payment_invalid") return failed(refusal, { siteUrl, notes, payload });
  if (payload !== undefined && UNDECIDED.has(refusal.code)) return pending(refusal, { siteUrl, input, notes });
  return refused(refusal, siteUrl);
}

interface Purchase {
  readonly siteUrl: string;
  readonly input: Json;
  readonly notes: TaskNotes;
  /** The payment as it was presented; absent where none was. */
  readonly payload?: unknown;
  /** Whether the caller can come back to the task. A caller without a credential cannot. */
  readonly canAnswer: boolean;
}

/** Codes of a payment whose outcome is not known, or that was not examined yet. */
const UNDECIDED: ReadonlySet<string> = new Set([
  "settlement_pending",
  "idempotency_in_flight",
  "unavailable",
  "internal",
]);

function priced(refusal: Refusal, { siteUrl, input, notes, canAnswer }: Purchase): TaskOutcome {
  const required = requiredIn(refusal.headers);
  const { error } = errorEnvelope(refusal, siteUrl);
  const waiting = { state: "input_required" as const, input, notes };
  if (notes.x402 && canAnswer) {
    const text = `Payment is required. Sign one of the offers and send it to this task as \`${PAYMENT_PAYLOAD}\`.`;
    return { ...waiting, parts: [{ text }], metadata: { [STATUS]: "payment-required", [REQUIRED]: required } };
  }
  const route = { method: "POST", url: `${siteUrl}/api/v1/credits/x402`, body: input };
  const how = canAnswer
    ? `Or activate the extension ${X402_EXTENSIONS[0]} and pay in this task.`
    : "Send a credential with the payment: the credits go to its account.";
  const text = `Payment is required. Sign one of the offers in \`payment_required\`, and send it to \`http\` in the header PAYMENT-SIGNATURE. ${how}`;
  return {
    ...waiting,
    parts: [{ text }, dataPart({ error, payment_required: required, http: route, extensions: X402_EXTENSIONS })],
  };
}

/** The same payment may be sent again: it is its own idempotency key. */
function pending(
  refusal: Refusal,
  { siteUrl, input, notes }: Pick<Purchase, "siteUrl" | "input" | "notes">,
): TaskOutcome {
  const text =
    "The payment is not settled yet. Send the same payment to this task again in a moment; do not sign a new one.";
  return {
    state: "input_required",
    input,
    // `unavailable` is answered before a payment is submitted.
    notes: { ...notes, isPending: refusal.code !== "unavailable" },
    parts: [{ text }, dataPart(errorEnvelope(refusal, siteUrl))],
    metadata: { [STATUS]: "payment-submitted" },
  };
}

function failed(
  refusal: Refusal,
  { siteUrl, notes, payload }: Pick<Purchase, "siteUrl" | "notes" | "payload">,
): TaskOutcome {
  const receipt = responseIn(refusal.headers);
  return {
    state: "failed",
    parts: [dataPart(errorEnvelope(refusal, siteUrl))],
    metadata: {
      [STATUS]: "payment-failed",
      [ERROR]: errorOf(refusal, payload),
      [RECEIPTS]: receipt ? [receipt] : [],
    },
    notes,
  };
}

/** The outcome of a task whose client has declined to pay. */
export function declined(notes: TaskNotes): TaskOutcome {
  const text = "The payment was declined. Nothing was bought.";
  return { state: "canceled", parts: [{ text }], metadata: { [STATUS]: "payment-rejected" }, notes };
}

function errorOf({ fields, headers }: Refusal, payload: unknown): string {
  const reason = String(fields.reason);
  if (reason !== "offer_mismatch") return ERROR_CODES[reason] ?? "SETTLEMENT_FAILED";
  const [offer] = (requiredIn(headers)?.accepts ?? []) as { network?: unknown }[];
  const accepted = (payload as { accepted?: { network?: unknown } } | null)?.accepted;
  return accepted?.network === offer?.network ? "INVALID_AMOUNT" : "NETWORK_MISMATCH";
}

/** The extension's error codes for our reasons; every other reason is SETTLEMENT_FAILED. */
export const ERROR_CODES: Readonly<Record<string, string>> = {
  insufficient_funds: "INSUFFICIENT_FUNDS",
  invalid_signature: "INVALID_SIGNATURE",
  unsupported_signature: "INVALID_SIGNATURE",
  wrong_payer: "INVALID_SIGNATURE",
  wrong_amount: "INVALID_AMOUNT",
  already_used: "DUPLICATE_NONCE",
  expired: "EXPIRED_PAYMENT",
  not_yet_valid: "EXPIRED_PAYMENT",
  valid_too_long: "EXPIRED_PAYMENT",
  challenge_expired: "EXPIRED_PAYMENT",
};
