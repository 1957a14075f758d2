import type { DisplayStatus } from "../checkout/order-status.ts";
import { figure, timeElement } from "../dashboard/dates.ts";
import { button, form } from "../form.ts";
import { type Html, html } from "../html.ts";
import type { Page } from "../layout.ts";
import { dollars, packName } from "../money.ts";
import type { PageRequest } from "../page-request.ts";
import { actionsOf, type PaymentAction, type SandboxPayment } from "./actions.ts";

export interface PaymentPageContent extends SandboxPayment {
  /** Of the account that the credits go to. */
  readonly email: string;
  /** Of this page. */
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
    title: `Sandbox payment of ${dollars(amountCents)} - Beckon`,
    forms: [],
    body: html`
<div class="play" role="note"><strong>Sandbox: no money moves here</strong>
This page stands in for a card processor's. It asks for no card, and every button only plays what could happen.</div>
<h1>${dollars(amountCents)} for ${figure(credits)} credits</h1>
${message ?? ""}
<p><strong>${WORDS[displayStatus]}</strong></p>
<dl class="facts"><dt>Pack</dt>
<dd>${packName(pack)}</dd>
<dt>For</dt>
<dd>the account of ${masked(email)}</dd>
<dt>Order</dt>
<dd><code>${id}</code></dd>
${state === "open" ? html`<dt>Open until</dt>\n<dd>${timeElement(expiresAt)}</dd>` : ""}</dl>
${isTrial ? html`<h2>What if</h2>\n<p>In the sandbox you also play the seller and the bank: try out what comes of it.</p>` : ""}
${buttons.length > 0 ? form(request, path, html`<div class="row">${buttons}</div>`) : ""}
${actions.some(({ act }) => act === "pay_later") ? html`<p class="soft">Pay later is a bank transfer: whether its money arrives or bounces is seen afterwards.</p>` : ""}
${onward(shown)}`,
  };
}

function labelOf({ act, label }: PaymentAction, amountCents: number): string {
  return act === "pay" ? `Pay ${dollars(amountCents)}` : label;
}

const WORDS: Readonly<Record<DisplayStatus, string>> = {
  open: "This payment waits for you.",
  processing: "Paid later: the money is on its way, and no credits have been given yet.",
  expired: "This payment page has closed. Nothing was paid.",
  paid: "This is paid, and its credits have been given.",
  failed: "The payment failed. Nothing was paid.",
  refunded: "The money was given back, and the credits were taken back.",
  disputed: "The payment is in dispute, and its credits are taken back until that is won.",
};

/** Its first letter and its host: enough for its owner, and nothing for whoever found the link. */
function masked(email: string): string {
  const at = email.lastIndexOf("@");
  return `${email.slice(0, 1)}\u2022\u2022\u2022${email.slice(at)}`;
}

function onward({ order: { id, pack }, displayStatus, state }: SandboxPayment): Html {
  const isUnpaid = displayStatus === "open" || displayStatus === "failed" || displayStatus === "expired";
  if (!isUnpaid) return html`<p><a href="/checkout/done?order=${id}">Go on to Beckon</a></p>`;
  const again = html`<p><a href="/dashboard/buy?pack=${pack}">Try again with a new payment</a></p>`;
  return html`${state === "open" ? "" : again}
<p><a href="/checkout/cancelled?order=${id}">Leave without paying</a></p>`;
}
