import { awaitedOf } from "../../../domain/payments/cards/pending-funds.ts";
import { type OrderRow, ordersOf } from "../../../domain/payments/orders/orders.ts";
import { standingOf, standingWords } from "../checkout/order-status.ts";
import { type Html, html } from "../html.ts";
import { dollars, packName } from "../money.ts";
import type { SiteServices } from "../page-request.ts";
import { frame, PATHS, type Signed } from "./dashboard-page.ts";
import { figure, when } from "./dates.ts";
import { MONEY, moneyWays } from "./order-nav.ts";
import { hashOf, methodWords, payAt, transactionOf } from "./payment.ts";
import { pageIn, pager, table } from "./table.ts";

const PER_PAGE = 50;

/** `/dashboard/orders`: all of them, newest first. */
export async function ordersPage({ db, config }: SiteServices, visit: Signed): Promise<void> {
  const page = pageIn(visit, PER_PAGE);
  const { rows, hasMore } = await ordersOf(db, visit.session.accountId, { status: "any", ...page });
  const awaited = await awaitedOf(db, rows);
  const cells = rows.map((order) => {
    const standing = standingOf(order, awaited.has(order.id), visit.now);
    const pay = standing === "payable" ? html`<br>\n${payAt(order, config.siteUrl)}` : "";
    return rowOf(order, html`${standingWords(order, standing)}${pay}`);
  });
  const list =
    rows.length > 0
      ? html`${table("Orders", HEADS, cells)}${pager(PATHS.orders, {}, page.number, hasMore)}`
      : page.number > 1
        ? html`<p>There are no more orders. <a href="${PATHS.orders}">Back to the newest</a></p>`
        : html`<p>There is no order yet. <a href="${MONEY.buy}">Buy a pack of credits</a>, and it is listed here.</p>`;
  visit.show(frame(visit, { tab: "orders", title: "Orders", body: html`${moneyWays("orders")}${list}` }));
}

const HEADS = ["Order", "Status", "Credits", "Price", "Paid by", "Made"];

function rowOf(order: OrderRow, status: Html): (string | Html)[] {
  const { id, pack, credits, takenBack, amountCents, createdAt } = order;
  const back =
    takenBack > 0
      ? html`<br>
<span class="soft">${figure(takenBack)} taken back</span>`
      : "";
  const transaction = transactionOf(order);
  const hash =
    transaction === null
      ? ""
      : html`<br>
${hashOf(transaction, true)}`;
  return [
    html`<a href="${PATHS.orders}/${id}">${packName(pack)}</a>`,
    status,
    html`<span class="number">${figure(credits)}</span>${back}`,
    html`<span class="number">${dollars(amountCents)}</span>`,
    html`${methodWords(order)}${hash}`,
    when(createdAt),
  ];
}
