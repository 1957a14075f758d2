import { type OrderRow, orderOf } from "../../../domain/payments/orders/orders.ts";
import { pendingFundsOf } from "../../../domain/payments/pending-funds.ts";
import { hasControl } from "../../../platform/text.ts";
import { PATHS } from "../shell/addresses.ts";
import { localPath } from "../shell/local-path.ts";
import type { PageRequest, SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { withReturnTo } from "../shell/return-to.ts";
import { type DisplayStatus, displayStatusOf } from "./order-status.ts";

export interface OwnOrder {
  readonly order: OrderRow;
  readonly displayStatus: DisplayStatus;
  readonly signedIn: SignedInRequest;
}

/** The order that the address names, if it belongs to the account that is signed in. */
export async function ownOrder({ db }: WebsiteServices, request: PageRequest): Promise<OwnOrder | null> {
  const id = request.query("order");
  const { session, now } = request;
  if (!session || hasControl(id)) return null;
  const order = await orderOf(db, session.accountId, id);
  if (!order) return null;
  const hasPendingFunds = (await pendingFundsOf(db, [order])).has(order.id);
  return { order, displayStatus: displayStatusOf(order, hasPendingFunds, now), signedIn: { ...request, session } };
}

/** Shown to everybody else: the same page whether the order exists or not. */
export function showWithoutOrder(request: PageRequest, title: string, text: string): void {
  request.res.set("X-Robots-Tag", "noindex");
  const body = (
    <>
      <h1>{title}</h1>
      <p>{text}</p>
      {request.session ? (
        <p>
          <a href={PATHS.orders}>See your orders</a>
        </p>
      ) : (
        <p>
          <a href={withReturnTo("/sign-in", localPath(request.req.originalUrl))}>Sign in</a> to see the status of your
          order.
        </p>
      )}
    </>
  );
  request.show({ title: `${title} - Beckon`, body });
}
