import { awaitedOf } from "../../../domain/payments/cards/pending-funds.ts";
import { type OrderRow, orderOf } from "../../../domain/payments/orders/orders.ts";
import { hasControl } from "../../../platform/text.ts";
import type { Signed } from "../dashboard/dashboard-page.ts";
import { html } from "../html.ts";
import { localPath } from "../local-path.ts";
import type { SiteServices, Visit } from "../page-request.ts";
import { step } from "../users/return-to.ts";
import { type Standing, standingOf } from "./order-status.ts";

export interface OwnOrder {
  readonly order: OrderRow;
  readonly standing: Standing;
  readonly owner: Signed;
}

/** The order of the address, where the one who is signed in has made it. */
export async function ownOrder({ db }: SiteServices, visit: Visit): Promise<OwnOrder | null> {
  const id = visit.query("order");
  const { session, now } = visit;
  if (!session || hasControl(id)) return null;
  const order = await orderOf(db, session.accountId, id);
  if (!order) return null;
  const isAwaited = (await awaitedOf(db, [order])).has(order.id);
  return { order, standing: standingOf(order, isAwaited, now), owner: { ...visit, session } };
}

/** What everybody else sees: the same for every order, and for none. */
export function showToStranger(visit: Visit, title: string, sentence: string): void {
  visit.res.set("X-Robots-Tag", "noindex");
  const onward = visit.session
    ? html`<p><a href="/dashboard/orders">See your orders</a></p>`
    : html`<p><a href="${step("/sign-in", localPath(visit.req.originalUrl))}">Sign in</a> to see how your order stands.</p>`;
  visit.show({ title: `${title} - Beckon`, body: html`\n<h1>${title}</h1>\n<p>${sentence}</p>\n${onward}` });
}
