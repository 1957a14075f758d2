import type { Order, PageState, SandboxAction } from "./domain.ts";
import type { DisplayStatus } from "./order-status.ts";

export interface SandboxPayment {
  readonly order: Order;
  readonly displayStatus: DisplayStatus;
  /** The state of the payment page. */
  readonly state: PageState;
}

/** A button of the sandbox's payment page. */
export interface PaymentAction {
  readonly act: SandboxAction;
  readonly label: string;
  readonly variant?: "quiet" | "bad";
}

/** The buttons that the page offers in the present state of the payment. */
export function actionsOf({ displayStatus, state }: SandboxPayment): readonly PaymentAction[] {
  if (state === "paid") return ACTIONS_OF_PAID[displayStatus] ?? [];
  return ACTIONS[state] ?? [];
}

const ACTIONS: Partial<Record<PageState, readonly PaymentAction[]>> = {
  open: [
    { act: "pay", label: "Pay" },
    { act: "pay_later", label: "Pay later", variant: "quiet" },
    { act: "decline", label: "Decline the card", variant: "bad" },
  ],
  awaited: [
    { act: "arrive", label: "Transfer arrives" },
    { act: "bounce", label: "Transfer fails", variant: "bad" },
  ],
};

const ACTIONS_OF_PAID: Partial<Record<DisplayStatus, readonly PaymentAction[]>> = {
  paid: [
    { act: "refund", label: "Refund", variant: "quiet" },
    { act: "dispute", label: "Dispute", variant: "quiet" },
  ],
  disputed: [{ act: "win", label: "Win the dispute", variant: "quiet" }],
};

/** The actions after which a card processor would send the payer back to the shop, and the status of the order then. */
export const RETURNS_TO_SHOP: Readonly<Record<string, DisplayStatus | undefined>> = {
  pay: "paid",
  pay_later: "processing",
  arrive: "paid",
};

/** What the page says after the other actions. */
export const RESULT_TEXTS: ReadonlyMap<string, string> = new Map<SandboxAction, string>([
  ["decline", "The card was declined."],
  ["bounce", "The transfer failed."],
  ["refund", "The payment was refunded."],
  ["dispute", "The payer disputes the payment at their bank."],
  ["win", "The dispute was won."],
]);
