import type { VNode } from "preact";
import { formatCount, formatDollars } from "../../../platform/format.ts";
import { allows } from "../../../platform/roles.ts";
import { relativeTime, Time } from "../components/time.tsx";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import { BuyLink } from "../shell/deployment.tsx";
import { keptListOf } from "../shell/kept-list.ts";
import type { PageRequest, WebsiteServices } from "../shell/page-request.ts";
import { type Order, packName } from "./domain.ts";
import { ownOrder, showWithoutOrder } from "./own-order.tsx";
import { BackToList, checkoutPath, TestNotice } from "./payment.tsx";

/** `/checkout/cancelled`: payment pages lead here when the payer leaves without paying. */
export async function cancelledPage(services: WebsiteServices, request: PageRequest): Promise<void> {
  const own = await ownOrder(services, request);
  if (!own) return showWithoutOrder(request, "You have left the payment page", WITHOUT_ORDER);
  const { signedIn, order, displayStatus } = own;
  // It was paid after all, or has expired.
  if (displayStatus !== "open") return signedIn.redirect(`/checkout/done?order=${order.id}`);
  const hasList = keptListOf(services, request) !== null && allows(signedIn.session.role, "index");
  const { siteUrl } = services.config;
  const body = (
    <>
      {hasList && <BackToList />}
      <CancelledView order={order} now={request.now} siteUrl={siteUrl} />
    </>
  );
  signedIn.res.set("X-Robots-Tag", "noindex");
  signedIn.show(dashboardPage({ section: "buy", title: "You have not paid", body }));
}

const WITHOUT_ORDER = "If you did not pay there, nothing was charged.";

function CancelledView({ order, now, siteUrl }: { order: Order; now: number; siteUrl: string }): VNode {
  const { pack, credits, amountCents, checkoutUrl, expiresAt } = order;
  return (
    <>
      <TestNotice order={order} />
      <p>
        Nothing was charged. You can still pay for {packName(pack)}, {formatCount(credits, "credit")} for{" "}
        {formatDollars(amountCents)}, until <Time at={expiresAt} /> ({relativeTime(expiresAt!, now)}). Then the order
        expires.
      </p>
      <ul>
        <li>
          <a href={checkoutPath(checkoutUrl!, siteUrl)}>Continue to payment</a>
        </li>
        <li>
          <BuyLink>Choose another pack</BuyLink>
        </li>
        <li>
          <a href="/dashboard">Back to your dashboard</a>
        </li>
      </ul>
    </>
  );
}
