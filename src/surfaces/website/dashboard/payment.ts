import type { OrderRow, Transaction } from "../../../domain/payments/orders/orders.ts";
import { type Html, html } from "../html.ts";

/** The way to the payment page of an order that waits for its payer. */
export function payLink({ checkoutUrl }: OrderRow, siteUrl: string): Html {
  return checkoutUrl === null ? html`` : html`<a href="${checkoutPath(checkoutUrl, siteUrl)}">Pay</a>`;
}

/** A payment page of our own is gone to by its path: the person may have come by another name of this machine. */
export function checkoutPath(checkoutUrl: string, siteUrl: string): string {
  return checkoutUrl.startsWith(`${siteUrl}/`) ? checkoutUrl.slice(siteUrl.length) : checkoutUrl;
}

/** Where the sandbox asks what becomes of a payment that is on its way. */
export function sandboxPaymentLink({ checkoutUrl, method }: OrderRow, siteUrl: string): Html {
  if (method !== "sandbox" || checkoutUrl === null) return html``;
  return html`<p>In the sandbox it is you who decides: <a href="${checkoutPath(checkoutUrl, siteUrl)}">let it arrive or bounce</a>.</p>`;
}

export function methodLabel({ method }: OrderRow): string {
  return METHODS[method] ?? method;
}

const METHODS: Readonly<Record<string, string>> = {
  stripe: "card",
  evm: "direct payment",
  sandbox: "sandbox",
};

/** Where the payment of an order stands on its chain; null: it was not paid directly. */
export function transactionOf({ transaction }: OrderRow): Transaction | null {
  return transaction === null ? null : (JSON.parse(transaction) as Transaction);
}

/** The hash of a transaction, leading to where it can be looked up. */
export function transactionLink({ network, hash }: Transaction, isShort = false): Html {
  const short = isShort && hash.length > 14 ? `${hash.slice(0, 8)}…${hash.slice(-4)}` : null;
  const text = short === null ? html`<code>${hash}</code>` : html`<code class="hash" title="${hash}">${short}</code>`;
  const explorer = EXPLORERS.get(network);
  return explorer ? html`<a href="${explorer}${hash}" rel="noreferrer">${text}</a>` : text;
}

/** Where a transaction can be looked up, by its chain. */
const EXPLORERS: ReadonlyMap<string, string> = new Map([
  ["eip155:1", "https://etherscan.io/tx/"],
  ["eip155:8453", "https://basescan.org/tx/"],
  ["eip155:84532", "https://sepolia.basescan.org/tx/"],
]);
