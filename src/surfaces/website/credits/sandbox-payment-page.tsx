import type { VNode } from "preact";
import { formatCount, formatDollars } from "../../../platform/format.ts";
import { Button } from "../components/button.tsx";
import { Facts } from "../components/facts.tsx";
import { Form } from "../components/form.tsx";
import { Time } from "../components/time.tsx";
import { PATHS } from "../shell/addresses.ts";
import type { Page } from "../shell/layout.tsx";
import type { PageRequest } from "../shell/page-request.ts";
import { packName } from "./domain.ts";
import type { DisplayStatus } from "./order-status.ts";
import { actionsOf, type PaymentAction, type SandboxPayment } from "./sandbox-actions.ts";

export interface PaymentPageContent extends SandboxPayment {
  /** The address of the account that gets the credits. */
  readonly email: string;
  /** The path of this page. */
  readonly path: string;
  readonly message: VNode | null;
}

export function paymentPage(request: PageRequest, shown: PaymentPageContent): Page {
  return {
    title: `Sandbox payment of ${formatDollars(shown.order.amountCents)} - Beckon`,
    forms: [],
    body: <PaymentView request={request} shown={shown} />,
  };
}

function PaymentView({ request, shown }: { request: PageRequest; shown: PaymentPageContent }): VNode {
  const { order, displayStatus, state, email, path, message } = shown;
  const { id, pack, credits, amountCents, expiresAt } = order;
  const actions = actionsOf(shown);
  return (
    <>
      <div class="play" role="note">
        <strong>Sandbox: no money moves here</strong> This page takes the place of a card processor's. It asks for no
        card, and its buttons only simulate what can happen.
      </div>
      <h1>
        {formatDollars(amountCents)} for {formatCount(credits, "credit")}
      </h1>
      {message}
      <p>
        <strong>{STATUS_SENTENCES[displayStatus]}</strong>
      </p>
      <Facts
        rows={[
          ["Pack", packName(pack)],
          ["For", `the account of ${masked(email)}`],
          ["Order", <code key="id">{id}</code>],
          ["Expires", state === "open" ? <Time at={expiresAt} /> : null],
        ]}
      />
      {(displayStatus === "paid" || displayStatus === "disputed") && (
        <>
          <h2>Try more</h2>
          <p>In the sandbox you also act as the seller and the bank.</p>
        </>
      )}
      {actions.length > 0 && (
        <Form request={request} action={path}>
          <div class="row">
            {actions.map((action) => (
              <Button key={action.act} name="act" value={action.act} variant={action.variant}>
                {labelOf(action, amountCents)}
              </Button>
            ))}
          </div>
        </Form>
      )}
      {actions.some(({ act }) => act === "pay_later") && (
        <p class="soft">“Pay later” simulates a bank transfer: you decide afterwards whether it arrives or fails.</p>
      )}
      <NextLinks {...shown} />
    </>
  );
}

function labelOf({ act, label }: PaymentAction, amountCents: number): string {
  return act === "pay" ? `Pay ${formatDollars(amountCents)}` : label;
}

const STATUS_SENTENCES: Readonly<Record<DisplayStatus, string>> = {
  open: "This payment has not been made yet.",
  processing: "The transfer is on its way. No credits have been added yet.",
  expired: "This payment page has expired. Nothing was paid.",
  paid: "The payment is complete, and the credits have been added.",
  failed: "The payment failed. Nothing was paid.",
  refunded: "The payment was refunded, and the credits were taken back.",
  disputed: "The payment is disputed. Its credits are taken back until the dispute is won.",
};

/** The first letter and the host of an address: its owner recognises it, and others who have the link learn little. */
function masked(email: string): string {
  const at = email.lastIndexOf("@");
  return `${email.slice(0, 1)}\u2022\u2022\u2022${email.slice(at)}`;
}

function NextLinks({ order: { id, pack }, displayStatus, state }: SandboxPayment): VNode {
  const isUnpaid = displayStatus === "open" || displayStatus === "failed" || displayStatus === "expired";
  if (!isUnpaid)
    return (
      <p>
        <a href={`/checkout/done?order=${id}`}>Continue to Beckon</a>
      </p>
    );
  return (
    <>
      {state !== "open" && (
        <p>
          <a href={`${PATHS.buy}?pack=${pack}`}>Try again with a new payment</a>
        </p>
      )}
      <p>
        <a href={`/checkout/cancelled?order=${id}`}>Leave without paying</a>
      </p>
    </>
  );
}
