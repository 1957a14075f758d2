import { describe, expect, test } from "vitest";
import { TIMEOUTS, type Timeouts } from "../../../../../../src/domain/payments/direct/settlement/timeouts.ts";
import { MINUTE } from "../../../../../../src/platform/clock.ts";
import { eachDirectWorld } from "../../../../../support/payments/each-direct-world.ts";
import type { FacilitatorBehaviour } from "../../../../../support/payments/memory-facilitator.ts";

let account: string;
const world = eachDirectWorld(async () => {
  account = await world.account();
});

const credits = () => world.store.balance(account);
const response = (headers: Readonly<Record<string, string>>) => JSON.parse(atob(headers["PAYMENT-RESPONSE"]!));

describe("whatever the facilitator answers, the chain is checked", () => {
  test.each<[FacilitatorBehaviour, outcome: string, state: string]>([
    ["honest", "paid", "credited"],
    ["loses answer", "paid", "credited"],
    ["false refusal", "paid", "credited"],
    ["unreachable", "settlement_pending", "submitted"],
    ["false success", "settlement_pending", "submitted"],
    ["throws", "settlement_pending", "submitted"],
    ["refuses", "refused_by_facilitator", "refused"],
  ])("%s: %s", async (behaviour, outcome, state) => {
    world.facilitator.behaviour = behaviour;
    const signed = world.sign();
    const bought = await world.buy(account, signed);
    expect([bought.outcome, await world.stateOf(signed)]).toEqual([outcome, state]);
    expect(await credits()).toBe(outcome === "paid" ? 150 : 0);
    expect(world.facilitator.settled).toHaveLength(1);
    expect(world.logged.error).toEqual(behaviour === "throws" ? ["a facilitator failed"] : []);
    if (outcome === "settlement_pending") expect(bought.headers).toEqual({ "Retry-After": "5" });
  });

  test.each<[FacilitatorBehaviour, string]>([
    ["honest", "paid"],
    ["refuses", "settlement_pending"],
  ])("%s, and the answer comes too late: %s", async (behaviour, outcome) => {
    world.facilitator.behaviour = behaviour;
    let waited = 0;
    // The second work that is waited for is settling.
    const timeouts: Timeouts = {
      ...world.timeouts,
      within: async (work) => (await work) && (++waited === 2 ? null : work),
    };
    const direct = world.start({ timeouts });
    expect((await world.buy(account, world.sign(), { direct })).outcome).toBe(outcome);
    expect(waited).toBe(2);
  });
});

test("402 payment_invalid: PAYMENT-RESPONSE has the facilitator's refusal, with the price", async () => {
  world.facilitator.behaviour = "refuses";
  const { refusal, headers } = await world.buy(account, world.sign());
  expect(refusal!.fields).toMatchObject({ reason: "refused_by_facilitator", pack: "basic", amount: "9990000" });
  expect(refusal!.message).toMatch(/^The payment was not accepted\. The facilitator .* sign a new payment\.$/);
  expect(response(headers)).toMatchObject({ success: false, errorReason: "refused_by_facilitator", transaction: "" });
  expect(JSON.parse(atob(headers["PAYMENT-REQUIRED"]!)).error).toBe("refused_by_facilitator");
});

describe("how long a call waits for the chain", () => {
  const paused = async (behaviour: FacilitatorBehaviour, isAway = false) => {
    const pauses: number[] = [];
    const sleep = async (ms: number) => pauses.push(ms);
    world.facilitator.behaviour = behaviour;
    world.facilitator.before = (asked) => {
      world.chain.isAway = isAway && asked === "settle";
    };
    await world.buy(account, world.sign(), { direct: world.start({ timeouts: { ...world.timeouts, sleep } }) });
    world.chain.isAway = false;
    return pauses;
  };

  test("some seconds if the payment may be on its way", async () => {
    expect(await paused("unreachable")).toEqual(TIMEOUTS.pauses);
  });

  test("a moment if it was refused", async () => {
    expect(await paused("refuses")).toEqual(TIMEOUTS.pausesAfterRefusal);
  });

  test("some seconds if it was refused and the chain does not answer", async () => {
    expect(await paused("refuses", true)).toEqual(TIMEOUTS.pauses.slice(0, 1));
  });

  test("not at all if it is there already", async () => {
    expect(await paused("honest")).toEqual([]);
  });

  test("until the chain has failed to answer twice", async () => {
    expect(await paused("honest", true)).toHaveLength(1);
    await world.direct.reconcile();
  });
});

