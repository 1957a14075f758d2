import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { bookSandboxOrder } from "../../../../../src/domain/payments/cards/sandbox/book-order.ts";
import { openOrder } from "../../../../../src/domain/payments/orders/orders.ts";
import { PACKS } from "../../../../../src/domain/payments/orders/packs.ts";
import { settleOrder } from "../../../../../src/domain/payments/orders/settle.ts";
import {
  bookDirectOrder,
  ON_CHAIN,
  openPaymentPage,
  ordersOfAccount,
  pressButton,
} from "../../../../support/payments/buy-page.ts";
import { testService } from "../../../../support/service/service.ts";
import { ESCAPED, HOSTILE } from "../../../../support/website/account-fixtures.ts";
import { type PageSeen, signedIn } from "../../../../support/website/user.ts";

const service = await testService();
const { db, clock } = service;
afterAll(() => service.close());

const PATH = "/dashboard/orders";
const idsIn = ({ html }: PageSeen) => [...html.matchAll(/\/dashboard\/orders\/(ord_\w+)"/g)].map(([, id]) => id!);

test("200 /dashboard/orders: pages of 50, newest first, and none of another account", async () => {
  const { user, accountId } = await signedIn(service, { paid: false });
  const other = await signedIn(service);
  const none = await user.get(PATH);
  expect(none.text).toContain("Nothing here yet");
  expect(none.html).toContain('<a href="/dashboard/buy">');
  const ids: string[] = [];
  for (let n = 0; n < 51; n++) {
    clock.pass(1);
    ids.unshift(await db.tx((tx) => bookSandboxOrder(tx, { accountId, pack: PACKS[0], now: clock.now() })));
  }
  const first = await user.get(PATH);
  expect(idsIn(first)).toEqual(ids.slice(0, 50));
  expect(first.html).toContain(`<a href="${PATH}?page=2" rel="next">`);
  const second = await user.get(`${PATH}?page=2`);
  expect(idsIn(second)).toEqual(ids.slice(50));
  expect(second.html).not.toContain('rel="next"');
  expect((await user.get(`${PATH}?page=999999`)).text).toContain("There are no more orders");
  expect(idsIn(await other.user.get(PATH))).toEqual([(await ordersOfAccount(service, other.accountId))[0]!.id]);
});

test.each([
  [[], "not paid yet Pay 500 $29.99"],
  [["pay"], "paid 500 $29.99 sandbox"],
  [["pay_later"], "payment processing 500"],
  [["decline"], "payment failed 500"],
  [["pay", "refund"], "refunded 500 500 taken back"],
  [["pay", "dispute"], "disputed 500 500 taken back"],
])("200 /dashboard/orders after %j: %s", async (acts, row) => {
  const { user, accountId } = await signedIn(service, { paid: false });
  const { path, orderId } = await openPaymentPage(service, user, accountId);
  for (const act of acts) await pressButton(user, path, act);
  const page = await user.get(PATH);
  expect(page.text).toContain(`Pro test payment ${row}`);
  expect(page.html.includes(`<a href="${path}">Pay</a>`)).toBe(acts.length === 0);
  const one = await user.get(`${PATH}/${orderId}`);
  expect(one.text).toContain(`ID ${orderId} Status ${row.replace(/ (Pay )?500.*/, "")} Credits 500`);
  expect(one.html.includes(`<a href="${path}">Pay</a>`)).toBe(acts.length === 0);
});

test("200: an expired order, and the credits that a partial refund took back", async () => {
  const { user, accountId } = await signedIn(service, { paid: false });
  const now = clock.now();
  const checkout = { url: "http://beckon.test/sandbox/pay/x", reference: accountId, expiresAt: now };
  const { id } = await db.tx((tx) => openOrder(tx, { accountId, pack: PACKS[3], method: "sandbox", now, checkout }));
  const late = await user.get(PATH);
  expect(late.text).toContain("expired");
  expect(late.html).not.toContain(">Pay<");
  expect((await user.get(`${PATH}/${id}`)).html).toContain('<a href="/dashboard/buy?pack=agency">');
  await db.tx(async (tx) => {
    const [order] = await tx.q.select().from(tx.t.orders).where(eq(tx.t.orders.id, id));
    const money = { arrived: true, refundedCents: 4_999, contested: false };
    await settleOrder(tx, order!, money, { source: "r1", now });
  });
  expect((await user.get(PATH)).text).toContain("paid, partly refunded 3,000 1,000 taken back");
  expect((await user.get(`${PATH}/${id}`)).text).toContain("Credits 3,000 Credits taken back 1,000 Price $149.99");
});

test("200: a direct payment shows its transaction hash, shortened in the list, in full on its page", async () => {
  const { user, accountId } = await signedIn(service, { paid: false });
  const id = await bookDirectOrder(service, accountId);
  const list = await user.get(PATH);
  expect(list.text).toContain("direct payment 0xababab…abab");
  expect(list.html).toContain(
    `<a href="https://basescan.org/tx/${ON_CHAIN.hash}" rel="noreferrer"><code class="hash" title="${ON_CHAIN.hash}">`,
  );
  const one = await user.get(`${PATH}/${id}`);
  expect(one.text).toContain(`Payment method direct payment Transaction ${ON_CHAIN.hash} Payer ${ON_CHAIN.payer}`);
  expect(one.text).toContain(`9990000 base units of ${ON_CHAIN.currency} on eip155:8453`);
});

test("200: a transaction on an unknown chain is not a link, and is escaped", async () => {
  const { user, accountId } = await signedIn(service, { paid: false });
  const odd = { network: "constructor", hash: HOSTILE, payer: HOSTILE, amount: HOSTILE, currency: HOSTILE };
  const id = await bookDirectOrder(service, accountId, odd);
  for (const page of [await user.get(PATH), await user.get(`${PATH}/${id}`)]) {
    expect(page.html).toContain(ESCAPED);
    expect(page.html).not.toMatch(/<b onclick|noreferrer/);
  }
});

test("404 /dashboard/orders/:id: of another account, unknown, or made up", async () => {
  const mine = await signedIn(service);
  const other = await signedIn(service);
  const [{ id } = { id: "" }] = await ordersOfAccount(service, other.accountId);
  for (const path of [id, "ord_0123456789abcdefghjk", "%3Cscript%3E", "constructor"]) {
    const page = await mine.user.get(`${PATH}/${path}`);
    expect([path, page.status]).toEqual([path, 404]);
    expect(page.text).toContain("Your account has no such order");
    expect(page.html).not.toMatch(/<script(?! type="module" src="\/assets\/)/);
  }
  expect((await mine.user.get(`${PATH}/%00`)).status).toBe(404);
  expect((await other.user.get(`${PATH}/${id}`)).status).toBe(200);
});
