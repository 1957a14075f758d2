import type { VNode } from "preact";
import { Notice } from "../components/notice.tsx";
import { PATHS } from "../shell/addresses.ts";
import { explorerUrl, isLiveOrder, type Order, shownMethod, type Transaction } from "./domain.ts";

interface OrderProps {
  readonly order: Order;
  readonly siteUrl: string;
}

/** The link to the payment page of an open order. */
export function PayLink({ order: { checkoutUrl }, siteUrl }: OrderProps): VNode | null {
  return checkoutUrl === null ? null : <a href={checkoutPath(checkoutUrl, siteUrl)}>Pay</a>;
}

/** Shortens the URL of a payment page of ours to its path, since the browser may know this machine by another name. */
export function checkoutPath(checkoutUrl: string, siteUrl: string): string {
  return checkoutUrl.startsWith(`${siteUrl}/`) ? checkoutUrl.slice(siteUrl.length) : checkoutUrl;
}

/** In the sandbox, the link to where a pending payment is decided. */
export function SandboxPaymentLink({ order, siteUrl }: OrderProps): VNode | null {
  const { checkoutUrl, method } = order;
  if (!shownMethod(method).isSandbox || checkoutUrl === null) return null;
  return (
    <p>
      In the sandbox you decide: <a href={checkoutPath(checkoutUrl, siteUrl)}>let the transfer arrive or fail</a>.
    </p>
  );
}

/** The way back for somebody whose list waits to be submitted. */
export function BackToList(): VNode {
  return (
    <p>
      Your list is kept in this browser: <a href={PATHS.newProject}>back to your list</a>
    </p>
  );
}

export function methodLabel({ method }: Order): string {
  return shownMethod(method).name;
}

/** Marks an order that no real money pays for; null: it is about real money. */
export function TestMark({ order }: { order: Order }): VNode | null {
  return isLiveOrder(order) ? null : <span class="mark test">test payment</span>;
}

/** Says what a test payment is worth; null: the order is about real money. */
export function TestNotice({ order }: { order: Order }): VNode | null {
  if (isLiveOrder(order)) return null;
  return (
    <Notice>
      <strong>Test payment.</strong> No real money pays for this order.
    </Notice>
  );
}

/** The transaction of a direct payment; null: the order was paid in another way. */
export function transactionOf({ transaction }: Order): Transaction | null {
  return transaction === null ? null : (JSON.parse(transaction) as Transaction);
}

interface TransactionLinkProps {
  readonly transaction: Transaction;
  readonly isShort?: boolean;
}

/** The hash of a transaction, as a link to an explorer where we know one for its chain. */
export function TransactionLink({ transaction: { network, hash }, isShort = false }: TransactionLinkProps): VNode {
  const text =
    isShort && hash.length > 14 ? (
      <code class="hash" title={hash}>{`${hash.slice(0, 8)}…${hash.slice(-4)}`}</code>
    ) : (
      <code>{hash}</code>
    );
  const url = explorerUrl({ network, hash });
  if (url === null) return text;
  return (
    <a href={url} rel="noreferrer">
      {text}
    </a>
  );
}
