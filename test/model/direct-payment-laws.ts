import type { OrderRow } from "../../src/domain/payments/orders/orders.ts";
import { baseUnitsOf, PACKS } from "../../src/domain/payments/orders/packs.ts";
import { authorizationOf } from "../support/payments/memory-facilitator.ts";
import type { Market, SignedPayment, Told } from "./market.ts";
import type { Books } from "./payment-laws.ts";

/** Each order has a payment that its buyer has presented and that is on the chain; no other buyer was told of the order. */
export async function proveDirectOrders(market: Market, books: Books): Promise<void> {
  const { world, hasReorganised } = market;
  for (const [order, payment] of paymentsOf(market, books)) {
    const buyer = world.accounts.indexOf(order.accountId);
    if (!payment.takers?.has(buyer)) throw new Error(`${order.id} is of buyer ${buyer}, who did not pay for it`);
    if (order.pack !== PACKS[payment.pack]!.id) throw new Error(`${order.id} gives another pack than was paid for`);
    for (const { what, orderId, buyer: whom } of payment.told)
      if (what === "paid" && (orderId !== order.id || whom !== buyer))
        throw new Error(`buyer ${whom} was told of ${orderId}, and the order is ${order.id} of buyer ${buyer}`);
    // After a reorganisation, the order is corrected later.
    if (order.status === "paid" && !hasReorganised && !isOnChain(market, payment))
      throw new Error(`${order.id} is credited, and its transfer stands nowhere`);
    if (order.status === "failed" && !hasReorganised && isOnChain(market, payment))
      throw new Error(`the credits of ${order.id} were taken back, and its transfer stands`);
  }
}

/**
 * Checked when faults have ended and every payment has expired: each transfer on the chain is credited once, and nothing
 * else is. A payment that was refused has not moved money, unless the facilitator's answer was false.
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
    if (!isOnChain(market, payment)) continue;
    const order = orderOf.get(payment);
    if (order?.status !== "paid") throw new Error(`a payment stands on the chain and is ${order?.status}`);
    const buyer = world.accounts.indexOf(order.accountId);
    const isRefused = ({ what, isHandedOver, ...by }: Told) =>
      what === "payment_invalid" && isHandedOver && by.buyer === buyer && by.pack === payment.pack;
    if (!payment.isRefused && payment.told.some(isRefused))
      throw new Error(`${order.id} was refused with 402, and is paid`);
  }
}

/** Orders by direct payment, each with its payment. */
export function paymentsOf({ payments }: Market, { orders, journal }: Books): [OrderRow, SignedPayment][] {
  return journal.flatMap(({ orderId, nonce }) => {
    const order = orders.find(({ id }) => id === orderId);
    const payment = payments.find(({ signed }) => signed.payload.authorization.nonce === nonce);
    return order && payment ? [[order, payment] as [OrderRow, SignedPayment]] : [];
  });
}

/** Whether a transfer is on the chain, whatever its nodes answer. */
function isOnChain({ chain }: Market, { signed }: SignedPayment): boolean {
  return chain.hasPaid(authorizationOf(signed));
}
