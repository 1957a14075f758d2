import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import {
  bookDirectOrder,
  ON_CHAIN,
  openPaymentPage,
  ordersOfAccount,
  pressButton,
} from "../../../../support/payments/buy-page.ts";
import { testService } from "../../../../support/service/service.ts";
import { ESCAPED, HOSTILE } from "../../../../support/website/account-fixtures.ts";
import { signedIn } from "../../../../support/website/user.ts";

const service = await testService({ config: { seller: ["Example Ltd", "1 High Street", "VAT GB123456789"] } });
const { db } = service;
afterAll(() => service.close());

const pathOf = (orderId: string) => `/dashboard/orders/${orderId}/receipt`;

test("200: number, day, seller, buyer, what was bought and paid; its order and the list lead there", async () => {
  const { user, accountId } = await signedIn(service, { paid: false, email: "ann@example.com" });
  const { path, orderId } = await openPaymentPage(service, user, accountId);
  const order = `/dashboard/orders/${orderId}`;
  for (const page of [order, "/dashboard/orders"]) expect((await user.get(page)).html).not.toContain(pathOf(orderId));
  await pressButton(user, path, "pay");
  for (const page of [order, "/dashboard/orders"]) expect((await user.get(page)).html).toContain(pathOf(orderId));
  const { text, html } = await user.get(pathOf(orderId));
  expect(text).toMatch(/Receipt [0-9A-Z]{10}-0001/);
  expect(text).toContain("Test payment.");
  expect(text).toContain("Seller Example Ltd 1 High Street VAT GB123456789 Buyer ann@example.com");
  expect(text).toMatch(/Date of payment 5\s Jan\s2026|Date of payment 5.Jan.2026/);
  expect(text).toContain("500 credits (pack Pro) $29.99 Total paid $29.99");
  expect(text).not.toContain("Tax");
  expect(html).toContain("data-print");
});

test("200: the tax that the price contains, and what was given back since", async () => {
  const { user, accountId } = await signedIn(service, { paid: false });
  const { path, orderId } = await openPaymentPage(service, user, accountId);
  await pressButton(user, path, "pay");
  await db.tx((tx) => tx.q.update(tx.t.orders).set({ taxCents: 479 }).where(eq(tx.t.orders.id, orderId)).returning());
  expect((await user.get(pathOf(orderId))).text).toContain("Total paid $29.99 Tax contained in it $4.79");
  await pressButton(user, path, "refund");
  expect((await user.get(pathOf(orderId))).text).toContain("Tax contained in it $4.79 Refunded since -$29.99");
});

test("200: a direct payment with its transaction at the explorer; strangers' text is escaped", async () => {
  const { user, accountId } = await signedIn(service, { paid: false });
  const direct = await user.get(pathOf(await bookDirectOrder(service, accountId)));
  expect(direct.html).toContain(`<a href="https://basescan.org/tx/${ON_CHAIN.hash}" rel="noreferrer">`);
  expect(direct.text).toContain(`Network eip155:8453 Payer ${ON_CHAIN.payer}`);
  const odd = { network: "constructor", hash: HOSTILE, payer: HOSTILE, amount: HOSTILE, currency: HOSTILE };
  const { html } = await user.get(pathOf(await bookDirectOrder(service, accountId, odd)));
  expect(html).toContain(ESCAPED);
  expect(html).not.toMatch(/<b onclick|noreferrer/);
});

test("404: an order that is not paid, of another account, unknown, or made up", async () => {
  const mine = await signedIn(service, { paid: false });
  const other = await signedIn(service);
  const [theirs] = await ordersOfAccount(service, other.accountId);
  const { orderId } = await openPaymentPage(service, mine.user, mine.accountId);
  for (const id of [orderId, theirs!.id, "ord_0123456789abcdefghjk", "constructor", "%00"])
    expect([id, (await mine.user.get(pathOf(id))).status]).toEqual([id, 404]);
  expect((await other.user.get(pathOf(theirs!.id))).status).toBe(200);
});
