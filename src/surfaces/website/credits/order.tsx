import type { ComponentChildren, VNode } from "preact";
import { Refusal } from "../../../platform/errors/errors.ts";
import { formatCount, formatDollars, formatNumber } from "../../../platform/format.ts";
import { Facts } from "../components/facts.tsx";
import { relativeTime, Time } from "../components/time.tsx";
import { PATHS, receiptPath } from "../shell/addresses.ts";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import { BuyLink } from "../shell/deployment.tsx";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { type Order, orderWithId, packName, type Transaction } from "./domain.ts";
import { type DisplayStatus, displayStatusText } from "./order-status.ts";
import { methodLabel, PayLink, SandboxPaymentLink, TestNotice, TransactionLink, transactionOf } from "./payment.tsx";

/** `/dashboard/orders/:id` */
export async function orderPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const found = await orderWithId(services, request, request.param("id"));
  if (!found) throw new Refusal("not_found", "Your account has no such order. The dashboard lists all that it has.");
  const { order, displayStatus } = found;
  const { siteUrl } = services.config;
  const body = <OrderView order={order} displayStatus={displayStatus} now={request.now} siteUrl={siteUrl} />;
  const title = `${packName(order.pack)}: ${formatCount(order.credits, "credit")}`;
  request.show(dashboardPage({ section: "orders", title, body }));
}

interface OrderViewProps {
  readonly order: Order;
  readonly displayStatus: DisplayStatus;
  readonly now: number;
  readonly siteUrl: string;
}

function OrderView({ order, displayStatus, now, siteUrl }: OrderViewProps): VNode {
  return (
    <>
      <TestNotice order={order} />
      <Facts rows={factsOf(order, displayStatus, now)} />
      <p>{nextStep(order, displayStatus, siteUrl)}</p>
      {displayStatus === "processing" && <SandboxPaymentLink order={order} siteUrl={siteUrl} />}
    </>
  );
}

type FactRow = readonly [string, ComponentChildren];

function factsOf(order: Order, displayStatus: DisplayStatus, now: number): readonly FactRow[] {
  const { id, credits, takenBack, amountCents, createdAt, expiresAt, paidAt, receiptNo } = order;
  const transaction = transactionOf(order);
  return [
    ["ID", <code key="id">{id}</code>],
    ["Status", displayStatusText(order, displayStatus)],
    ["Credits", formatNumber(credits)],
    ["Credits taken back", takenBack > 0 ? formatNumber(takenBack) : null],
    ["Price", formatDollars(amountCents)],
    ["Payment method", methodLabel(order)],
    ...(transaction === null ? [] : onChain(transaction)),
    [
      "Created",
      <>
        <Time at={createdAt} /> <span class="soft">{relativeTime(createdAt, now)}</span>
      </>,
    ],
    ["Expires", displayStatus === "open" ? <Time at={expiresAt} /> : null],
    ["Paid", <Time key="paid" at={paidAt} never="not yet" />],
    ["Receipt", receiptNo === null ? null : <a href={receiptPath(id)}>Show the receipt, to print or save</a>],
  ];
}

function onChain(transaction: Transaction): FactRow[] {
  const { network, payer, amount, currency } = transaction;
  return [
    ["Transaction", <TransactionLink key="hash" transaction={transaction} />],
    ["Payer", <code key="payer">{payer}</code>],
    [
      "Token",
      <>
        {amount} base units of <code>{currency}</code> on <code>{network}</code>
      </>,
    ],
  ];
}

/** What the payer can do next, in one or two sentences. */
function nextStep(order: Order, displayStatus: DisplayStatus, siteUrl: string): VNode {
  const buyAgain = (
    <>
      <BuyLink pack={order.pack}>Buy this pack again</BuyLink>.
    </>
  );
  const sentences: Readonly<Record<DisplayStatus, VNode>> = {
    open: (
      <>
        <PayLink order={order} siteUrl={siteUrl} /> before the order expires.
      </>
    ),
    processing: <>The payment is being processed. The credits are added as soon as the money arrives.</>,
    expired: <>Nothing was paid in time. {buyAgain}</>,
    paid: (
      <>
        See your <a href={PATHS.ledger}>credit history</a>, or <BuyLink>buy more credits</BuyLink>.
      </>
    ),
    failed: <>No credits were added to your balance, or they were taken back. {buyAgain}</>,
    refunded: <>The payment was refunded, and its credits were taken out of your balance. {buyAgain}</>,
    disputed: (
      <>
        The payment is disputed at your bank, and its credits were taken out of your balance. If the dispute is decided
        in our favour, they are added again.
      </>
    ),
  };
  return sentences[displayStatus];
}
