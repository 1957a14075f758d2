import { type OrderRow, ordersOf } from "../../../domain/payments/orders/orders.ts";
import { packName } from "../../../domain/payments/orders/prices.ts";
import { pendingFundsOf } from "../../../domain/payments/pending-funds.ts";
import { formatDollars, formatNumber } from "../../../platform/format.ts";
import { displayStatusOf, displayStatusText } from "../checkout/order-status.ts";
import { type Html, html } from "../html.ts";
import type { SignedInRequest, WebsiteServices } from "../page-request.ts";
import { dashboardPage } from "./dashboard-page.tsx";
import { timeElement } from "./dates.ts";
import { orderNav } from "./order-nav.ts";
import { PATHS } from "./paths.ts";
import { methodLabel, payLink, testMark, transactionLink, transactionOf } from "./payment.ts";
import { pagination, requestedPage, table } from "./table.ts";

const PER_PAGE = 50;

/** `/dashboard/orders`: all orders, newest first. */
export async function ordersPage({ db, config }: WebsiteServices, request: SignedInRequest): Promise<void> {
  const page = requestedPage(request, PER_PAGE);
  const { rows, hasMore } = await ordersOf(db, request.session.accountId, { status: "any", ...page });
  const awaited = await pendingFundsOf(db, rows);
  const cells = rows.map((order) => {
    const displayStatus = displayStatusOf(order, awaited.has(order.id), request.now);
    const pay = displayStatus === "open" ? html`<br>\n${payLink(order, config.siteUrl)}` : "";
    return rowOf(order, html`${displayStatusText(order, displayStatus)}${pay}`);
  });
  const list =
    rows.length > 0
      ? html`${table("Orders", HEADS, cells)}${pagination(PATHS.orders, {}, page.number, hasMore)}`
      : page.number > 1
        ? html`<p>There are no more orders. <a href="${PATHS.orders}">Back to the first page</a></p>`
        : html`<p>Nothing here yet. <a href="${PATHS.buy}">Buy a pack of credits</a>, and the order is listed here.</p>`;
  request.show(dashboardPage({ section: "orders", title: "Orders", body: html`${orderNav("orders")}${list}` }));
}

const HEADS = ["Order", "Status", "Credits", "Price", "Payment method", "Created"];

function rowOf(order: OrderRow, status: Html): (string | Html)[] {
  const { id, pack, credits, takenBack, amountCents, createdAt } = order;
  const takenBackText =
    takenBack > 0
      ? html`<br>
<span class="soft">${formatNumber(takenBack)} taken back</span>`
      : "";
  const transaction = transactionOf(order);
  const hash =
    transaction === null
      ? ""
      : html`<br>
${transactionLink(transaction, true)}`;
  return [
    html`<a href="${PATHS.orders}/${id}">${packName(pack)}</a>${testMark(order)}`,
    status,
    html`<span class="number">${formatNumber(credits)}</span>${takenBackText}`,
    html`<span class="number">${formatDollars(amountCents)}</span>`,
    html`${methodLabel(order)}${hash}`,
    timeElement(createdAt),
  ];
}
