import { describe, expect, test } from "vitest";
import { MINUTE } from "../../../../../../src/platform/clock.ts";
import { LIMITS } from "../../../../../../src/platform/limits.ts";
import type { PurchaseResult } from "../../../../../support/payments/direct-world.ts";
import { eachDirectWorld } from "../../../../../support/payments/each-direct-world.ts";
import { MemoryWallet } from "../../../../../support/payments/memory-wallet.ts";

let account: string;
let other: string;
const world = eachDirectWorld(async () => {
  account = await world.account();
  other = await world.account();
});

/** Stands in the way until it is opened. */
function gate() {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

/** Begins a call that is held up while its payment is verified, or settled. */
async function holdUp(accountId: string, signed: unknown, moment: "verify" | "settle") {
  const { passed, open } = gate();
  let isHeld = false;
  world.facilitator.before = (asked) => {
    if (asked !== moment || isHeld) return undefined;
    isHeld = true;
    return passed;
  };
  const bought = world.buy(accountId, signed);
  await expect.poll(() => isHeld, { interval: 1, timeout: 30_000 }).toBe(true);
  return { bought, open };
}

describe("forty copies of one payment at once", () => {
  test.each([
    ["by one account", () => [account]],
    ["by two accounts", () => [account, other]],
    ["by two accounts in two processes", () => [account, other]],
  ])("%s: one is submitted, and one order is created", async (name, accounts) => {
    const signed = world.sign();
    const directs = name.includes("processes") ? [world.direct, world.start()] : [world.direct];
    const copies = Array.from({ length: 40 }, (_, i) =>
      world.buy(accounts()[i % accounts().length]!, signed, { direct: directs[(i >> 1) % directs.length]! }),
    );
    const all = await Promise.all(copies);
    expect([world.facilitator.verified.length, world.facilitator.settled.length]).toEqual([1, 1]);
    const orders = new Set(all.filter(({ outcome }) => outcome === "paid").map(({ order }) => order!.id));
    expect(orders.size).toBe(1);
    const outcomes = new Set(all.map(({ outcome }) => outcome));
    for (const outcome of outcomes) expect(["paid", "idempotency_in_flight", "already_used"]).toContain(outcome);
    const again = await Promise.all(accounts().map((one) => world.buy(one, signed)));
    const results = again.map(({ outcome, isReplay }) => `${outcome} ${isReplay}`).sort();
    expect(results).toEqual(accounts().length === 1 ? ["paid true"] : ["already_used false", "paid true"]);
    expect((await world.store.balance(account)) + (await world.store.balance(other))).toBe(150);
  });

  test("invalid copies are verified one at a time, and none is stored", async () => {
    const signed = world.sign({}, new MemoryWallet("poor"));
    const all = await Promise.all(Array.from({ length: 40 }, () => world.buy(account, signed)));
    for (const { outcome } of all) expect(["insufficient_funds", "idempotency_in_flight"]).toContain(outcome);
    expect(await world.rows()).toEqual([]);
  });
});

describe("409 idempotency_in_flight: another call works on the payment", () => {
  test.each(["verify", "settle"] as const)("while that call waits at %s", async (moment) => {
    const signed = world.sign();
    const { bought, open } = await holdUp(account, signed, moment);
    const { outcome, headers } = await world.buy(account, signed);
    expect([outcome, headers]).toEqual(["idempotency_in_flight", { "Retry-After": "2" }]);
    const stranger = await world.buy(other, signed);
    expect(stranger.outcome).toBe(moment === "verify" ? "idempotency_in_flight" : "already_used");
    open();
    expect((await bought).outcome).toBe("paid");
  });
});

describe("a call that is paused past its lease", () => {
  test("before it submitted: the next call takes the payment over, and the late one can write nothing", async () => {
    const signed = world.sign();
    const { bought, open } = await holdUp(account, signed, "verify");
    world.clock.pass(3 * MINUTE);
    expect((await world.buy(other, signed)).outcome).toBe("paid");
    open();
    expect((await bought).outcome).toBe("idempotency_in_flight");
    expect([await world.store.balance(account), await world.store.balance(other)]).toEqual([0, 150]);
    expect(world.facilitator.settled).toHaveLength(1);
  });

  test("while it submitted: the next call continues, and one transfer is credited once", async () => {
    const signed = world.sign();
    const { bought, open } = await holdUp(account, signed, "settle");
    world.clock.pass(3 * MINUTE);
    expect((await world.buy(account, signed)).outcome).toBe("paid");
    open();
    const late: PurchaseResult = await bought;
    expect(late.outcome).toBe("idempotency_in_flight");
    expect([await world.store.balance(account), world.received]).toEqual([150, 9_990_000n]);
  });

  test("a call that fails late does not release the lease of another", async () => {
    const signed = world.sign();
    const { bought, open } = await holdUp(account, signed, "verify");
    world.clock.pass(3 * MINUTE);
    const second = await holdUp(other, signed, "verify");
    world.facilitator.isSilent = true;
    open();
    expect((await bought).outcome).toBe("unavailable");
    world.facilitator.isSilent = false;
    expect(await world.rowOf(signed)).toMatchObject({ state: "claimed", accountId: other });
    second.open();
    expect((await second.bought).outcome).toBe("paid");
  });
});

describe("429 rate_limited: failed payments are counted", () => {
  const { count } = LIMITS.failed_payments;
  const poor = new MemoryWallet("poor");
  const fail = () => world.buy(account, world.sign({}, poor));

  test(`after ${count} in ten minutes nothing is called any more, until the ten minutes are over`, async () => {
    for (let i = 0; i < count; i++) expect((await fail()).outcome).toBe("insufficient_funds");
    const { outcome, headers } = await world.buy(account, world.sign());
    expect([outcome, headers]).toEqual(["rate_limited", { "Retry-After": expect.stringMatching(/^\d+$/) }]);
    expect(world.facilitator.verified).toHaveLength(count);
    expect(await world.rows()).toEqual([]);
    expect((await world.buy(other, world.sign())).outcome).toBe("paid");
    world.clock.pass(10 * MINUTE);
    expect((await world.buy(account, world.sign())).outcome).toBe("paid");
  });

  test("successful payments, failures of a facilitator to answer, and simultaneous copies are not counted", async () => {
    const { windows } = world.db.t;
    const counted = async () => (await world.db.q.select().from(windows)).reduce((sum, row) => sum + row.count, 0);
    const signed = world.sign();
    await world.buy(account, signed);
    await world.buy(account, signed);
    world.facilitator.isSilent = true;
    await world.buy(account, world.sign());
    world.facilitator.isSilent = false;
    const { bought, open } = await holdUp(account, world.sign(), "settle");
    open();
    await bought;
    expect(await counted()).toBe(0);
    await fail();
    world.facilitator.behaviour = "refuses";
    await world.buy(account, world.sign());
    expect(await counted()).toBe(2);
  });

  test("submitting one payment again and again is counted too", async () => {
    world.facilitator.behaviour = "refuses";
    const signed = world.sign();
    for (let i = 0; i < count; i++) expect((await world.buy(account, signed)).outcome).toBe("refused_by_facilitator");
    expect((await world.buy(account, signed)).outcome).toBe("rate_limited");
    expect(await world.rowOf(signed)).toMatchObject({ owner: null });
  });
});
