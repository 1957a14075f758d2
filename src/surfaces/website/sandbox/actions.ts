import type { PageState, SandboxAct } from "../../../domain/payments/cards/sandbox/payment-page.ts";
import type { OrderRow } from "../../../domain/payments/orders/orders.ts";
import type { DisplayStatus } from "../checkout/order-status.ts";

export interface SandboxPayment {
  readonly order: OrderRow;
  readonly displayStatus: DisplayStatus;
  /** Of the page. */
  readonly state: PageState;
}

/** What the person before the payment page of the sandbox can make of a payment. */
export interface PaymentAction {
  readonly act: SandboxAct;
  readonly label: string;
  readonly look: "" | "quiet" | "bad";
}

/** What the page offers as the payment stands. */
export function actionsOf({ displayStatus, state }: SandboxPayment): readonly PaymentAction[] {
  if (state === "paid") return OF_PAID[displayStatus] ?? [];
  return ACTS[state] ?? [];
}

const ACTS: Partial<Record<PageState, readonly PaymentAction[]>> = {
  open: [
    { act: "pay", label: "Pay", look: "" },
    { act: "pay_later", label: "Pay later", look: "quiet" },
    { act: "decline", label: "Decline the card", look: "bad" },
  ],
  awaited: [
    { act: "arrive", label: "It arrives", look: "" },
    { act: "bounce", label: "It bounces", look: "bad" },
  ],
};

const OF_PAID: Partial<Record<DisplayStatus, readonly PaymentAction[]>> = {
  paid: [
    { act: "refund", label: "Refund it", look: "quiet" },
    { act: "dispute", label: "Dispute it", look: "quiet" },
  ],
  disputed: [{ act: "win", label: "Win the dispute", look: "quiet" }],
};

/** How the order stands after those by which a card processor would send its payer back to the shop. */
export const RETURNS_TO_SHOP: Readonly<Record<string, DisplayStatus | undefined>> = {
  pay: "paid",
  pay_later: "processing",
  arrive: "paid",
};

/** What the others have done, told on the same page. */
export const RESULT_TEXTS: ReadonlyMap<string, string> = new Map<SandboxAct, string>([
  ["decline", "The card was declined."],
  ["bounce", "The money did not arrive."],
  ["refund", "The money was given back."],
  ["dispute", "The payer disputes the payment at their bank."],
  ["win", "The bank has decided for us."],
]);
