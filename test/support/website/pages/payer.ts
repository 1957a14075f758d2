import { balanceOf, post } from "../../../../src/domain/ledger/ledger.ts";
import type { SandboxAction } from "../../../../src/domain/payments/cards/sandbox/payment-page.ts";
import { DAY } from "../../../../src/platform/clock.ts";
import { PATHS, receiptPath } from "../../../../src/surfaces/website/shell/addresses.ts";
import { bookDirectOrder, buy, openPaymentPage, ordersOfAccount, pressButton } from "../../payments/buy-page.ts";
import { listed, type PageEntry, type PageVisit } from "./listed-page.ts";

const PAY = "/sandbox/pay/:reference";
const ORDER = `${PATHS.orders}/:id`;

/** Opens the payment page of a new order after these actions. @returns the id of the order */
async function pay({ service, payer, open }: PageVisit, ...acts: SandboxAction[]): Promise<string> {
  const { path, orderId } = await openPaymentPage(service, payer.user, payer.accountId, "premium");
  for (const act of acts) await pressButton(payer.user, path, act);
  await open(path);
  return orderId;
}

/** A payment page after these actions. */
function payment(...acts: SandboxAction[]): PageEntry {
  return [PAY, (visit) => pay(visit, ...acts)];
}

/** What follows when a button of a payment page is pressed. */
function pressed(route: string, name: RegExp): PageEntry {
  return [
    route,
    async (visit) => {
      await pay(visit);
      await visit.page.getByRole("button", { name }).click();
      await visit.page.waitForLoadState();
    },
  ];
}

/** The page that the payer is redirected to after these actions. */
function outcome(leaving: "done" | "cancelled", ...acts: SandboxAction[]): PageEntry {
  const route = `/checkout/${leaving}`;
  return [route, async (visit) => visit.open(`${route}?order=${await pay(visit, ...acts)}`)];
}

/** The pages of a user who buys credits, in this order: later ones show what earlier ones have bought. */
export const PAYER = listed("payer", {
  buy: [PATHS.buy],
  "buy-chosen": [PATHS.buy, `${PATHS.buy}?pack=agency`],
  "sandbox-pay": payment(),
  "buy-begun": [PATHS.buy],
  "sandbox-declined": pressed(PAY, /decline/i),
  "sandbox-awaited": payment("pay_later"),
  "sandbox-bounced": payment("pay_later", "bounce"),
  "sandbox-paid": payment("pay"),
  "sandbox-refunded": payment("pay", "refund"),
  "sandbox-disputed": payment("pay", "dispute"),
  "checkout-pressed-later": pressed("/checkout/done", /later/i),
  "checkout-done": outcome("done", "pay"),
  "checkout-waiting": outcome("done"),
  "checkout-awaited": outcome("done", "pay_later"),
  "checkout-failed": outcome("done", "decline"),
  "checkout-disputed": outcome("done", "pay", "dispute"),
  "checkout-cancelled": outcome("cancelled"),
  "orders-of-all-kinds": [PATHS.orders],
  order: [
    ORDER,
    async ({ service, payer, open }) => {
      const [order] = await ordersOfAccount(service, payer.accountId);
      await open(`${PATHS.orders}/${order!.id}`);
    },
  ],
  "order-direct": [
    ORDER,
    async ({ service, payer, open }) => open(`${PATHS.orders}/${await bookDirectOrder(service, payer.accountId)}`),
  ],
  receipt: [
    `${ORDER}/receipt`,
    async ({ service, payer, open }) => open(receiptPath(await bookDirectOrder(service, payer.accountId))),
  ],
  "ledger-of-all-kinds": [PATHS.ledger],
  "below-zero": [
    PATHS.overview,
    async ({ service: { db, clock }, payer: { accountId }, open }) => {
      const balance = await balanceOf(db, accountId);
      const entry = {
        accountId,
        kind: "adjustment",
        source: "test",
        description: "Credits taken back for a refund",
      } as const;
      await db.tx((tx) => post(tx, { ...entry, credits: -balance - 30, now: clock.now() }));
      await open(PATHS.overview);
    },
  ],
  "sandbox-over": [
    PAY,
    async ({ service, payer: { user, accountId }, open }) => {
      const { path } = await openPaymentPage(service, user, accountId, "basic");
      service.clock.pass(DAY);
      await open(path);
    },
  ],
  "checkout-over": [
    "/checkout/done",
    async ({ service, payer, open }) => {
      const [order] = await ordersOfAccount(service, payer.accountId);
      await open(`/checkout/done?order=${order!.id}`);
    },
  ],
  "buy-over-limit": [
    PATHS.buy,
    async ({ payer: { user }, page, open }) => {
      // Orders of the pages before count, too.
      for (let opened = await buy(user, "pro"); opened.location !== null; opened = await buy(user, "pro"))
        await pressButton(user, opened.location, "decline");
      await open(PATHS.buy);
      await page.getByRole("button", { name: "Buy Pro" }).click();
      await page.waitForLoadState();
    },
  ],
});
