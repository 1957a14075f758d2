import { askAt, type Config } from "../../../platform/config/config.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { type NewOrder, newOrderId } from "../orders/orders.ts";
import type { Pack } from "../orders/packs.ts";
import { CHECKOUT_MS } from "./card-processor.ts";
import type { WithCards } from "./deps.ts";

export interface Buyer {
  readonly accountId: string;
  readonly email: string;
}

/**
 * Creates the payment page of a new order, which the caller then stores (`openOrder`). Nobody knows the page before its
 * order is stored, so a crash in between leaves a page that is never opened.
 * @throws Refusal purchases_disabled, unavailable
 */
export async function openCheckout(
  { payments, config }: { readonly payments: WithCards; readonly config: Config },
  { accountId, email }: Buyer,
  pack: Pack,
  now: number,
): Promise<NewOrder> {
  if (!config.isSelling) throw purchasesDisabled(config);
  const { cards } = payments;
  if (!cards) {
    const otherwise = config.direct ? "Pay with pay_direct." : "Ask its operator for credits.";
    throw new Refusal("unavailable", `This deployment takes no cards. ${otherwise}`, {}, { "Retry-After": "3600" });
  }
  const id = newOrderId();
  const expiresAt = now + CHECKOUT_MS;
  const { url, reference } = await cards.open({ orderId: id, pack, email, expiresAt });
  return { id, accountId, pack, method: cards.method, now, checkout: { url, reference, expiresAt } };
}

function purchasesDisabled(config: Config): Refusal {
  const contact = askAt(config);
  return new Refusal("purchases_disabled", `This service sells nothing. Ask for credits at ${contact}.`, { contact });
}
