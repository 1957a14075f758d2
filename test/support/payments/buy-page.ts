import type { CardProcessor, CheckoutDraft } from "../../../src/domain/payments/cards/card-processor.ts";
import { type OrderRow, openOrder, ordersOf, type Transaction } from "../../../src/domain/payments/orders/orders.ts";
import { PACKS, type Pack } from "../../../src/domain/payments/orders/packs.ts";
import { settleOrder } from "../../../src/domain/payments/orders/settle.ts";
import type { DirectSettings } from "../../../src/platform/config/payment.ts";
import type { TestService } from "../service/service.ts";
import type { PageSeen, User } from "../website/user.ts";

/** Finds the form of a pack on the buy page. @returns a function that submits it */
export async function packForm(user: User, pack: Pack["id"]): Promise<() => Promise<PageSeen>> {
  const { forms } = await user.get("/dashboard/buy");
  const form = forms.find(({ fields }) => fields.some(([name, value]) => name === "pack" && value === pack));
  if (!form) throw new Error(`nothing offers the pack ${pack}`);
  return () => user.post(form.action, form.fields);
}

/** Presses the button of a pack. */
export async function buy(user: User, pack: Pack["id"]): Promise<PageSeen> {
  return (await packForm(user, pack))();
}

export interface OpenedOrder {
  /** Path of the payment page. */
  readonly path: string;
  readonly orderId: string;
}

/** Chooses a pack on the buy page. @returns the order and its payment page */
export async function openPaymentPage(
  service: TestService,
  user: User,
  accountId: string,
  pack: Pack["id"] = "pro",
): Promise<OpenedOrder> {
  const { status, location, text } = await buy(user, pack);
  if (location === null) throw new Error(`${status}: no payment page was opened: ${text}`);
  const orders = await ordersOfAccount(service, accountId);
  return { path: location, orderId: orders.find(({ checkoutUrl }) => checkoutUrl?.endsWith(location))!.id };
}

/** The orders of an account, newest first. */
export async function ordersOfAccount({ db }: TestService, accountId: string): Promise<OrderRow[]> {
  return (await ordersOf(db, accountId, { status: "any", limit: 100, offset: 0 })).rows;
}

/** Presses a button of the sandbox payment page. */
export async function pressButton(user: User, path: string, act: string): Promise<PageSeen> {
  const page = await user.get(path);
  return user.submit(page, { act }, path);
}

/** A card processor with payment pages on its own site, for tests of our pages. */
export function hostedCardProcessor(
  open: (draft: CheckoutDraft) => Promise<void> = async () => undefined,
): CardProcessor {
  let pages = 0;
  return {
    method: "stripe",
    isLive: false,
    origin: "https://pay.example",
    async open(draft) {
      await open(draft);
      pages += 1;
      return { reference: `cs_${pages}`, url: `https://pay.example/c/${pages}?a=1&b='#x%2By` };
    },
    read: () => {
      throw new Error("no event comes");
    },
    lookUp: async () => [],
  };
}

/** Settings of direct payment for pages that show them; there is no chain. */
export const DIRECT: DirectSettings = {
  network: "eip155:8453",
  chainId: 8453,
  asset: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
  payTo: "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
  rpcUrls: ["http://127.0.0.1:1"],
  facilitatorUrl: "http://127.0.0.1:1",
  confirmations: 1,
};

/** The transaction of a direct payment. */
export const ON_CHAIN: Transaction = {
  network: "eip155:8453",
  hash: `0x${"ab".repeat(32)}`,
  payer: "0x1111111111111111111111111111111111111111",
  amount: "9990000",
  currency: "0x2222222222222222222222222222222222222222",
};

/** Books an order that was paid by a direct payment. @returns its id */
export async function bookDirectOrder(
  { db, clock }: TestService,
  accountId: string,
  transaction: Transaction = ON_CHAIN,
): Promise<string> {
  const now = clock.now();
  return db.tx(async (tx) => {
    const order = await openOrder(tx, { accountId, pack: PACKS[0], method: "evm", now, transaction });
    const money = { arrived: true, refundedCents: 0, contested: false };
    return (await settleOrder(tx, order, money, { source: order.id, now })).id;
  });
}
