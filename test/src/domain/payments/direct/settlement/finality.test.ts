import { describe, expect, test } from "vitest";
import { isPaid, orderOf } from "../../../../../../src/domain/payments/orders/orders.ts";
import { DAY, MINUTE, SECOND } from "../../../../../../src/platform/clock.ts";
import type { Signed } from "../../../../../support/payments/direct-world.ts";
import { eachDirectWorld } from "../../../../../support/payments/each-direct-world.ts";
import { MemoryChain } from "../../../../../support/payments/memory-chain.ts";
import { nodeOf } from "../../../../../support/payments/memory-node.ts";

let account: string;
let signed: Signed;
const world = eachDirectWorld(async () => {
  world.chain.finality = 3;
  account = await world.account();
  signed = world.sign();
  expect((await world.buy(account, signed)).outcome).toBe("paid");
});

/** Lets blocks come until what stood is final, and makes a round. */
async function round(): Promise<void> {
  world.chain.mine(4);
  await world.direct.reconcile();
}

/** Two rounds, some blocks apart. */
async function settleDown(): Promise<void> {
  await round();
  await round();
}

/** Its block is replaced by one without it, which is final at once, as are those that follow; the transaction waits. */
async function vanish(): Promise<void> {
  world.chain.reorganise(1, "waits again");
  world.chain.finality = 0;
  await world.direct.reconcile();
  world.chain.mineEmpty(3);
  await world.direct.reconcile();
}

/** The very same transaction is in the next block, which is not final yet. */
async function land(): Promise<void> {
  world.chain.finality = 1;
  world.chain.mine();
  await world.direct.reconcile();
}

const standing = async () => {
  const row = (await world.rowOf(signed))!;
  const order = (await orderOf(world.db, account, row.orderId!))!;
  return [row.state, order.status, await world.store.balance(account)];
};
/** What made each entry of the ledger, the oldest first. */
const sources = async () => {
  const { ledger } = world.db.t;
  return (await world.db.q.select().from(ledger).orderBy(ledger.no)).map(({ source }) => source);
};
const ledger = async () => (await world.store.ledger(account)).map(([kind, credits]) => `${kind} ${credits}`);

test("a payment is final once its block is, and is never checked again", async () => {
  world.chain.mine(2);
  await world.direct.reconcile();
  expect(await standing()).toEqual(["credited", "paid", 150]);
  world.chain.mine();
  await world.direct.reconcile();
  expect(await standing()).toEqual(["final", "paid", 150]);
  world.chain.before = () => {
    throw new Error("asked");
  };
  await world.direct.reconcile();
  expect(await world.buy(account, signed)).toMatchObject({ outcome: "paid", isReplay: true });
  expect(await standing()).toEqual(["final", "paid", 150]);
});

test("if the chain does not report finality, it is final 64 blocks later", async () => {
  world.chain.finality = null;
  world.chain.mine(63);
  await world.direct.reconcile();
  expect(await standing()).toEqual(["credited", "paid", 150]);
  world.chain.mine();
  await world.direct.reconcile();
  expect(await standing()).toEqual(["final", "paid", 150]);
});

test("a reorganisation moves it into another block: the journal follows, and nothing is booked", async () => {
  const { block } = (await world.rowOf(signed))!;
  world.chain.reorganise(1, "waits again");
  world.chain.mine();
  await round();
  const moved = (await world.rowOf(signed))!;
  expect(moved).toMatchObject({ state: "credited", block: block! + 1 });
  await settleDown();
  expect(await standing()).toEqual(["final", "paid", 150]);
  expect(await ledger()).toEqual(["purchase 150"]);
});

test("another transaction has brought it: the order names that one", async () => {
  world.chain.reorganise(1, "is lost");
  const hash = world.submitAsThirdParty(signed);
  await settleDown();
  const row = (await world.rowOf(signed))!;
  const order = (await orderOf(world.db, account, row.orderId!))!;
  expect([row.hash, JSON.parse(order.transaction!).hash]).toEqual([hash, hash]);
  const { headers } = await world.buy(account, signed);
  expect(JSON.parse(atob(headers["PAYMENT-RESPONSE"]!)).transaction).toBe(hash);
});

test("another log of another transaction has brought it, in a block of that height: the journal follows", async () => {
  const { block } = (await world.rowOf(signed))!;
  const use = { hash: `0x${"a".repeat(64)}`, block: block!, transfer: `0x${"a".repeat(64)}/7` };
  world.chain.mine(4);
  const moved = nodeOf(world.chain, { authorizationState: async () => ({ isUsed: true, use }) });
  await world.start({ chain: moved }).reconcile();
  expect(await world.rowOf(signed)).toMatchObject({ state: "credited", ...use });
});

test("it vanishes: its credits are taken back, its order fails, and the operator is notified", async () => {
  world.chain.reorganise(1, "is lost");
  await settleDown();
  expect(await standing()).toEqual(["submitted", "failed", 0]);
  expect(await ledger()).toEqual(["purchase 150", "adjustment -150"]);
  expect(await isPaid(world.db, account)).toBe(false);
  expect(world.logged.error).toEqual(["a payment has vanished from its chain; its credits are taken back"]);
  world.clock.pass(10 * MINUTE);
  await settleDown();
  expect(await standing()).toEqual(["expired", "failed", 0]);
  expect((await world.buy(account, signed)).outcome).toBe("expired");
});

