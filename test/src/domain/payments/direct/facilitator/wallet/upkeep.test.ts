import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { LocalFacilitator } from "../../../../../../../src/domain/payments/direct/facilitator/facilitator-local.ts";
import { says, startFaultProxy } from "../../../../../../payments/fault-proxy.ts";
import { Mempool } from "../../../../../../payments/mempool.ts";
import { ACCOUNT, GWEI, WalletWorld } from "./wallet-world.ts";

let world: WalletWorld;
let wallet: LocalFacilitator;
let first: number;
beforeAll(async () => {
  world = await WalletWorld.open();
}, 60_000);
beforeEach(async () => {
  await world.reset();
  wallet = world.start();
  first = await world.mined();
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => world.close());

/** Has payments wait in the pool. */
async function queue(count: number, facilitator = wallet): Promise<void> {
  for (let i = 0; i < count; i++) expect(await world.settle(facilitator)).toBe("unknown");
}

/** Mines what is in the pool, and has the wallet look. */
async function mineAndLook(): Promise<void> {
  await world.pool.mine();
  await wallet.maintain();
}

/** Everything that was paid stands on the chain, and nothing waits. */
async function expectAllPaid(dollars: number): Promise<void> {
  expect([await world.paid(), world.waiting(first)]).toEqual([dollars, []]);
  expect(wallet.figures()).toMatchObject({ unmined: 0, oldestMs: 0 });
}

describe("a node that drops what it accepted", () => {
  test("law: the dropped transaction and the 17 behind it all land without another call", async () => {
    world.pool.isDropping = true;
    await queue(1);
    world.pool.isDropping = false;
    await queue(17);
    await world.pool.mine();
    expect([await world.paid(), wallet.figures().unmined]).toEqual([0, 18]);
    await world.pass(5);
    await wallet.maintain();
    await mineAndLook();
    await expectAllPaid(180);
    expect([wallet.figures().resent, (await world.mined()) - first]).toEqual([1, 18]);
  });

  test("it drops what is sent again, too: everything is sent until it stays", async () => {
    world.pool.isDropping = true;
    await queue(3);
    for (let round = 0; round < 3; round++) {
      await world.pass(5);
      await wallet.maintain();
    }
    world.pool.isDropping = false;
    await world.pass(5);
    await wallet.maintain();
    await mineAndLook();
    await expectAllPaid(30);
  });

  test("the same payment presented again is sent with the same nonce", async () => {
    world.pool.isDropping = true;
    const payment = await world.pay();
    await world.settle(wallet, payment);
    world.pool.isDropping = false;
    for (let i = 0; i < 3; i++) await world.settle(wallet, payment);
    expect(world.waiting(first)).toHaveLength(1);
    expect(new Set(world.pool.sent).size).toBe(1);
    await mineAndLook();
    await expectAllPaid(10);
  });

  test("what is in the pool is not sent again", async () => {
    await queue(2);
    await world.pass(10);
    await wallet.maintain();
    expect([world.pool.sent.length, wallet.figures().resent]).toEqual([2, 0]);
    await mineAndLook();
    await expectAllPaid(20);
  });
});

describe("fees", () => {
  test("law: fees rise tenfold after sending: all transactions are replaced at their nonces, and each lands once", async () => {
    await queue(4);
    world.pool.baseFee = 10n * GWEI;
    await world.pool.mine();
    expect(await world.paid()).toBe(0);
    await wallet.maintain();
    expect(world.waiting(first).map(([nonce]) => nonce)).toEqual([0, 1, 2, 3]);
    for (const [, gwei] of world.waiting(first)) expect(gwei).toBeGreaterThan(20);
    expect(wallet.figures()).toMatchObject({ replaced: 4, isCapped: false, lastReplacedAt: Date.now() });
    await mineAndLook();
    await expectAllPaid(40);
    expect((await world.mined()) - first).toBe(4);
  });

  test("law: nothing is sent for more than the cap, and it lands once fees have fallen", async () => {
    await queue(1);
    world.pool.baseFee = 60n * GWEI;
    for (const seconds of [1, 20, 60]) {
      await world.pass(seconds, 3);
      await wallet.maintain();
    }
    expect([world.waiting(first), wallet.figures().isCapped]).toEqual([[[0, 3]], true]);
    expect(world.logged).toEqual([expect.stringContaining("X402_MAX_GAS_GWEI")]);
    world.pool.baseFee = 40n * GWEI;
    await wallet.maintain();
    expect(world.waiting(first)).toEqual([[0, 50]]);
    await mineAndLook();
    await expectAllPaid(10);
    expect(wallet.figures().isCapped).toBe(false);
  });

  test("503 unavailable: a payment is not submitted while gas is more expensive than the cap", async () => {
    world.pool.baseFee = 60n * GWEI;
    const payment = await world.pay();
    const refused = await wallet.verify(payment, payment.accepted).catch((thrown) => thrown);
    expect(refused).toMatchObject({ code: "unavailable", headers: { "Retry-After": "60" } });
    expect(refused.message).not.toContain("X402");
    world.pool.baseFee = GWEI;
    expect(await wallet.verify(payment, payment.accepted)).toEqual({ isValid: true });
    expect(wallet.figures().isCapped).toBe(false);
  });

  test("a payment that is submitted while gas is more expensive than the cap is sent once it has fallen", async () => {
    world.pool.baseFee = 60n * GWEI;
    await queue(2);
    await wallet.maintain();
    expect(world.pool.sent).toEqual([]);
    world.pool.baseFee = GWEI;
    await wallet.maintain();
    await mineAndLook();
    await expectAllPaid(20);
  });

  test("the first transaction is not mined for a while: it offers an eighth more", async () => {
    await queue(2);
    await world.pass(16, 2);
    await wallet.maintain();
    expect(wallet.figures().replaced).toBe(0);
    await world.pass(0, 1);
    await wallet.maintain();
    const [[, one], [, other]] = world.waiting(first) as [[number, number], [number, number]];
    expect([one, other]).toEqual([expect.closeTo(3 * 1.125, 5), 3]);
    await mineAndLook();
    await expectAllPaid(20);
  });

  test("no block comes: no fee is raised", async () => {
    await queue(1);
    await world.pass(600);
    await wallet.maintain();
    expect([world.waiting(first), wallet.figures().oldestMs]).toEqual([[[0, 3]], 600_000]);
    await mineAndLook();
    await expectAllPaid(10);
  });
});

describe("a payment that cannot succeed any more", () => {
  test("is replaced by an empty transfer, and those behind it land", async () => {
    const other = await world.devnet.buyer(1_000);
    await queue(1);
    await world.settle(wallet, await world.pay(other));
    await world.drain();
    world.pool.baseFee = 10n * GWEI;
    await wallet.maintain();
    await mineAndLook();
    expect([Number(await world.devnet.balanceOf(other.address)), world.waiting(first)]).toEqual([990_000_000, []]);
    expect([(await world.mined()) - first, wallet.figures().unmined]).toEqual([2, 0]);
  });

  test("is not sent again if it was dropped: an empty transfer uses its nonce", async () => {
    world.pool.isDropping = true;
    await queue(1);
    world.pool.isDropping = false;
    await world.drain();
    await world.pass(5);
    await wallet.maintain();
    expect(world.isLastEmpty).toBe(true);
    await mineAndLook();
    expect([(await world.mined()) - first, wallet.figures().unmined]).toEqual([1, 0]);
  });

  test("was dropped, and offers the cap: it is sent again unchanged, and those behind it land", async () => {
    const other = await world.devnet.buyer(10);
    world.pool.baseFee = 30n * GWEI;
    world.pool.isDropping = true;
    await queue(1);
    world.pool.isDropping = false;
    world.pool.baseFee = GWEI;
    await world.settle(wallet, await world.pay(other));
    await world.drain();
    await world.pass(5);
    await wallet.maintain();
    await mineAndLook();
    expect([await world.devnet.balanceOf(other.address), (await world.mined()) - first]).toEqual([0n, 2]);
  });

  test("is refused by the node: those behind it land", async () => {
    world.pool.isDropping = true;
    await queue(1);
    const [refused] = world.pool.sent;
    world.pool.isDropping = false;
    await queue(2);
    world.pool.refuses = (raw) => (raw === refused ? "transaction rejected by policy" : null);
    await world.pass(5);
    await wallet.maintain();
    await mineAndLook();
    await mineAndLook();
    // It is given another nonce, and this node takes it.
    await expectAllPaid(30);
  });
});

describe("several processes with one key", () => {
  test("law: a hole left by another process is filled after ten seconds", async () => {
    const other = world.start();
    await queue(1, other);
    await queue(1);
    world.pool.lose(ACCOUNT, first);
    await wallet.maintain();
    await world.pass(9);
    await wallet.maintain();
    expect(world.waiting(first).map(([nonce]) => nonce)).toEqual([1]);
    await world.pass(1);
    await wallet.maintain();
    expect([world.waiting(first).map(([nonce]) => nonce), wallet.figures().filled]).toEqual([[0, 1], 1]);
    await mineAndLook();
    expect(await world.paid()).toBe(10);
    // The other one finds its nonce used, and gives its payment a new one.
    await other.maintain();
    await mineAndLook();
    await other.maintain();
    await expectAllPaid(20);
    expect(other.figures()).toMatchObject({ unmined: 0 });
  });

  test("a hole that its process fills itself is not filled", async () => {
    const other = world.start();
    await queue(1, other);
    await queue(1);
    world.pool.lose(ACCOUNT, first);
    await wallet.maintain();
    await world.pass(5);
    await other.maintain();
    await world.pass(5);
    await wallet.maintain();
    expect([world.waiting(first).length, wallet.figures().filled, other.figures().resent]).toEqual([2, 0, 1]);
    await mineAndLook();
    await expectAllPaid(20);
  });

  test("law: transactions of a killed process are replaced by empty transfers, whatever they offer; presented again, its payments land", async () => {
    const killed = world.start();
    world.pool.baseFee = 8n * GWEI;
    const payments = [await world.pay(), await world.pay(), await world.pay()];
    for (const payment of payments) await world.settle(killed, payment);
    killed.stop();
    world.pool.baseFee = GWEI;
    await wallet.maintain();
    expect(wallet.figures()).toMatchObject({ unmined: 3, replaced: 0 });
    await world.pass(20, 3);
    await wallet.maintain();
    expect(wallet.figures()).toMatchObject({ unmined: 3, replaced: 3 });
    expect(world.isLastEmpty).toBe(true);
    await mineAndLook();
    expect([await world.paid(), (await world.mined()) - first]).toEqual([0, 3]);
    for (const payment of payments) await world.settle(wallet, payment);
    await mineAndLook();
    await expectAllPaid(30);
  });

  test("law: a payment that another process outbids gets another nonce, and lands once", async () => {
    const other = world.start();
    await queue(2, other);
    await wallet.maintain();
    await world.pass(20, 3);
    await wallet.maintain();
    expect(wallet.figures().replaced).toBe(2);
    await mineAndLook();
    await other.maintain();
    await mineAndLook();
    await other.maintain();
    await expectAllPaid(20);
    expect(other.figures().unmined).toBe(0);
  });

  test("law: so does one that was presented again while it could not be sent", async () => {
    const other = world.start();
    const payer = await world.devnet.buyer(10);
    const payment = await world.pay(payer);
    await world.settle(other, payment);
    await world.drain(payer);
    expect(await world.settle(other, payment)).toBe("unknown");
    await world.devnet.fund(payer.address, 10);
    await wallet.maintain();
    await world.pass(20, 3);
    await wallet.maintain();
    await mineAndLook();
    await other.maintain();
    await mineAndLook();
    expect(await world.devnet.balanceOf(payer.address)).toBe(0n);
  });

  test("transactions of a killed process are not outbid above the cap", async () => {
    const killed = world.start();
    world.pool.baseFee = 30n * GWEI;
    await queue(1, killed);
    killed.stop();
    const frugal = world.start({ maxGasGwei: 20 });
    world.pool.baseFee = 5n * GWEI;
    await frugal.maintain();
    await world.pass(20, 3);
    await frugal.maintain();
    expect([world.waiting(first), frugal.figures().isCapped]).toEqual([[[0, 50]], true]);
    await world.pool.mine();
    expect(await world.paid()).toBe(10);
  });
});

describe("the node", () => {
  test("does not answer when a payment is submitted: it lands once the node is back, without another call", async () => {
    world.rpc.fault = async () => "cut";
    await queue(2);
    await wallet.maintain();
    world.rpc.fault = world.pool.fault;
    await wallet.maintain();
    await mineAndLook();
    await expectAllPaid(20);
  });

  test("belongs to another chain: nothing is sent to it", async () => {
    world.rpc.fault = (request) =>
      JSON.parse(request.body).method === "eth_chainId"
        ? Promise.resolve({ status: 200, body: JSON.stringify({ jsonrpc: "2.0", id: 1, result: "0x1" }) })
        : world.pool.fault(request);
    await queue(1);
    await wallet.maintain();
    expect(world.pool.sent).toEqual([]);
    world.rpc.fault = world.pool.fault;
    await wallet.maintain();
    await mineAndLook();
    await expectAllPaid(10);
  });

  test("is one of two, and the first does not answer: payments land, and transactions are sent to both", async () => {
    const rpcUrls = ["http://127.0.0.1:1", world.rpc.url];
    const careful = world.start({ rpcUrls });
    await queue(2, careful);
    await world.pool.mine();
    await careful.maintain();
    expect([await world.paid(), careful.figures().unmined]).toEqual([20, 0]);
  });

  test("is one of two, and drops what it accepts: payments land through the other", async () => {
    const other = await startFaultProxy(world.devnet.rpcUrl);
    const pool = new Mempool(world.devnet);
    other.fault = pool.fault;
    world.pool.isDropping = true;
    const careful = world.start({ rpcUrls: [world.rpc.url, other.url] });
    await queue(2, careful);
    await pool.mine();
    await careful.maintain();
    expect([await world.paid(), careful.figures().unmined]).toEqual([20, 0]);
    await other.close();
  });

  test("lags, and does not know that a nonce is used: the next payment gets the nonce after it at once", async () => {
    await queue(1);
    await mineAndLook();
    world.rpc.fault = (request) =>
      JSON.parse(request.body).method === "eth_getTransactionCount"
        ? Promise.resolve(says({ jsonrpc: "2.0", id: 1, result: `0x${first.toString(16)}` }))
        : world.pool.fault(request);
    await queue(1);
    expect([world.pool.sent.length, world.waiting(first)]).toEqual([2, [[1, 3]]]);
    world.rpc.fault = world.pool.fault;
    await mineAndLook();
    await expectAllPaid(20);
  });

  test("once counts a thousand transactions too many: the payment gets another nonce, and nothing is paid for the others", async () => {
    const count = `0x${(first + 1_000).toString(16)}`;
    world.rpc.fault = (request) =>
      JSON.parse(request.body).method === "eth_getTransactionCount"
        ? Promise.resolve(says({ jsonrpc: "2.0", id: 1, result: count }))
        : world.pool.fault(request);
    await queue(1);
    world.rpc.fault = world.pool.fault;
    await wallet.maintain();
    await world.pass(61);
    await wallet.maintain();
    await wallet.maintain();
    await mineAndLook();
    expect([await world.paid(), (await world.mined()) - first]).toEqual([10, 1]);
    expect(wallet.figures()).toMatchObject({ unmined: 0, filled: 0 });
  });

  test("cannot send a pending payment now: the outcome is unknown, and the payment is not refused", async () => {
    const payment = await world.pay();
    await world.settle(wallet, payment);
    await world.drain();
    expect(await world.settle(wallet, payment)).toBe("unknown");
    // The chain has thrown it out by now.
    await mineAndLook();
    expect(await world.settle(wallet, payment)).toBe("refused");
  });

  test("reports that the account has no gas: payments wait, and land once it has some", async () => {
    world.pool.refuses = () => "insufficient funds for gas * price + value";
    await world.devnet.client.setBalance({ address: ACCOUNT, value: 0n });
    await queue(2);
    await wallet.maintain();
    expect(world.waiting(first)).toEqual([]);
    await world.devnet.client.setBalance({ address: ACCOUNT, value: 10n ** 18n });
    world.pool.refuses = null;
    await wallet.maintain();
    await mineAndLook();
    await expectAllPaid(20);
  });
});
