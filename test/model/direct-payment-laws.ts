import type { OrderRow } from "../../src/domain/payments/orders/orders.ts";
import { baseUnitsOf, PACKS } from "../../src/domain/payments/orders/prices.ts";
import { authorizationOf } from "../support/payments/memory-facilitator.ts";
import type { Market, SignedPayment, Told } from "./market.ts";
import type { Books } from "./payment-laws.ts";

/** Each order is of a payment that its buyer has paid with, was told of to nobody else, and stands on the chain. */
export async function proveDirectOrders(market: Market, books: Books): Promise<void> {
  const { world, hasReorganised } = market;
  for (const [order, payment] of paymentsOf(market, books)) {
    const buyer = world.accounts.indexOf(order.accountId);
    if (!payment.takers?.has(buyer)) throw new Error(`${order.id} is of buyer ${buyer}, who did not pay for it`);
    if (order.pack !== PACKS[payment.pack]!.id) throw new Error(`${order.id} gives another pack than was paid for`);
    for (const { what, orderId, buyer: whom } of payment.told)
      if (what === "paid" && (orderId !== order.id || whom !== buyer))
        throw new Error(`buyer ${whom} was told of ${orderId}, and the order is ${order.id} of buyer ${buyer}`);
    // Blocks that were undone are noticed later.
    if (order.status === "paid" && !hasReorganised && !stands(market, payment))
      throw new Error(`${order.id} is credited, and its transfer stands nowhere`);
    if (order.status === "failed" && !hasReorganised && stands(market, payment))
      throw new Error(`the credits of ${order.id} were taken back, and its transfer stands`);
  }
}

/**
 * What holds when all faults have ceased and every payment has run out: what stands on the chain is credited, once, and
 * nothing else is; and whoever was told that a payment was not taken keeps the money, unless the facilitator lied.
 */
export async function proveChainSettlement(market: Market, books: Books): Promise<void> {
  const { world, payments, received } = market;
  for (const { key, state } of books.journal)
    if (state === "submitted" || state === "credited") throw new Error(`${key} is never decided`);
  const paid = books.orders.filter(({ method, status }) => method === "evm" && status === "paid");
  const sold = paid.reduce((sum, { pack }) => sum + BigInt(baseUnitsOf(PACKS.find(({ id }) => id === pack)!)), 0n);
  if (sold !== received) throw new Error(`${received} were received and ${sold} credited`);
  const orderOf = new Map(paymentsOf(market, books).map(([order, payment]) => [payment, order]));
  for (const payment of payments) {
    if (!stands(market, payment)) continue;
    const order = orderOf.get(payment);
    if (order?.status !== "paid") throw new Error(`a payment stands on the chain and is ${order?.status}`);
    const buyer = world.accounts.indexOf(order.accountId);
    const isRefused = ({ what, isHandedOver, ...by }: Told) =>
      what === "payment_invalid" && isHandedOver && by.buyer === buyer && by.pack === payment.pack;
    if (!payment.isRefused && payment.told.some(isRefused))
      throw new Error(`${order.id} was refused with 402, and is paid`);
  }
}

/** Orders by direct payment, with what each was paid by. */
export function paymentsOf({ payments }: Market, { orders, journal }: Books): [OrderRow, SignedPayment][] {
  return journal.flatMap(({ orderId, nonce }) => {
    const order = orders.find(({ id }) => id === orderId);
    const payment = payments.find(({ signed }) => signed.payload.authorization.nonce === nonce);
    return order && payment ? [[order, payment] as [OrderRow, SignedPayment]] : [];
  });
}

/** As the chain really is, whatever its nodes answer. */
function stands({ chain }: Market, { signed }: SignedPayment): boolean {
  return chain.hasPaid(authorizationOf(signed));
}
