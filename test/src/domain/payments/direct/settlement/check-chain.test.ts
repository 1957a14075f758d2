import { describe, expect, test } from "vitest";
import { MINUTE } from "../../../../../../src/platform/clock.ts";
import type { Signed } from "../../../../../support/payments/direct.ts";
import { eachDirectWorld } from "../../../../../support/payments/each-direct-world.ts";
import { nodeOf } from "../../../../../support/payments/memory-chain.ts";
import { authorizationOf } from "../../../../../support/payments/memory-facilitator.ts";

let account: string;
const world = eachDirectWorld(async () => {
  account = await world.account();
});

const credits = () => world.store.balance(account);

describe("how deep it stands", () => {
  test("its block is not deep enough", async () => {
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

  test("blocks come while the call waits", async () => {
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

describe("used up, and by what", () => {
  test("used, and no transfer to be seen: void only when it looks the same some blocks later", async () => {
    const signed = world.sign();
    let blind = 1;
    const { chain } = world;
    const half = nodeOf(chain, {
      // A node that has the state of a block and not yet its logs.
      transferOf: async (wanted, since) => (blind-- > 0 ? null : chain.transferOf(wanted, since)),
    });
    expect((await world.buy(account, signed, { direct: world.start({ chain: half }) })).outcome).toBe("paid");
  });

  test("two payments of one transaction, and one transfer: the one that it is not of is void", async () => {
    world.facilitator.manner = "never";
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

  test("a chain that names one transfer for two payments pays for one", async () => {
    const [first, second] = [world.sign(), world.sign()];
    const { chain } = world;
    await world.buy(account, first);
    const { hash, block, transfer } = (await world.rowOf(first))!;
    world.facilitator.manner = "never";
    await world.buy(account, second);
    const lying = nodeOf(chain, {
      isUsed: async () => true,
      transferOf: async () => ({ hash: hash!, block: block!, id: transfer! }),
    });
    expect((await world.buy(account, second, { direct: world.start({ chain: lying }) })).outcome).toBe("already_used");
    expect(world.logged.error).toEqual(["the chain names one transfer for two payments"]);
    expect(await credits()).toBe(150);
  });
});

describe("a node that knows too little", () => {
  const left = async () => {
    world.facilitator.manner = "lost answer";
    const away = nodeOf(world.chain, { isUsed: async () => false });
    const signed = world.sign();
    await world.buy(account, signed, { direct: world.start({ chain: away }) });
    expect(await world.stateOf(signed)).toBe("submitted");
    world.clock.pass(10 * MINUTE);
    world.chain.mine();
    return signed;
  };

  test("that it is not used is not enough to call it expired: its transfer is looked for", async () => {
    const signed = await left();
    await world.start({ chain: nodeOf(world.chain, { isUsed: async () => false }) }).reconcile();
    expect(await world.stateOf(signed)).toBe("credited");
  });

  test("what is used is not expired, though its transfer is not to be seen", async () => {
    const signed = await left();
    await world.start({ chain: nodeOf(world.chain, { transferOf: async () => null }) }).reconcile();
    expect(await world.stateOf(signed)).toBe("submitted");
    await world.direct.reconcile();
    expect(await world.stateOf(signed)).toBe("credited");
  });
});

test.each([
  [10, 0],
  [100, 36],
])(
  "handed over at height %i, it is looked for from height %i on: a reorganisation may move it down",
  async (height, from) => {
    world.chain.mine(height - world.chain.height);
    const asked: number[] = [];
    const { chain } = world;
    const watched = nodeOf(chain, {
      transferOf: async (wanted, since) => {
        asked.push(since);
        return chain.transferOf(wanted, since);
      },
    });
    expect((await world.buy(account, world.sign(), { direct: world.start({ chain: watched }) })).outcome).toBe("paid");
    expect(asked).toEqual([from]);
  },
);
