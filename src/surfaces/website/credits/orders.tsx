import type { VNode } from "preact";
import { formatDollars, formatNumber } from "../../../platform/format.ts";
import { Nothing } from "../components/nothing.tsx";
import { Paged, requestedPage } from "../components/pagination.tsx";
import { Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { PATHS, receiptPath } from "../shell/addresses.ts";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import { BuyLink } from "../shell/deployment.tsx";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { listedOrders, type Order, packName, type ShownOrder } from "./domain.ts";
import { displayStatusText } from "./order-status.ts";
import { methodLabel, PayLink, TestMark, TransactionLink, transactionOf } from "./payment.tsx";

const PER_PAGE = 50;

/** `/dashboard/orders`: all orders, newest first. */
export async function ordersPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const { number, ...page } = requestedPage(request, PER_PAGE);
  const { orders, hasMore } = await listedOrders(services, request, page);
  const body = (
    <>
      <Paged
        noun="orders"
        isEmpty={orders.length === 0}
        path={PATHS.orders}
        number={number}
        hasMore={hasMore}
        empty={
          <>
            Nothing here yet. <BuyLink>Buy a pack of credits</BuyLink>, and the order is listed here.
          </>
        }
      >
        <OrderTable orders={orders} siteUrl={services.config.siteUrl} />
      </Paged>
    </>
  );
  request.show(dashboardPage({ section: "orders", title: "Orders", body }));
}

function OrderTable({ orders, siteUrl }: { orders: readonly ShownOrder[]; siteUrl: string }): VNode {
  return (
    <Table
      label="Orders"
      rows={orders}
      columns={[
        {
          head: "Order",
          cell: ({ order }) => (
            <>
              <a href={`${PATHS.orders}/${order.id}`}>{packName(order.pack)}</a> <TestMark order={order} />
            </>
          ),
        },
        { head: "Status", cell: (row) => <Status {...row} siteUrl={siteUrl} /> },
        { head: "Credits", isNumber: true, cell: ({ order }) => <Credits order={order} /> },
        { head: "Price", isNumber: true, cell: ({ order }) => formatDollars(order.amountCents) },
        { head: "Payment method", cell: ({ order }) => <Method order={order} /> },
        { head: "Created", cell: ({ order }) => <Time at={order.createdAt} /> },
        { head: "Receipt", cell: ({ order }) => <ReceiptLink order={order} /> },
      ]}
    />
  );
}

function Status({ order, displayStatus, siteUrl }: ShownOrder & { siteUrl: string }): VNode {
  return (
    <>
      {displayStatusText(order, displayStatus)}
      {displayStatus === "open" && (
        <>
          <br />
          <PayLink order={order} siteUrl={siteUrl} />
        </>
      )}
    </>
  );
}

function Credits({ order: { credits, takenBack } }: { order: Order }): VNode {
  return (
    <>
      {formatNumber(credits)}
      {takenBack > 0 && (
        <>
          <br />
          <span class="soft">{formatNumber(takenBack)} taken back</span>
        </>
      )}
    </>
  );
}

function ReceiptLink({ order: { id, paidAt } }: { order: Order }): VNode {
  return paidAt === null ? <Nothing /> : <a href={receiptPath(id)}>Receipt</a>;
}

function Method({ order }: { order: Order }): VNode {
  const transaction = transactionOf(order);
  return (
    <>
      {methodLabel(order)}
      {transaction && (
        <>
          <br />
          <TransactionLink transaction={transaction} isShort />
        </>
      )}
    </>
  );
}
