import { isLiveOrder, methodOf } from "../../../domain/payments/find-method.ts";
import type { OrderRow, Transaction } from "../../../domain/payments/orders/orders.ts";
import { notice } from "../form.ts";
import { type Html, html } from "../html.ts";

/** The link to the payment page of an open order. */
export function payLink({ checkoutUrl }: OrderRow, siteUrl: string): Html {
  return checkoutUrl === null ? html`` : html`<a href="${checkoutPath(checkoutUrl, siteUrl)}">Pay</a>`;
}

/** Shortens the URL of a payment page of ours to its path, since the browser may know this machine by another name. */
export function checkoutPath(checkoutUrl: string, siteUrl: string): string {
  return checkoutUrl.startsWith(`${siteUrl}/`) ? checkoutUrl.slice(siteUrl.length) : checkoutUrl;
}

/** In the sandbox, the link to where a pending payment is decided. */
export function sandboxPaymentLink(order: OrderRow, siteUrl: string): Html {
  const { checkoutUrl } = order;
  const method = methodOf(order);
  if (method?.kind !== "card" || !method.isSandbox || checkoutUrl === null) return html``;
  return html`<p>In the sandbox you decide: <a href="${checkoutPath(checkoutUrl, siteUrl)}">let the transfer arrive or fail</a>.</p>`;
}

export function methodLabel({ method }: OrderRow): string {
  return methodOf({ method })?.name ?? method;
}

/** Marks an order that no real money pays for; empty: it is about real money. */
export function testMark(order: OrderRow): Html {
  return isLiveOrder(order) ? html`` : html` <span class="mark test">test payment</span>`;
}

/** What a test payment is worth, as a paragraph; empty: the order is about real money. */
export function testNotice(order: OrderRow): Html {
  return isLiveOrder(order) ? html`` : notice(html`<strong>Test payment.</strong> No real money pays for this order.`);
}

/** The transaction of a direct payment; null: the order was paid in another way. */
export function transactionOf({ transaction }: OrderRow): Transaction | null {
  return transaction === null ? null : (JSON.parse(transaction) as Transaction);
}

/** The hash of a transaction, as a link to an explorer where we know one for its chain. */
export function transactionLink({ network, hash }: Transaction, isShort = false): Html {
  const short = isShort && hash.length > 14 ? `${hash.slice(0, 8)}…${hash.slice(-4)}` : null;
  const text = short === null ? html`<code>${hash}</code>` : html`<code class="hash" title="${hash}">${short}</code>`;
  const explorer = EXPLORERS.get(network);
  return explorer ? html`<a href="${explorer}${hash}" rel="noreferrer">${text}</a>` : text;
}

/** Block explorers by chain (CAIP-2). */
const EXPLORERS: ReadonlyMap<string, string> = new Map([
  ["eip155:1", "https://etherscan.io/tx/"],
  ["eip155:8453", "https://basescan.org/tx/"],
  ["eip155:84532", "https://sepolia.basescan.org/tx/"],
]);
