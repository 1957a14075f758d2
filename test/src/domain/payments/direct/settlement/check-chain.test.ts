import { describe, expect, test } from "vitest";
import { MINUTE } from "../../../../../../src/platform/clock.ts";
import type { Signed } from "../../../../../support/payments/direct-world.ts";
import { eachDirectWorld } from "../../../../../support/payments/each-direct-world.ts";
import { authorizationOf } from "../../../../../support/payments/memory-facilitator.ts";
import { nodeOf } from "../../../../../support/payments/memory-node.ts";

let account: string;
const world = eachDirectWorld(async () => {
  account = await world.account();
});

const credits = () => world.store.balance(account);

describe("the depth of its block", () => {
  test("503: its block is not deep enough", async () => {
    const signed = world.sign();
    const still = { ...world.timeouts, sleep: async () => undefined };
    const direct = world.start({ confirmations: 3, timeouts: still });
    expect((await world.buy(account, signed, { direct })).outcome).toBe("settlement_pending");
    expect(await world.rowOf(signed)).toMatchObject({ state: "submitted", hash: null, transfer: null, owner: null });
    expect(world.received).toBe(9_990_000n);
    world.chain.mine();
    expect((await world.buy(account, signed, { direct })).outcome).toBe("settlement_pending");
    world.chain.mine();
    expect((await world.buy(account, signed, { direct })).outcome).toBe("paid");
  });

  test("new blocks come while the call waits", async () => {
    const direct = world.start({ confirmations: 4 });
    expect((await world.buy(account, world.sign(), { direct })).outcome).toBe("paid");
  });

  test("the node that answers lags behind", async () => {
    const signed = world.sign();
    world.chain.lag = 2;
    const still = { ...world.timeouts, sleep: async () => undefined };
    const direct = world.start({ timeouts: still });
    world.chain.mine(2);
    expect((await world.buy(account, signed, { direct })).outcome).toBe("settlement_pending");
    world.chain.lag = 0;
    expect((await world.buy(account, signed, { direct })).outcome).toBe("paid");
  });
});

describe("the authorization is used", () => {
  test("503, never 402: no log shows its transfer, however many blocks later; then it is credited", async () => {
    const signed = world.sign();
    world.facilitator.handedOver = () => {
      world.chain.logLag = 100;
    };
    expect((await world.buy(account, signed)).outcome).toBe("settlement_pending");
    world.clock.pass(10 * MINUTE);
    world.chain.mine(50);
    await world.direct.reconcile();
    expect((await world.buy(account, signed)).outcome).toBe("settlement_pending");
    world.chain.logLag = 0;
    await world.direct.reconcile();
    expect([await world.stateOf(signed), await credits()]).toEqual(["credited", 150]);
  });

  test("402 already_used: the event that cancelled it is deep enough, and not before", async () => {
    world.facilitator.behaviour = "unreachable";
    const signed = world.sign();
    const still = { ...world.timeouts, sleep: async () => undefined };
    const direct = world.start({ confirmations: 2, timeouts: still });
    await world.buy(account, signed, { direct });
    world.cancel(signed);
    expect((await world.buy(account, signed, { direct })).outcome).toBe("settlement_pending");
    world.chain.mine();
    expect((await world.buy(account, signed, { direct })).outcome).toBe("already_used");
    expect(await world.stateOf(signed)).toBe("void");
  });

  test("two payments and one transfer in a transaction: the payment without the transfer is void", async () => {
    world.facilitator.behaviour = "unreachable";
    const [paid, unpaid] = [world.sign(), world.sign()];
    await world.buy(account, paid);
    await world.buy(account, unpaid);
    const used = (signed: Signed) => {
      const { from, nonce } = authorizationOf(signed);
      return { event: "AuthorizationUsed", from, nonce } as const;
    };
    const { from, to, value } = authorizationOf(paid);
    const transfer = { event: "Transfer", from, to, value } as const;
    world.chain.submit({ call: "anything", logs: [used(unpaid), used(paid), transfer] });
    expect((await world.buy(account, paid)).outcome).toBe("paid");
    expect((await world.buy(account, unpaid)).outcome).toBe("already_used");
    expect([await world.stateOf(unpaid), await credits()]).toEqual(["void", 150]);
  });

  test("a chain that names one transfer for two payments pays for one of them", async () => {
    const [first, second] = [world.sign(), world.sign()];
    const { chain } = world;
    await world.buy(account, first);
    const { hash, block, transfer } = (await world.rowOf(first))!;
    world.facilitator.behaviour = "unreachable";
    await world.buy(account, second);
    const lying = nodeOf(chain, {
      authorizationState: async () => ({ isUsed: true, use: { hash: hash!, block: block!, transfer } }),
    });
    expect((await world.buy(account, second, { direct: world.start({ chain: lying }) })).outcome).toBe("already_used");
    expect(world.logged.error).toEqual(["the chain names one transfer for two payments"]);
    expect(await world.rowOf(second)).toMatchObject({ state: "void", hash: null, transfer: null });
    expect(await credits()).toBe(150);
  });
});

describe("a node that lags", () => {
  test("503, never 402: its state is read as of the block whose time is past, so what it does not know yet stays open", async () => {
    world.facilitator.behaviour = "loses answer";
    const signed = world.sign();
    world.chain.lag = 3;
    world.chain.mine(3);
    const still = { ...world.timeouts, sleep: async () => undefined };
    const direct = world.start({ timeouts: still });
    expect((await world.buy(account, signed, { direct })).outcome).toBe("settlement_pending");
    world.clock.pass(10 * MINUTE);
    await direct.reconcile();
    expect(await world.stateOf(signed)).toBe("submitted");
    world.chain.mine(3);
    await direct.reconcile();
    expect([await world.stateOf(signed), await credits()]).toEqual(["credited", 150]);
  });

  test("503, never 402: a used payment is not expired, even if no log shows it", async () => {
    world.facilitator.behaviour = "loses answer";
    const signed = world.sign();
    world.chain.logLag = 1000;
    await world.buy(account, signed);
    world.clock.pass(10 * MINUTE);
    world.chain.mine();
    await world.direct.reconcile();
    expect(await world.stateOf(signed)).toBe("submitted");
    world.chain.logLag = 0;
    await world.direct.reconcile();
    expect(await world.stateOf(signed)).toBe("credited");
  });
});

test("a payment that was found before is looked for in its transaction first", async () => {
  const seen: unknown[] = [];
  const { chain } = world;
  const watched = nodeOf(chain, {
    authorizationState: async (search) => {
      seen.push(search.lastSeenIn);
      return chain.authorizationState(search);
    },
  });
  const direct = world.start({ chain: watched });
  const signed = world.sign();
  await world.buy(account, signed, { direct });
  expect(seen.splice(0)).toEqual([undefined, undefined]);
  chain.mine(100);
  await direct.reconcile();
  expect(seen).toEqual([(await world.rowOf(signed))!.hash]);
});

test.each([
  [10, 0],
  [100, 36],
])(
  "submitted at height %i, it is looked for from height %i on, since a reorganisation may move it down",
  async (height, from) => {
    world.chain.mine(height - world.chain.height);
    const heights: number[] = [];
    const { chain } = world;
    const watched = nodeOf(chain, {
      authorizationState: async (search) => {
        if (search.since !== search.at.number) heights.push(search.since);
        return chain.authorizationState(search);
      },
    });
    expect((await world.buy(account, world.sign(), { direct: world.start({ chain: watched }) })).outcome).toBe("paid");
    expect(heights).toEqual([from]);
  },
);
