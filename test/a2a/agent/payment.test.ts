import { TaskNotCancelableError } from "@a2a-js/sdk/errors";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { ERROR_CODES, X402_EXTENSIONS } from "../../../a2a/agent/payment.ts";
import type { Json, Task } from "../../../a2a/wire.ts";
import { REASONS } from "../../../src/domain/payments/direct/protocol/reasons.ts";
import type { Purchase } from "../../../src/domain/payments/direct/settlement/purchase.ts";
import { PACKS } from "../../../src/domain/payments/orders/packs.ts";
import { MINUTE } from "../../../src/platform/clock.ts";
import { type ErrorCode, Refusal } from "../../../src/platform/errors/errors.ts";
import { codeOf, messageOf, resultOf, statusData, TestAgent } from "../../support/a2a/test-agent.ts";
import { DirectWorld } from "../../support/payments/direct-world.ts";
import { DIRECT, FakeDirectPayments, priceOf, settlementOf } from "../../support/payments/fake-direct-payments.ts";
import { testService } from "../../support/service/service.ts";
import { stateOf } from "../../support/website/account-state.ts";

/** Payments of which some are first answered by a refusal. */
class SlowDirect extends FakeDirectPayments {
  readonly first: ErrorCode[] = [];

  override async settle(purchase: Purchase) {
    const code = this.first.shift();
    if (code) throw new Refusal(code, "Not yet.", {}, { "Retry-After": "5" });
    return super.settle(purchase);
  }
}

const direct = new SlowDirect();
const service = await testService({ config: { direct: DIRECT }, payments: { cards: null, direct } });
afterAll(() => service.close());
beforeEach(() => {
  service.clock.pass(MINUTE);
  direct.presented.length = 0;
});
const { db } = service;
const agent = new TestAgent(service);
const [basic] = PACKS;
const ASKED = [X402_EXTENSIONS[0]];

const submitted = (payload: unknown): { metadata: Json } => ({
  metadata: { "x402.payment.status": "payment-submitted", "x402.payment.payload": payload },
});
const metadataOf = ({ status }: Task) => status.message?.metadata;

/** A new account, and its task that asks for the payment of a pack. */
async function asked() {
  const account = await service.account({ credits: 0 });
  const task = await agent.send(account.key, { text: "pay basic" }, ASKED);
  const pay = (payload: unknown) =>
    agent.send(account.key, { taskId: task.id, parts: [{ text: "Here." }], ...submitted(payload) });
  return { ...account, task, pay };
}

const balanceOf = async (id: string) => (await stateOf(db, id)).balance;

