import { packName } from "../../../domain/payments/orders/prices.ts";
import { formatDollars, formatNumber } from "../../../platform/format.ts";
import type { DisplayStatus } from "../checkout/order-status.ts";
import { timeElement } from "../dashboard/dates.ts";
import { button, form } from "../form.ts";
import { type Html, html } from "../html.ts";
import type { Page } from "../layout.tsx";
import type { PageRequest } from "../page-request.ts";
import { actionsOf, type PaymentAction, type SandboxPayment } from "./actions.ts";

export interface PaymentPageContent extends SandboxPayment {
  /** The address of the account that gets the credits. */
  readonly email: string;
  /** The path of this page. */
  readonly path: string;
  readonly message: Html | null;
}

export function paymentPage(request: PageRequest, shown: PaymentPageContent): Page {
  const { order, displayStatus, state, email, path, message } = shown;
  const { id, pack, credits, amountCents, expiresAt } = order;
  const actions = actionsOf(shown);
  const buttons = actions.map((act) => button(labelOf(act, amountCents), { ...act, name: "act", value: act.act }));
  const isTrial = displayStatus === "paid" || displayStatus === "disputed";
  return {
    title: `Sandbox payment of ${formatDollars(amountCents)} - Beckon`,
    forms: [],
    body: html`
<div class="play" role="note"><strong>Sandbox: no money moves here</strong>
This page takes the place of a card processor's. It asks for no card, and its buttons only simulate what can happen.</div>
<h1>${formatDollars(amountCents)} for ${formatNumber(credits)} credits</h1>
${message ?? ""}
<p><strong>${STATUS_SENTENCES[displayStatus]}</strong></p>
<dl class="facts"><dt>Pack</dt>
<dd>${packName(pack)}</dd>
<dt>For</dt>
<dd>the account of ${masked(email)}</dd>
<dt>Order</dt>
<dd><code>${id}</code></dd>
${state === "open" ? html`<dt>Expires</dt>\n<dd>${timeElement(expiresAt)}</dd>` : ""}</dl>
${isTrial ? html`<h2>Try more</h2>\n<p>In the sandbox you also act as the seller and the bank.</p>` : ""}
${buttons.length > 0 ? form(request, path, html`<div class="row">${buttons}</div>`) : ""}
${actions.some(({ act }) => act === "pay_later") ? html`<p class="soft">“Pay later” simulates a bank transfer: you decide afterwards whether it arrives or fails.</p>` : ""}
${nextLinks(shown)}`,
  };
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

function nextLinks({ order: { id, pack }, displayStatus, state }: SandboxPayment): Html {
  const isUnpaid = displayStatus === "open" || displayStatus === "failed" || displayStatus === "expired";
  if (!isUnpaid) return html`<p><a href="/checkout/done?order=${id}">Continue to Beckon</a></p>`;
  const again = html`<p><a href="/dashboard/buy?pack=${pack}">Try again with a new payment</a></p>`;
  return html`${state === "open" ? "" : again}
<p><a href="/checkout/cancelled?order=${id}">Leave without paying</a></p>`;
}
