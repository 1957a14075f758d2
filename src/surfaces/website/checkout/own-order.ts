import { awaitedOf } from "../../../domain/payments/cards/pending-funds.ts";
import { type OrderRow, orderOf } from "../../../domain/payments/orders/orders.ts";
import { hasControl } from "../../../platform/text.ts";
import { html } from "../html.ts";
import { localPath } from "../local-path.ts";
import type { PageRequest, SignedInRequest, WebsiteServices } from "../page-request.ts";
import { withReturnTo } from "../users/return-to.ts";
import { type DisplayStatus, displayStatusOf } from "./order-status.ts";

export interface OwnOrder {
  readonly order: OrderRow;
  readonly displayStatus: DisplayStatus;
  readonly signedIn: SignedInRequest;
}

/** The order of the address, where the one who is signed in has made it. */
export async function ownOrder({ db }: WebsiteServices, request: PageRequest): Promise<OwnOrder | null> {
  const id = request.query("order");
  const { session, now } = request;
  if (!session || hasControl(id)) return null;
  const order = await orderOf(db, session.accountId, id);
  if (!order) return null;
  const isAwaited = (await awaitedOf(db, [order])).has(order.id);
  return { order, displayStatus: displayStatusOf(order, isAwaited, now), signedIn: { ...request, session } };
}

/** What everybody else sees: the same for every order, and for none. */
export function showWithoutOrder(request: PageRequest, title: string, sentence: string): void {
  request.res.set("X-Robots-Tag", "noindex");
  const onward = request.session
    ? html`<p><a href="/dashboard/orders">See your orders</a></p>`
    : html`<p><a href="${withReturnTo("/sign-in", localPath(request.req.originalUrl))}">Sign in</a> to see how your order stands.</p>`;
  request.show({ title: `${title} - Beckon`, body: html`\n<h1>${title}</h1>\n<p>${sentence}</p>\n${onward}` });
}
