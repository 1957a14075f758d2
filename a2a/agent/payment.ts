import { asPayment, LARGEST_PAYMENT, requiredIn, responseIn } from "../../src/contract/x402.ts";
import type { PresentedPayment } from "../../src/domain/payments/orders/presented-payment.ts";
import { TASK } from "../../src/domain/tasks/states.ts";
import { errorEnvelope, Refusal } from "../../src/platform/errors/errors.ts";
import type { A2aCall } from "../methods.ts";
import type { Json, Message } from "../wire.ts";
import { data, type Ending, refused } from "./outcome.ts";
import type { Notes } from "./received-message.ts";

/**
 * The x402 extension (google-agentic-commerce/a2a-x402 spec v0.2, standalone flow) with the objects of x402 version 2, as
 * x402 specs/transports-v2/a2a.md has them under the older address.
 */
export const X402_EXTENSIONS = [
  "https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2",
  "https://github.com/google-a2a/a2a-x402/v0.1",
] as const;

const STATUS = "x402.payment.status";
export const PAYLOAD = "x402.payment.payload";
const REQUIRED = "x402.payment.required";
const RECEIPTS = "x402.payment.receipts";
const ERROR = "x402.payment.error";

/** What a message says of a payment. */
export type Paying =
  | { readonly is: "none" }
  | { readonly is: "submitted"; readonly payment: PresentedPayment }
  | { readonly is: "rejected" }
  | { readonly is: "refused"; readonly refusal: Refusal };

export function payingIn({ metadata }: Message): Paying {
  const status = metadata?.[STATUS];
  if (status === "payment-rejected") return { is: "rejected" };
  if (status !== "payment-submitted") return { is: "none" };
  const payload = metadata![PAYLOAD];
  const payment = payload === undefined ? null : asPayment(payload);
  if (payment) return { is: "submitted", payment };
  const message = `needed, and at most ${LARGEST_PAYMENT} characters in base64`;
  const issues = [{ path: `metadata["${PAYLOAD}"]`, message }];
  const text = `The payment in \`${PAYLOAD}\` is missing or too large, and was not used.`;
  return { is: "refused", refusal: new Refusal("invalid_request", text, { issues }) };
}

/** Activates the extension where the client asked for it. @returns whether it speaks x402 */
export function activateX402(call: A2aCall, { metadata, extensions = [] }: Message): boolean {
  const asked = X402_EXTENSIONS.filter((uri) => call.extensions.includes(uri));
  for (const uri of asked) call.activate(uri);
  return (
    asked.length > 0 || X402_EXTENSIONS.some((uri) => extensions.includes(uri)) || metadata?.[STATUS] !== undefined
  );
}

/** What comes with a finished purchase; null where nothing was paid in it. */
export function paidMetadata(headers: Readonly<Record<string, string>> | undefined): Json | null {
  const response = responseIn(headers);
  return response && { [STATUS]: "payment-completed", [RECEIPTS]: [response] };
}

/** What a refusal of a purchase makes of its task; `notes` of who buys, `payload` as it was presented. */
export function unpaid(refusal: Refusal, { siteUrl, input, notes, payload }: Purchase): Ending {
  if (refusal.code === "direct_payment_required") return priced(refusal, { siteUrl, input, notes });
  if (refusal.code === "payment_invalid") return failed(refusal, { siteUrl, notes, payload });
  if (payload !== undefined && OPEN.has(refusal.code)) return pending(refusal, { siteUrl, input, notes });
  return refused(refusal, siteUrl);
}

interface Purchase {
  readonly siteUrl: string;
  readonly input: Json;
  readonly notes: Notes;
  readonly payload?: unknown;
}

/** Codes of a payment whose outcome is open, or that nobody has looked at yet. */
const OPEN: ReadonlySet<string> = new Set(["settlement_pending", "idempotency_in_flight", "unavailable", "internal"]);

function priced(refusal: Refusal, { siteUrl, input, notes }: Purchase): Ending {
  const required = requiredIn(refusal.headers);
  const { error } = errorEnvelope(refusal, siteUrl);
  const waiting = { state: TASK.inputRequired, input, notes };
  if (notes.x402) {
    const text = `Payment is asked for. Sign one of the offers and send it on this task as \`${PAYLOAD}\`.`;
    return { ...waiting, parts: [{ text }], metadata: { [STATUS]: "payment-required", [REQUIRED]: required } };
  }
  const route = { method: "POST", url: `${siteUrl}/api/v1/credits/x402`, body: input };
  const text = `${refusal.message} Or activate the extension ${X402_EXTENSIONS[0]} and pay in this task.`;
  return {
    ...waiting,
    parts: [{ text }, data({ error, payment_required: required, http: route, extensions: X402_EXTENSIONS })],
  };
}

/** The very same payment may come again: it is its own idempotency key. */
function pending(refusal: Refusal, { siteUrl, input, notes }: Purchase): Ending {
  const text =
    "The payment is not settled yet. Send the very same payment again on this task in a moment; do not sign another one.";
  return {
    state: TASK.inputRequired,
    input,
    // Unavailable is said before anything is handed over.
    notes: { ...notes, isPending: refusal.code !== "unavailable" },
    parts: [{ text }, data(errorEnvelope(refusal, siteUrl))],
    metadata: { [STATUS]: "payment-submitted" },
  };
}

function failed(refusal: Refusal, { siteUrl, notes, payload }: Omit<Purchase, "input">): Ending {
  const receipt = responseIn(refusal.headers);
  return {
    state: TASK.failed,
    parts: [data(errorEnvelope(refusal, siteUrl))],
    metadata: {
      [STATUS]: "payment-failed",
      [ERROR]: errorOf(refusal, payload),
      [RECEIPTS]: receipt ? [receipt] : [],
    },
    notes,
  };
}

/** The client will not pay. */
export function declined(notes: Notes): Ending {
  const text = "The payment was declined. Nothing was bought.";
  return { state: TASK.canceled, parts: [{ text }], metadata: { [STATUS]: "payment-rejected" }, notes };
}

function errorOf({ fields, headers }: Refusal, payload: unknown): string {
  const reason = String(fields.reason);
  if (reason !== "offer_mismatch") return ERROR_WORDS[reason] ?? "SETTLEMENT_FAILED";
  const [offer] = (requiredIn(headers)?.accepts ?? []) as { network?: unknown }[];
  const accepted = (payload as { accepted?: { network?: unknown } } | null)?.accepted;
  return accepted?.network === offer?.network ? "INVALID_AMOUNT" : "NETWORK_MISMATCH";
}

/** The extension's few words for ours; every other reason is a settlement that failed. */
export const ERROR_WORDS: Readonly<Record<string, string>> = {
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
