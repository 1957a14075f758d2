import { randomUUID } from "node:crypto";
import { afterAll, expect, test, vi } from "vitest";
import { openApiDocument } from "../../../../rest/openapi.ts";
import type { CardEvent } from "../../../../src/domain/payments/cards/event.ts";
import { cardOffers } from "../../../../src/domain/payments/offers.ts";
import type { OrderRow } from "../../../../src/domain/payments/orders/orders.ts";
import { pendingFundsOf } from "../../../../src/domain/payments/pending-funds.ts";
import { reconcilePayments } from "../../../../src/domain/payments/reconcile.ts";
import { DAY } from "../../../../src/platform/clock.ts";
import type { Config } from "../../../../src/platform/config/config.ts";
import { checkCards } from "../../../../src/process/doctor/cards.ts";
import type { Instance } from "../../../../src/process/instance.ts";
import { createLog } from "../../../../src/process/log.ts";
import { ordersOfAccount } from "../../../support/payments/buy-page.ts";
import { booksOf } from "../../../support/payments/card-events.ts";
import { LOST_EVENTS, signVoucher } from "../../../support/payments/voucher-method.ts";
import { testService } from "../../../support/service/service.ts";
import { signedIn } from "../../../support/website/user.ts";

/** The one change of the sources: a row more in the table of methods. */
vi.mock("../../../../src/domain/payments/methods.ts", async (original) => {
  const { PAYMENT_METHODS } = await original<typeof import("../../../../src/domain/payments/methods.ts")>();
  const { VOUCHER } = await import("../../../support/payments/voucher-method.ts");
  return { PAYMENT_METHODS: { ...PAYMENT_METHODS, voucher: VOUCHER } };
});

const VOUCHERS = { cards: "voucher" as Config["cards"] };
const service = await testService({ config: VOUCHERS });
const { db, clock, config, payments, errors } = service;
afterAll(() => service.close());

async function buy(): Promise<OrderRow & { reference: string; key: string }> {
  const { id, key } = await service.account({ paid: false, credits: 0 });
  const { status, json } = await service.request("POST", "/checkout", { key, body: { pack: "basic" } });
  expect([status, json.order.method]).toEqual([201, "voucher"]);
  const [order] = await ordersOfAccount(service, id);
  return { ...order!, reference: order!.reference!, key };
}

/** What a voucher's event says of a payment page. */
function pageEvent(order: OrderRow, kind: "paid" | "waiting" | "expired", type: string): CardEvent {
  const { id: orderId, reference, amountCents, currency } = order;
  const page = { reference: reference!, orderId, paymentId: `paid_${orderId}`, amountCents, currency, taxCents: null };
  return { id: randomUUID(), type, isLive: false, createdAt: clock.now(), kind, ...page };
}

async function post(event: CardEvent, path = "voucher", sign = signVoucher): Promise<number> {
  const body = JSON.stringify(event);
  const headers = { "Voucher-Signature": sign(body) };
  return (await fetch(`${service.url}/webhooks/${path}`, { method: "POST", headers, body })).status;
}

test("a row is enough: checkout, webhook, pending funds, credits, refund, and the books are right", async () => {
  const order = await buy();
  expect(order.checkoutUrl).toBe(`https://voucher.example/${order.id}`);
  expect(await post(pageEvent(order, "waiting", "voucher.handed_in"))).toBe(200);
  expect(await pendingFundsOf(db, [order])).toEqual(new Set([order.id]));
  expect(await post(pageEvent(order, "paid", "voucher.redeemed"))).toBe(200);
  expect(await booksOf(db, order)).toMatchObject({ status: "paid", ledger: ["purchase 150"], audit: [] });
  const { json } = await service.request("GET", "/ledger", { key: order.key });
  expect(json.entries[0].description).toBe("150 credits for a voucher");
  const refund = { kind: "refunded", paymentId: `paid_${order.id}`, refundedCents: 999, currency: "usd" } as const;
  expect(
    await post({ id: randomUUID(), type: "voucher.returned", isLive: false, createdAt: clock.now(), ...refund }),
  ).toBe(200);
  expect(await booksOf(db, order)).toMatchObject({ status: "refunded", takenBack: 150, balance: 0, audit: [] });
  expect(errors).toEqual([]);
});

test("a row is enough: only its webhook is open, its signature is required, and logs redact it", async () => {
  const event = pageEvent(await buy(), "paid", "voucher.redeemed");
  expect(await post(event, "stripe")).toBe(404);
  expect(await post(event, "voucher", () => "forged")).toBe(400);
  expect(await post(event)).toBe(200);
  let written = "";
  const log = createLog({ logLevel: "info" }, (line) => {
    written += line;
  });
  log.info({ headers: { "voucher-signature": signVoucher("x") } }, "a request");
  expect(written).toContain('"voucher-signature":"[redacted]"');
});

test("a row is enough: pages whose events never came are looked up", async () => {
  const [paid, left] = [await buy(), await buy()];
  LOST_EVENTS.set(paid.reference, [pageEvent(paid, "paid", "voucher.redeemed")]);
  LOST_EVENTS.set(left.reference, [pageEvent(left, "expired", "voucher.expired")]);
  clock.pass(2 * DAY);
  const log = { info() {}, warn() {}, error() {} };
  await reconcilePayments(payments, { db, clock, config, log });
  expect([(await booksOf(db, paid)).status, (await booksOf(db, left)).status]).toEqual(["paid", "expired"]);
});

test("a row is enough: its offers are published, and pages and the doctor say who takes the money", async () => {
  const paths = openApiDocument(config).paths as Record<string, { post: Record<string, object> }>;
  expect(paths["/api/v1/projects"]!.post["x-payment-info"]).toMatchObject({
    offers: [{ method: "voucher", currency: "usd" }],
  });
  expect(cardOffers(config)).toMatchObject([{ method: "voucher", amount: "9990", currency: "usd" }, {}, {}, {}]);
  const { user } = await signedIn(service);
  expect((await user.get("/pricing")).text).toContain("pay on a page of the voucher company");
  expect((await user.get("/dashboard/buy")).text).toContain("You pay on a page of the voucher company");
  const instance = { db, clock, config } as unknown as Instance;
  expect((await checkCards(instance)).found).toContain("vouchers of the tests");
  const none = { ...instance, config: { ...config, cards: "none" } } as Instance;
  expect((await checkCards(none)).found).toMatch(/^not taken: STRIPE_SECRET_KEY or (.* or )?VOUCHER_KEY is not set$/);
});
