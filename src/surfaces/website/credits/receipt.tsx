import type { ComponentChildren, VNode } from "preact";
import { Refusal } from "../../../platform/errors/errors.ts";
import { formatCount, formatDollars } from "../../../platform/format.ts";
import { Facts } from "../components/facts.tsx";
import { Table } from "../components/table.tsx";
import { Day } from "../components/time.tsx";
import { PATHS } from "../shell/addresses.ts";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { type Buyer, packName, type Receipt, receiptFor } from "./domain.ts";
import { TestNotice, TransactionLink } from "./payment.tsx";

/** `/dashboard/orders/:id/receipt`: to be printed, or saved as a PDF by the browser. */
export async function receiptPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const receipt = await receiptFor(services, request, request.param("id"));
  if (!receipt) throw new Refusal("not_found", "Your account has no such order, or it was never paid.");
  const body = <ReceiptView receipt={receipt} seller={services.config.seller} />;
  request.show(dashboardPage({ section: "orders", title: `Receipt ${receipt.number}`, body }));
}

function ReceiptView({ receipt, seller }: { receipt: Receipt; seller: readonly string[] }): VNode {
  const { number, paidAt, buyer, order, method, transaction } = receipt;
  return (
    <>
      <TestNotice order={order} />
      <div class="receipt">
        <div class="parties">
          <Party heading="Seller" lines={seller} />
          <Party heading="Buyer" lines={buyerLines(buyer)} />
        </div>
        <Facts
          rows={[
            ["Receipt number", number],
            ["Date of payment", <Day key="day" at={paidAt} isUtc />],
            ["Order", <code key="order">{order.id}</code>],
            ["Paid by", method],
            ["Transaction", transaction && <TransactionLink transaction={transaction} />],
            ["Network", transaction && <code>{transaction.network}</code>],
            ["Payer", transaction && <code>{transaction.payer}</code>],
          ]}
        />
        <Table label="What was bought" isNarrow rows={linesOf(receipt)} columns={COLUMNS} />
      </div>
      <p class="print-row no-print" data-print="Print this receipt" />
      <p class="no-print">
        <a href={`${PATHS.orders}/${order.id}`}>See the order</a>. Your browser can save this page as a PDF when it
        prints.
      </p>
    </>
  );
}

function Party({ heading, lines }: { heading: string; lines: readonly string[] }): VNode {
  return (
    <section>
      <h2>{heading}</h2>
      <p>
        {lines.map((line, at) => (
          <span key={at}>
            {at > 0 && <br />}
            {line}
          </span>
        ))}
      </p>
    </section>
  );
}

/** An account that its owner has not named is called by a part of its address. */
function buyerLines({ name, email }: Buyer): string[] {
  return email.startsWith(`${name}@`) ? [email] : [name, email];
}

interface Line {
  readonly what: ComponentChildren;
  readonly amount: ComponentChildren;
}

const COLUMNS = [
  { head: "Item", cell: ({ what }: Line) => what },
  { head: "Amount", isNumber: true, isOneLine: true, cell: ({ amount }: Line) => amount },
];

function linesOf({ order, taxCents, refundedCents }: Receipt): Line[] {
  const { pack, credits, amountCents, status } = order;
  const lines: Line[] = [
    { what: `${formatCount(credits, "credit")} (pack ${packName(pack)})`, amount: formatDollars(amountCents) },
    { what: <strong>Total paid</strong>, amount: <strong>{formatDollars(amountCents)}</strong> },
  ];
  if (taxCents !== null) lines.push({ what: "Tax contained in it", amount: formatDollars(taxCents) });
  if (refundedCents > 0) lines.push({ what: "Refunded since", amount: formatDollars(-refundedCents) });
  const problem = REVERSALS[status];
  if (problem) lines.push({ what: problem, amount: formatDollars(-amountCents) });
  return lines;
}

/** What has become of the whole payment, by the status of the order. */
const REVERSALS: Readonly<Record<string, string>> = {
  disputed: "Disputed at the buyer's bank since",
  failed: "Failed since",
};