describe("a single check takes nothing back", () => {
  test("what is gone once is checked again, and taken back no sooner than 3 final blocks later", async () => {
    world.chain.reorganise(1, "is lost");
    world.chain.mine(9);
    await world.direct.reconcile();
    for (let block = 0; block < 3; block++) {
      await world.direct.reconcile();
      expect(await standing()).toEqual(["credited", "paid", 150]);
      world.chain.mine();
    }
    await world.direct.reconcile();
    expect(await standing()).toEqual(["submitted", "failed", 0]);
  });

  test("what was gone once and is there the next time is final", async () => {
    const gone = nodeOf(world.chain, { authorizationState: async () => ({ isUsed: false, use: null }) });
    world.chain.mine(4);
    await world.start({ chain: gone }).reconcile();
    expect(await world.rowOf(signed)).toMatchObject({ state: "credited", missingSince: world.chain.height - 3 });
    await round();
    expect(await world.rowOf(signed)).toMatchObject({ state: "final", missingSince: null });
  });

  test("an authorization that is used, but whose log is missing, is not gone, since logs may lag", async () => {
    world.chain.mine(4);
    world.chain.logLag = 1000;
    for (let look = 0; look < 5; look++) await round();
    expect(await standing()).toEqual(["credited", "paid", 150]);
    world.chain.logLag = 0;
    await world.direct.reconcile();
    expect(await standing()).toEqual(["final", "paid", 150]);
  });

  test("a node of another chain takes nothing back, and the operator is notified", async () => {
    world.chain.mine(4);
    world.chain.isOfAnotherChain = true;
    for (let look = 0; look < 3; look++) await round();
    expect(await standing()).toEqual(["credited", "paid", 150]);
    expect(world.logged.error).toEqual(Array(3).fill("another chain"));
  });

  test("the same chain, started again from its first block, takes nothing back", async () => {
    const { clock } = world;
    const anew = new MemoryChain({ now: () => clock.now() + SECOND });
    anew.mine(100);
    const direct = world.start({ chain: anew });
    for (let look = 0; look < 3; look++) {
      await direct.reconcile();
      anew.mine(70);
    }
    expect(await standing()).toEqual(["credited", "paid", 150]);
    expect(world.logged.error).toEqual(Array(3).fill("another chain"));
  });
});

test("it vanishes after its credits were spent: the balance is below zero until it lands again", async () => {
  await world.store.index(account, ["https://example.com/1"]);
  await vanish();
  expect(await standing()).toEqual(["submitted", "failed", -1]);
  await land();
  expect(await standing()).toEqual(["credited", "paid", 149]);
});

test("law: however often it vanishes and lands, its credits are given exactly while it is on the chain", async () => {
  for (let i = 0; i < 4; i++) {
    await vanish();
    expect(await standing()).toEqual(["submitted", "failed", 0]);
    await land();
    expect(await standing()).toEqual(["credited", "paid", 150]);
  }
  expect(await ledger()).toEqual(["purchase 150", ...Array(4).fill(["adjustment -150", "adjustment 150"]).flat()]);
  expect((await sources()).slice(-2)).toEqual([
    expect.stringMatching(/^reorg:0x[0-9a-f]{64}\/7$/),
    expect.stringMatching(/^landed:0x[0-9a-f]{64}\/8$/),
  ]);
});

test("it vanishes, and the call is repeated: it is submitted again, for the same order", async () => {
  const { orderId } = (await world.rowOf(signed))!;
  world.chain.reorganise(1, "is lost");
  await settleDown();
  const { outcome, order, isReplay } = await world.buy(account, signed);
  expect([outcome, order!.id, isReplay]).toEqual(["paid", orderId, false]);
  expect(await standing()).toEqual(["credited", "paid", 150]);
});

test("it vanishes, and its payer cancels it: it is void, and its order stays failed", async () => {
  world.chain.reorganise(1, "is lost");
  world.cancel(signed);
  await settleDown();
  await settleDown();
  await settleDown();
  expect(await standing()).toEqual(["void", "failed", 0]);
  expect((await world.buy(account, signed)).outcome).toBe("already_used");
});

test("payments of another chain are not treated as vanished", async () => {
  world.clock.pass(DAY);
  world.chain.mine(4);
  await world.start({ network: "eip155:84532" }).reconcile();
  expect(await standing()).toEqual(["credited", "paid", 150]);
});

test("the chain does not answer: nothing is taken back", async () => {
  world.chain.mine(4);
  for (const asked of ["verify", "final", "authorizationState"] as const) {
    world.chain.before = (one) => {
      world.chain.isAway = one === asked;
    };
    await world.direct.reconcile();
    world.chain.isAway = false;
    expect(await standing()).toEqual(["credited", "paid", 150]);
  }
  expect(world.logged.warn).toHaveLength(3);
});
