import { setImmediate as pause } from "node:timers/promises";
import { isKeyUsed } from "../../../../domain/calls/idempotency-keys.ts";
import { COSTS, costOf, URLS_CHECKED_PER_CREDIT } from "../../../../domain/ledger/costs.ts";
import { balanceOf } from "../../../../domain/ledger/ledger.ts";
import { isPaid, orderOf } from "../../../../domain/payments/orders/orders.ts";
import { notSubmitted } from "../../../../domain/projects/submitted.ts";
import type { Pack } from "../../../../platform/packs.ts";
import { allows } from "../../../../platform/roles.ts";
import { Slices } from "../../../../platform/slices.ts";
import { hasControl } from "../../../../platform/text.ts";
import { UrlListBuilder } from "../../../../platform/urls/urls.ts";
import type { SignedInRequest, WebsiteServices } from "../../shell/page-request.ts";

/**
 * What the form of a new project shows besides the answers of operations: prices, the balance, and which URLs were submitted
 * before. It is the one file of this folder that reads the domain.
 */

export { COSTS, costOf, URLS_CHECKED_PER_CREDIT };

/** The balance, and whether the account may submit. */
export async function fundsOf({ db }: WebsiteServices, { session }: SignedInRequest) {
  const [balance, paid] = await Promise.all([balanceOf(db, session.accountId), isPaid(db, session.accountId)]);
  return { balance, paid };
}

/** What the signed-in person may buy here; nothing where nothing is sold. */
export function packsFor({ config, payments }: WebsiteServices, { session }: SignedInRequest): readonly Pack[] {
  return config.isSelling && payments.cards && allows(session.role, "purchase") ? config.packs : [];
}

/** The credits of a paid order of the account; null: it has none with this id. */
export async function creditsPaidBy(
  { db }: WebsiteServices,
  { session }: SignedInRequest,
  orderId: string,
): Promise<number | null> {
  const order = hasControl(orderId) ? null : await orderOf(db, session.accountId, orderId);
  return order?.status === "paid" ? order.credits : null;
}

/** URLs in normal form, each once. A long list lets other requests go on in between. */
export async function normalForms(urls: readonly string[]): Promise<readonly string[]> {
  const list = new UrlListBuilder();
  const slices = new Slices();
  for (const [index, url] of urls.entries()) {
    list.add(url);
    if (index % 64 === 63 && slices.isOver()) await slices.next();
  }
  return list.list().accepted;
}

/** The given URLs that no earlier project of the account has. A long list lets other requests go on in between. */
export async function freshOf(
  { db }: WebsiteServices,
  { session }: SignedInRequest,
  urls: readonly string[],
): Promise<readonly string[]> {
  return (await notSubmitted(db, session.accountId, urls, pause)).urls;
}

/** Whether a form with this idempotency key has created a project. */
export function wasSent(
  { db }: WebsiteServices,
  { session, now }: SignedInRequest,
  { operation, key }: { readonly operation: string; readonly key: string },
): Promise<boolean> {
  return isKeyUsed(db, { accountId: session.accountId, operation, key }, now);
}