describe("503 settlement_pending: the outcome is unknown, and the same call continues", () => {
  test("it was never submitted, and is submitted now", async () => {
    world.facilitator.behaviour = "unreachable";
    const signed = world.sign();
    await world.buy(account, signed);
    world.facilitator.behaviour = "honest";
    expect(await world.buy(account, signed)).toMatchObject({ outcome: "paid", isReplay: false });
    expect([world.facilitator.verified.length, world.facilitator.settled.length]).toEqual([1, 2]);
  });

  test("it was submitted before, and a refusal of the facilitator is not believed", async () => {
    world.facilitator.behaviour = "unreachable";
    const signed = world.sign();
    await world.buy(account, signed);
    world.facilitator.behaviour = "refuses";
    expect((await world.buy(account, signed)).outcome).toBe("settlement_pending");
    expect([await world.stateOf(signed), world.facilitator.settled.length]).toEqual(["submitted", 2]);
  });

  test("its lease begins again once the facilitator has answered", async () => {
    world.facilitator.behaviour = "unreachable";
    const signed = world.sign();
    world.facilitator.before = (asked) => world.clock.pass(asked === "settle" ? MINUTE : 0);
    const leases: number[] = [];
    const sleep = async () => void leases.push((await world.rowOf(signed))!.lockedUntil! - world.clock.now());
    await world.buy(account, signed, { direct: world.start({ timeouts: { ...world.timeouts, sleep } }) });
    expect(new Set(leases)).toEqual(new Set([2 * MINUTE]));
  });

  test("it is pending, and not submitted again once it is in a block", async () => {
    world.chain.automine = false;
    const signed = world.sign();
    const direct = world.start({ timeouts: { ...world.timeouts, sleep: async () => undefined } });
    expect((await world.buy(account, signed, { direct })).outcome).toBe("settlement_pending");
    world.chain.mine();
    expect((await world.buy(account, signed, { direct })).outcome).toBe("paid");
    expect(world.facilitator.settled).toHaveLength(1);
  });

  test("it is pending for a moment, and the call waits for it", async () => {
    world.chain.automine = false;
    expect((await world.buy(account, world.sign())).outcome).toBe("paid");
  });

  test("the chain does not answer after it was submitted, and it is found when the chain is back", async () => {
    const signed = world.sign();
    world.chain.before = () => {
      if (world.facilitator.settled.length > 0) world.chain.isAway = true;
    };
    expect((await world.buy(account, signed)).outcome).toBe("settlement_pending");
    expect((await world.buy(account, signed)).outcome).toBe("settlement_pending");
    expect(await world.stateOf(signed)).toBe("submitted");
    world.chain.before = () => undefined;
    world.chain.isAway = false;
    expect((await world.buy(account, signed)).outcome).toBe("paid");
    expect(world.facilitator.settled).toHaveLength(1);
  });

  test("the chain does not answer for a moment, and the call waits", async () => {
    const signed = world.sign();
    let chainCalls = 0;
    world.chain.before = () => {
      world.chain.isAway = world.facilitator.settled.length > 0 && ++chainCalls === 1;
    };
    expect((await world.buy(account, signed)).outcome).toBe("paid");
  });

  test("the chain does not answer for a moment, and the call waits for its block", async () => {
    world.chain.automine = false;
    let looks = 0;
    world.chain.before = (asked) => {
      if (asked === "latest" && world.facilitator.settled.length > 0) world.chain.isAway = ++looks === 1;
    };
    let pauses = 0;
    const sleep = async () => {
      if (++pauses === 2) world.chain.mine();
    };
    const direct = world.start({ timeouts: { ...world.timeouts, sleep } });
    expect((await world.buy(account, world.sign(), { direct })).outcome).toBe("paid");
    expect(pauses).toBe(2);
  });

  test("500: an error on our side is not taken for a chain that does not answer", async () => {
    world.facilitator.behaviour = "unreachable";
    world.chain.before = () => {
      if (world.facilitator.settled.length > 0) throw new TypeError("ours");
    };
    await expect(world.buy(account, world.sign())).rejects.toThrow(TypeError);
  });

  test("a refusal of the facilitator does not count while the chain does not answer", async () => {
    world.facilitator.behaviour = "refuses";
    const signed = world.sign();
    world.chain.before = () => {
      world.chain.isAway = world.facilitator.settled.length > 0;
    };
    expect((await world.buy(account, signed)).outcome).toBe("settlement_pending");
    expect(await world.stateOf(signed)).toBe("submitted");
  });
});