describe("the price", () => {
  test.each(X402_EXTENSIONS)("INPUT_REQUIRED: in the form of %s, once that extension is activated", async (uri) => {
    const { key } = await service.account();
    const task = await agent.send(key, { text: "pay basic" }, [uri]);
    expect(task.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    expect(metadataOf(task)).toEqual({
      "x402.payment.status": "payment-required",
      "x402.payment.required": priceOf(basic),
    });
    expect(agent.activated.at(-1)).toBe(uri);
  });

  test("INPUT_REQUIRED without the extension: the answer names the address at which to pay over HTTP", async () => {
    const { key } = await service.account();
    const before = agent.activated.length;
    const task = await agent.send(key, { text: "pay basic" });
    expect([task.status.state, metadataOf(task)]).toEqual(["TASK_STATE_INPUT_REQUIRED", undefined]);
    expect(statusData(task)).toMatchObject({
      payment_required: priceOf(basic),
      http: { method: "POST", url: "http://beckon.test/api/v1/credits/x402", body: { pack: "basic" } },
      error: { code: "direct_payment_required", pack: "basic" },
    });
    expect(agent.activated).toHaveLength(before);
  });

  test("INPUT_REQUIRED: the pack is asked for first, and another can be chosen later", async () => {
    const { key } = await service.account();
    const task = await agent.send(key, { text: "pay" }, ASKED);
    expect(statusData(task)).toMatchObject({ issues: [{ path: "pack" }] });
    const priced = await agent.send(key, { taskId: task.id, data: { pack: "pro" } });
    expect(metadataOf(priced)).toMatchObject({ "x402.payment.required": priceOf(PACKS[1]) });
    const other = await agent.send(key, { taskId: task.id, text: "pay basic" });
    expect(metadataOf(other)).toMatchObject({ "x402.payment.required": priceOf(basic) });
  });

  test("REJECTED: without a credential the answer has the price, and the payment is not read", async () => {
    const task = await agent.send(undefined, { text: "pay basic", ...submitted({ nonce: "nobody" }) }, ASKED);
    expect([task.status.state, metadataOf(task), direct.presented]).toEqual(["TASK_STATE_REJECTED", undefined, []]);
    const [{ text }] = task.status.message!.parts as [{ text: string }];
    expect(text).toContain("Send a credential with the payment");
    expect(text).not.toContain("this task");
    expect(statusData(task)).toMatchObject({
      error: { code: "direct_payment_required" },
      payment_required: priceOf(basic),
      http: { method: "POST", body: { pack: "basic" } },
    });
  });

  test("REJECTED direct_payment_disabled: the deployment takes no direct payments, and does not activate the extension", async () => {
    const closed = new TestAgent({
      ...service,
      config: { ...service.config, direct: undefined },
      payments: { ...service.payments, direct: null },
    });
    const { key } = await service.account();
    expect(statusData(await closed.send(key, { text: "pay basic" }, ASKED))).toMatchObject({
      error: { code: "direct_payment_disabled" },
    });
    expect(closed.activated).toEqual([]);
  });
});

describe("a payment", () => {
  test("COMPLETED: the task has the order and the receipt; the payment itself is not stored", async () => {
    const { id, key, task, pay } = await asked();
    const done = await pay({ nonce: "paid", signature: "as good as money" });
    expect(done).toMatchObject({ id: task.id, status: { state: "TASK_STATE_COMPLETED" } });
    expect(metadataOf(done)).toEqual({
      "x402.payment.status": "payment-completed",
      "x402.payment.receipts": [settlementOf("paid")],
    });
    expect(resultOf(done)).toMatchObject({ order: { status: "paid" }, balance: 150 });
    expect(await balanceOf(id)).toBe(150);
    expect(await agent.task(key, done.id)).toEqual(done);
    expect(JSON.stringify(await db.q.select().from(db.t.tasks))).not.toContain("as good as money");
  });

  test("COMPLETED: the payment may be sent with the first message", async () => {
    const { id, key } = await service.account({ credits: 0 });
    const task = await agent.send(
      key,
      { data: { skill: "pay_direct", input: { pack: "basic" } }, ...submitted({ nonce: "first" }) },
      ASKED,
    );
    expect([task.status.state, await balanceOf(id)]).toEqual(["TASK_STATE_COMPLETED", 150]);
  });

  test("COMPLETED: the same payment in another task is a replay of the same order", async () => {
    const { id, key, pay } = await asked();
    const first = await pay({ nonce: "twice" });
    const again = await agent.send(key, { text: "pay basic", ...submitted({ nonce: "twice" }) });
    expect(resultOf(again)).toEqual(resultOf(first));
    expect(again.artifacts![0]!.metadata).toEqual({ "beckon/idempotent-replayed": true });
    expect(await balanceOf(id)).toBe(150);
  });

  test("the same message at two processes at once makes one purchase", async () => {
    const { id, key, task } = await asked();
    const message = messageOf({ taskId: task.id, text: "", ...submitted({ nonce: "race" }) });
    const [a, b] = await Promise.all([agent.send(key, message), new TestAgent(service).send(key, message)]);
    expect(a).toEqual(b);
    expect([a.status.state, await balanceOf(id)]).toEqual(["TASK_STATE_COMPLETED", 150]);
  });

  test.each([
    ["expired", "EXPIRED_PAYMENT"],
    ["invalid_signature", "INVALID_SIGNATURE"],
    ["insufficient_funds", "INSUFFICIENT_FUNDS"],
    ["already_used", "DUPLICATE_NONCE"],
    ["wrong_amount", "INVALID_AMOUNT"],
    ["transfer_failed", "SETTLEMENT_FAILED"],
    ["malformed", "SETTLEMENT_FAILED"],
  ])("FAILED %s: the error code is %s, with the receipt, and nothing is bought", async (reason, word) => {
    const { id, pay } = await asked();
    const task = await pay({ refuse: reason });
    expect([task.status.state, codeOf(task)]).toEqual(["TASK_STATE_FAILED", "payment_invalid"]);
    expect(metadataOf(task)).toMatchObject({
      "x402.payment.status": "payment-failed",
      "x402.payment.error": word,
      "x402.payment.receipts": [{ success: false, errorReason: reason }],
    });
    expect(await balanceOf(id)).toBe(0);
  });

  test.each([
    [DIRECT.network, "INVALID_AMOUNT"],
    ["eip155:1", "NETWORK_MISMATCH"],
  ])("FAILED offer_mismatch: accepted on %s is %s", async (network, word) => {
    const { pay } = await asked();
    expect(metadataOf(await pay({ refuse: "offer_mismatch", accepted: { network } }))).toMatchObject({
      "x402.payment.error": word,
    });
  });

  test.each([
    ["missing", undefined],
    ["null", null],
    ["too large", { nonce: "x".repeat(10_000) }],
  ])("INPUT_REQUIRED: a payment that is %s is not read, and the task keeps waiting", async (_, payload) => {
    const { id, pay } = await asked();
    const task = await pay(payload);
    expect([task.status.state, codeOf(task)]).toEqual(["TASK_STATE_INPUT_REQUIRED", "invalid_request"]);
    expect(metadataOf(task)).toMatchObject({ "x402.payment.status": "payment-required" });
    expect(direct.presented).toEqual([]);
    expect((await pay({ nonce: `after ${_}` })).status.state).toBe("TASK_STATE_COMPLETED");
    expect(await balanceOf(id)).toBe(150);
  });

  test("CANCELED: payment-rejected buys nothing", async () => {
    const { id, key, task } = await asked();
    const declined = { taskId: task.id, text: "No.", metadata: { "x402.payment.status": "payment-rejected" } };
    const done = await agent.send(key, declined);
    expect([done.status.state, metadataOf(done)]).toEqual([
      "TASK_STATE_CANCELED",
      { "x402.payment.status": "payment-rejected" },
    ]);
    expect([await balanceOf(id), direct.presented]).toEqual([0, []]);
  });

  test("a payment sent with another skill is ignored", async () => {
    const { key } = await service.account();
    const task = await agent.send(key, { text: "balance", ...submitted({ nonce: "aside" }) });
    expect([task.status.state, direct.presented]).toEqual(["TASK_STATE_COMPLETED", []]);
  });

  test("403 insufficient_scope: the payment is not read", async () => {
    const { key } = await service.account({ scopes: ["read"] });
    const thrown = await agent
      .send(key, { text: "pay basic", ...submitted({ nonce: "scope" }) })
      .catch((reason) => reason);
    expect([thrown.code, direct.presented]).toEqual(["insufficient_scope", []]);
  });
});

describe("a payment whose outcome is not known yet", () => {
  test.each<ErrorCode>(["settlement_pending", "idempotency_in_flight", "unavailable"])(
    "INPUT_REQUIRED %s: the same payment may be sent again, and buys once",
    async (code) => {
      const { id, pay } = await asked();
      direct.first.push(code);
      const waiting = await pay({ nonce: code });
      expect([waiting.status.state, codeOf(waiting)]).toEqual(["TASK_STATE_INPUT_REQUIRED", code]);
      expect(metadataOf(waiting)).toEqual({ "x402.payment.status": "payment-submitted" });
      expect((await pay({ nonce: code })).status.state).toBe("TASK_STATE_COMPLETED");
      expect(await balanceOf(id)).toBe(150);
    },
  );

  test("cannot be cancelled, declined, or changed to another price", async () => {
    const { key, task, pay } = await asked();
    direct.first.push("settlement_pending");
    await pay({ nonce: "held" });
    await expect(agent.cancel(key, task.id)).rejects.toThrow(TaskNotCancelableError);
    for (const saying of [
      { text: "No.", metadata: { "x402.payment.status": "payment-rejected" } },
      { text: "pay pro" },
      { data: { pack: "pro" } },
      { text: "balance" },
    ]) {
      const still = await agent.send(key, { taskId: task.id, ...saying });
      expect(metadataOf(still)).toEqual({ "x402.payment.status": "payment-submitted" });
    }
    expect((await pay({ nonce: "held" })).status.state).toBe("TASK_STATE_COMPLETED");
  });

  test("can be cancelled if it was not submitted", async () => {
    const { key, task, pay } = await asked();
    direct.first.push("unavailable");
    await pay({ nonce: "not taken" });
    expect((await agent.cancel(key, task.id)).status.state).toBe("TASK_STATE_CANCELED");
  });
});

test("every payment_invalid reason of the service maps to an error code of the extension", () => {
  for (const reason of Object.keys(ERROR_CODES)) expect(REASONS).toHaveProperty(reason);
});

describe("on a chain", () => {
  test("the price is signed and paid in the task; an expired payment is refused with the extension's error code", async () => {
    const world = await DirectWorld.open();
    const { siteUrl } = world.config;
    const shop = await testService({ config: { direct: world.config.direct!, siteUrl } });
    try {
      const buyer = new TestAgent({ ...shop, payments: { cards: null, direct: world.start({ db: shop.db }) } });
      const { id, key } = await shop.account({ credits: 0 });
      const task = await buyer.send(key, { text: "pay basic" }, ASKED);
      const required = metadataOf(task)!["x402.payment.required"] as { accepts: [typeof world.requirements] };
      const signed = world.wallet.pay(required.accepts[0], world.clock.now());
      const done = await buyer.send(key, { taskId: task.id, text: "", ...submitted(signed) });
      expect(done.status.state).toBe("TASK_STATE_COMPLETED");
      expect(metadataOf(done)).toMatchObject({
        "x402.payment.receipts": [{ success: true, payer: expect.any(String) }],
      });
      expect((await stateOf(shop.db, id)).balance).toBe(150);

      const second = await buyer.send(key, { text: "pay basic" }, ASKED);
      const late = world.wallet.pay(required.accepts[0], world.clock.now() - 60 * MINUTE);
      const failed = await buyer.send(key, { taskId: second.id, text: "", ...submitted(late) });
      expect(metadataOf(failed)).toMatchObject({ "x402.payment.error": "EXPIRED_PAYMENT" });
      expect((await stateOf(shop.db, id)).balance).toBe(150);
    } finally {
      await shop.close();
    }
  });
});
