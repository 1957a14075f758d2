import type { VNode } from "preact";
import { formatCount } from "../../../platform/format.ts";
import { allows } from "../../../platform/roles.ts";
import { McpOauthSnippet, RestSnippet } from "../components/snippets.tsx";
import { PATHS } from "../shell/addresses.ts";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import { BuyLink } from "../shell/deployment.tsx";
import { keptListOf } from "../shell/kept-list.ts";
import type { PageRequest, WebsiteServices } from "../shell/page-request.ts";
import { balanceNow } from "./domain.ts";
import { type OwnOrder, ownOrder, showWithoutOrder } from "./own-order.tsx";
import { BackToList, checkoutPath, SandboxPaymentLink, TestNotice } from "./payment.tsx";

/**
 * `/checkout/done`: payment pages lead here after the payment, often before it is confirmed to us. It leads on to the list that
 * was kept for it.
 */
export async function donePage(services: WebsiteServices, request: PageRequest): Promise<void> {
  const own = await ownOrder(services, request);
  if (!own) return showWithoutOrder(request, "Thank you", WITHOUT_ORDER);
  const { signedIn, order, displayStatus } = own;
  const { siteUrl } = services.config;
  const isPaid = displayStatus === "paid";
  const hasList = keptListOf(services, request) !== null && allows(signedIn.session.role, "index");
  if (isPaid && hasList) return request.redirect(`${PATHS.newProject}?order=${order.id}`);
  const balance = isPaid ? await balanceNow(services, signedIn) : null;
  const title = isPaid
    ? `Thank you: ${formatCount(order.credits, "credit")} added to your balance`
    : TITLES[displayStatus];
  const body = <DoneView own={own} balance={balance} siteUrl={siteUrl} hasList={hasList} />;
  signedIn.res.set("X-Robots-Tag", "noindex");
  signedIn.show(dashboardPage({ section: "orders", title, body }));
}

const WITHOUT_ORDER =
  "Credits are added as soon as the payment is confirmed: by card within a minute, by bank transfer after some days.";

const TITLES = {
  open: "Waiting for the confirmation of your payment",
  processing: "Your payment is being processed",
  expired: "This order has expired",
  failed: "The payment failed",
  refunded: "This order was refunded",
  disputed: "This payment is disputed",
} as const;

interface DoneProps {
  readonly own: OwnOrder;
  /** Null: the order is not paid. */
  readonly balance: number | null;
  readonly siteUrl: string;
  readonly hasList: boolean;
}

function DoneView({ own, balance, siteUrl, hasList }: DoneProps): VNode {
  return (
    <>
      <TestNotice order={own.order} />
      {balance === null ? <Unpaid own={own} siteUrl={siteUrl} /> : <NextSteps balance={balance} siteUrl={siteUrl} />}
      {hasList && <BackToList />}
      <p>
        <a href={`${PATHS.orders}/${own.order.id}`}>View the order</a> or <a href="/dashboard">go to your dashboard</a>.
      </p>
    </>
  );
}

function NextSteps({ balance, siteUrl }: { balance: number; siteUrl: string }): VNode {
  return (
    <>
      <p>Your balance is {formatCount(balance, "credit")}.</p>
      <p>
        <a class="button" href={PATHS.newProject}>
          New project
        </a>
      </p>
      <h2>From programs and agents</h2>
      <ol>
        <li>
          <a href={PATHS.keys}>Create an API key</a> and submit URLs from a program:
          <RestSnippet siteUrl={siteUrl} />
        </li>
        <li>
          Or use an agent. This adds Beckon to Claude Code:
          <McpOauthSnippet siteUrl={siteUrl} />
        </li>
      </ol>
    </>
  );
}

function Unpaid({ own: { order, displayStatus }, siteUrl }: { own: OwnOrder; siteUrl: string }): VNode {
  const { id, pack, checkoutUrl } = order;
  const reload = (
    <p>
      <a href={`/checkout/done?order=${id}`}>Reload this page</a>
    </p>
  );
  if (displayStatus === "open")
    return (
      <>
        <p>
          If you have paid, the confirmation takes a few seconds. You do not have to wait here: the credits are added
          automatically.
        </p>
        {reload}
        <p>
          If you have not paid yet,{" "}
          <a href={checkoutUrl === null ? PATHS.buy : checkoutPath(checkoutUrl, siteUrl)}>continue to payment</a>.
        </p>
      </>
    );
  if (displayStatus === "processing")
    return (
      <>
        <p>
          You chose a payment method that takes time, such as a bank transfer, which can take some days. The credits are
          added as soon as the money arrives; you do not have to wait here.
        </p>
        {reload}
        <SandboxPaymentLink order={order} siteUrl={siteUrl} />
      </>
    );
  if (displayStatus === "expired" || displayStatus === "failed")
    return (
      <>
        <p>No credits were added to your balance.</p>
        <p>
          <BuyLink pack={pack}>Try again</BuyLink>
        </p>
      </>
    );
  return <p>Its credits were taken out of your balance.</p>;
}
