import { afterAll, expect, test } from "vitest";
import { createKey } from "../../../../src/domain/credentials/keys.ts";
import { bookSandboxOrder } from "../../../../src/domain/payments/cards/sandbox/book-order.ts";
import { isLiveOrder } from "../../../../src/domain/payments/find-method.ts";
import { openOrder } from "../../../../src/domain/payments/orders/orders.ts";
import { PACKS } from "../../../../src/domain/payments/orders/packs.ts";
import { ON_CHAIN } from "../../../support/payments/buy-page.ts";
import { testService } from "../../../support/service/service.ts";
import { SURFACES } from "../../../support/service/surface-client.ts";
import { signedIn } from "../../../support/website/user.ts";

const onNetwork = (network: string) => ({ reference: null, transaction: JSON.stringify({ ...ON_CHAIN, network }) });
const onPage = (reference: string | null) => ({ reference, transaction: null });

test.each([
  ["sandbox", onPage("cs_sandbox_1"), false],
  ["sandbox", onPage(null), false],
  ["stripe", onPage("cs_test_1"), false],
  ["stripe", onPage("cs_live_1"), true],
  ["evm", onNetwork("eip155:84532"), false],
  ["evm", onNetwork("eip155:31337"), false],
  ["evm", onNetwork("eip155:8453"), true],
  ["evm", onNetwork("eip155:999999"), true],
  ["gone", onPage("x_1"), true],
  ["operator", onPage(null), true],
])("%s %j: livemode %s", (method, facts, livemode) => {
  expect(isLiveOrder({ method, ...facts })).toBe(livemode);
});

const service = await testService();
const { db, clock } = service;
afterAll(() => service.close());

/** An order of each kind in one account, all of them on a service that takes sandbox payments only. */
async function ordersOfEachKind(accountId: string): Promise<ReadonlyMap<string, boolean>> {
  const order = { accountId, pack: PACKS[0], now: clock.now() };
  const page = (reference: string) => {
    const checkout = { url: `https://pay.example/${reference}`, reference, expiresAt: clock.now() + 1e6 };
    return { ...order, method: "stripe", checkout };
  };
  const transfer = (network: string) => ({ ...order, method: "evm", transaction: { ...ON_CHAIN, network } });
  return db.tx(async (tx) => {
    const idOf = async (made: Parameters<typeof openOrder>[1]) => (await openOrder(tx, made)).id;
    return new Map([
      [await bookSandboxOrder(tx, order), false],
      [await idOf(page(`cs_test_${accountId}`)), false],
      [await idOf(page(`cs_live_${accountId}`)), true],
      [await idOf(transfer("eip155:84532")), false],
      [await idOf(transfer("eip155:8453")), true],
    ]);
  });
}

test("every surface and page says of every order whether real money pays for it", async () => {
  const { user, accountId } = await signedIn(service, { paid: false });
  const expected = await ordersOfEachKind(accountId);
  const key = await db.tx((tx) => createKey(tx, { accountId, name: "test", mode: "sandbox", now: clock.now() }));
  for (const open of Object.values(SURFACES)) {
    const client = open(service);
    const { body } = await client.call("list_orders", {}, { key });
    expect(new Map(body.orders.map((one: { id: string; livemode: boolean }) => [one.id, one.livemode]))).toEqual(
      expected,
    );
    for (const [order_id, livemode] of expected) {
      expect((await client.call("get_order", { order_id }, { key })).body).toMatchObject({ id: order_id, livemode });
    }
    await client.close();
  }
  const list = (await user.get("/dashboard/orders")).html;
  for (const [id, livemode] of expected) {
    const [row] = list.split("<tr>").filter((one) => one.includes(id));
    expect([id, row!.includes("test payment")]).toEqual([id, !livemode]);
    for (const path of [`/dashboard/orders/${id}`, `/checkout/done?order=${id}`]) {
      expect([path, (await user.get(path)).text.includes("No real money pays")]).toEqual([path, !livemode]);
    }
  }
});
