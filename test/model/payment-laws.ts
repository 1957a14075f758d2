import { audit } from "../../src/domain/audit/audit.ts";
import type { OrderRow } from "../../src/domain/payments/orders/orders.ts";
import { proveChainSettlement, proveDirectOrders } from "./direct-payment-laws.ts";
import { isContested, type Page } from "./fake-card-processor.ts";
import type { Market } from "./market.ts";
import type { World } from "./world.ts";

/** The stored orders and payments, read once for all laws. */
export type Books = Awaited<ReturnType<typeof readBooks>>;

export async function readBooks({ books: { q, t } }: World) {
  const orders = await q.select().from(t.orders);
  return { orders, journal: await q.select().from(t.directPayments) };
}

/** Checks the laws that hold after every command. */
export async function proveStep(market: Market): Promise<void> {
  const { world } = market;
  if (world.failure) throw world.failure;
  // Without a new commit nothing can have changed.
  if (world.commits === market.proved) return;
  market.proved = world.commits;
  const { problems } = await audit(world.books);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const books = await readBooks(world);
  const known = new Set(books.orders.map(({ id }) => id));
  for (const id of market.promised) if (!known.has(id)) throw new Error(`${id} was promised, and is not there`);
  for (const order of books.orders) if (order.method !== "evm") proveCardOrder(market, order);
  await proveDirectOrders(market, books);
}

/** An order is credited only if its page is paid, and to the account that opened it. */
function proveCardOrder({ world, processor, openers }: Market, order: OrderRow): void {
  const page = processor.pages.find(({ id }) => id === order.reference);
  if (page?.orderId !== order.id) throw new Error(`${order.id} has no payment page`);
  if (order.accountId !== world.accounts[openers.get(order.id)!]) throw new Error(`${order.id} is another buyer's`);
  if (order.paidAt !== null && page.state !== "paid")
    throw new Error(`${order.id} is credited, its page ${page.state}`);
}

/** Checks the laws that hold at the end, when all events are delivered: orders agree with the processor and the chain. */
export async function proveEnd(market: Market, books: Books): Promise<void> {
  const { q, t } = market.world.books;
  for (const order of books.orders) if (order.method !== "evm") proveSettled(market, order);
  for (const { type, problem } of await q.select().from(t.cardEvents))
    if (problem !== null) throw new Error(`${type}: ${problem}`);
  for (const { kind, balanceAfter } of await q.select().from(t.ledger))
    if (kind === "spend" && balanceAfter < 0) throw new Error("credits were spent that were not there");
  await proveChainSettlement(market, books);
}

/** Credits correspond to the money that was paid and not refunded. */
function proveSettled({ processor }: Market, order: OrderRow): void {
  const page = processor.pages.find(({ id }) => id === order.reference)!;
  const found = `${order.status}, ${order.takenBack} taken back`;
  const should = expectedOf(page, order);
  if (found !== should) throw new Error(`${order.id} is ${found}, should be ${should}`);
}

function expectedOf(page: Page, { credits, amountCents }: OrderRow): string {
  if (page.state !== "paid") return `${UNPAID[page.state]}, 0 taken back`;
  if (isContested(page)) return `disputed, ${credits} taken back`;
  const status = page.refundedCents === amountCents ? "refunded" : "paid";
  return `${status}, ${Math.round((credits * page.refundedCents) / amountCents)} taken back`;
}

const UNPAID = { open: "pending", awaited: "pending", bounced: "failed", expired: "expired" };
