import { describe, expect, test } from "vitest";
import { checksummed, requirementsOf } from "../../../../../../src/domain/payments/direct/protocol/terms.ts";
import { PACKS } from "../../../../../../src/domain/payments/orders/packs.ts";
import { MINUTE } from "../../../../../../src/platform/clock.ts";
import type { Signed } from "../../../../../support/payments/direct-world.ts";
import { eachDirectWorld } from "../../../../../support/payments/each-direct-world.ts";
import { nodeOf } from "../../../../../support/payments/memory-node.ts";
import { CHAIN } from "../../../../../support/payments/memory-token.ts";
import { asHeader, MemoryWallet } from "../../../../../support/payments/memory-wallet.ts";

let account: string;
const world = eachDirectWorld(async () => {
  account = await world.account();
});

const credits = () => world.store.balance(account);
const response = (headers: Readonly<Record<string, string>>) => JSON.parse(atob(headers["PAYMENT-RESPONSE"]!));

test("200: a payment buys the pack, and the answer names the transaction", async () => {
  const signed = world.sign();
  const { outcome, order, headers, isReplay } = await world.buy(account, signed);
  expect([outcome, isReplay, await credits()]).toEqual(["paid", false, 150]);
  const { hash, state } = (await world.rowOf(signed))!;
  expect(state).toBe("credited");
  expect(order).toMatchObject({ status: "paid", method: "evm", pack: "basic", credits: 150, amountCents: 999 });
  const { asset: currency, network } = world.terms;
  const payer = response(headers).payer;
  expect(JSON.parse(order!.transaction!)).toEqual({ network, hash, payer, amount: "9990000", currency });
  expect(response(headers)).toEqual({ success: true, transaction: hash, network, payer });
  expect(payer.toLowerCase()).toBe(world.wallet.address);
  expect(payer).not.toBe(world.wallet.address);
  expect(headers["Payment-Receipt"]).toBeUndefined();
});

describe("the same payment again", () => {
  test("200 replayed: the same order, and neither facilitator nor chain is called", async () => {
    const signed = world.sign();
    const first = await world.buy(account, signed);
    world.chain.isAway = true;
    world.facilitator.isSilent = true;
    const again = await world.buy(account, signed);
    expect(again).toMatchObject({ outcome: "paid", isReplay: true, order: first.order, headers: first.headers });
    expect([await credits(), world.facilitator.verified.length]).toEqual([150, 1]);
  });

  test("200 replayed: the same payment in another spelling", async () => {
    const signed = world.sign();
    const first = await world.buy(account, inUpperCase(signed));
    expect([first.outcome, await credits()]).toEqual(["paid", 150]);
    expect(await world.buy(account, signed)).toMatchObject({ isReplay: true, order: first.order });
    const malleated = { ...signed, payload: { ...signed.payload, signature: `0x${"ab".repeat(65)}` } };
    expect(await world.buy(account, malleated)).toMatchObject({ isReplay: true, order: first.order });
  });

  test("200 replayed: after its expiry, and after the price has changed", async () => {
    const signed = world.sign();
    const first = await world.buy(account, signed);
    world.clock.pass(60 * MINUTE);
    const dearer = { ...PACKS[0], amountCents: 1299 as unknown as 999 };
    expect(await world.buy(account, signed, { pack: dearer })).toMatchObject({ isReplay: true, order: first.order });
  });

  test("200: a call ended before anything was handed over, and the same call goes on when its lease is over", async () => {
    const signed = world.sign();
    await world.dieWhenAsking(account, signed);
    expect(await world.stateOf(signed)).toBe("claimed");
    world.restart();
    expect((await world.buy(account, signed)).outcome).toBe("idempotency_in_flight");
    world.clock.pass(2 * MINUTE);
    expect(await world.buy(account, signed)).toMatchObject({ outcome: "paid", isReplay: false });
  });

  test("200: a payment that is not deep enough yet is waited for", async () => {
    const signed = world.sign();
    const still = { ...world.timeouts, sleep: async () => undefined };
    const direct = world.start({ confirmations: 3, timeouts: still });
    expect((await world.buy(account, signed, { direct })).outcome).toBe("settlement_pending");
    expect((await world.buy(account, signed, { direct: world.start({ confirmations: 3 }) })).outcome).toBe("paid");
  });

  test("402 already_used: by another account", async () => {
    const signed = world.sign();
    await world.buy(account, signed);
    const other = await world.account();
    expect((await world.buy(other, signed)).outcome).toBe("already_used");
    expect(await world.store.balance(other)).toBe(0);
  });

  test("402: the payment does not fit the price of another pack", async () => {
    const signed = world.sign();
    await world.buy(account, signed);
    expect((await world.buy(account, signed, { pack: PACKS[3] })).outcome).toBe("offer_mismatch");
  });

  test("402 already_used: by another account while the outcome is unknown", async () => {
    world.facilitator.behaviour = "unreachable";
    const signed = world.sign();
    await world.buy(account, signed);
    const other = await world.account();
    expect((await world.buy(other, signed)).outcome).toBe("already_used");
    world.facilitator.behaviour = "honest";
    expect((await world.buy(account, signed)).outcome).toBe("paid");
  });

  test("a refused payment can be tried again, but not if it landed meanwhile", async () => {
    world.facilitator.behaviour = "refuses";
    const [first, second] = [world.sign(), world.sign()];
    await world.buy(account, first);
    await world.buy(account, second);
    world.submitAsThirdParty(second);
    world.facilitator.behaviour = "honest";
    expect((await world.buy(account, first)).outcome).toBe("paid");
    expect((await world.buy(account, second)).outcome).toBe("paid");
    expect(world.facilitator.settled).toHaveLength(3);
  });

  test("the payment buys the credits of the price at which it was claimed", async () => {
    world.facilitator.behaviour = "unreachable";
    const signed = world.sign();
    await world.buy(account, signed);
    const dearer = { ...PACKS[0], amountCents: 1299 as unknown as 999, credits: 100 as unknown as 150 };
    // It is not handed over again: it is not what is asked for now.
    expect((await world.buy(account, signed, { pack: dearer })).outcome).toBe("settlement_pending");
    expect(world.facilitator.settled).toHaveLength(1);
    world.submitAsThirdParty(signed);
    const { order } = await world.buy(account, signed, { pack: dearer });
    expect(order).toMatchObject({ credits: 150, amountCents: 999 });
  });

  test("a payment that vanishes before its credits are given is pending, and credited when it is back", async () => {
    const signed = world.sign();
    const payment = { scheme: "x402", text: asHeader(signed) } as const;
    const settled = await world.direct.settle({ accountId: account, credential: "key_1", pack: world.pack, payment });
    world.chain.reorganise(1, "waits again");
    await world.direct.reconcile();
    const credited = world.db.tx((tx) => world.direct.credit(tx, settled));
    await expect(credited).rejects.toMatchObject({ code: "settlement_pending" });
    expect(await credits()).toBe(0);
    world.chain.mine();
    await world.direct.reconcile();
    expect(await credits()).toBe(150);
  });

  test("the payment buys the credits of the pack as it was sold, even if the pack has changed", async () => {
    const dearer = { ...PACKS[0], amountCents: 1299 as unknown as 999, credits: 100 as unknown as 150 };
    const signed = world.wallet.pay(requirementsOf(world.terms, CHAIN.domain, dearer), world.clock.now());
    const { order } = await world.buy(account, signed, { pack: dearer });
    expect(order).toMatchObject({ pack: "basic", credits: 100, amountCents: 1299 });
  });

  test("another message with the same nonce is not submitted in its place", async () => {
    world.facilitator.behaviour = "unreachable";
    const signed = world.sign();
    await world.buy(account, signed);
    const { nonce, validBefore } = signed.payload.authorization;
    const longer = world.sign({ nonce, validBefore: String(Number(validBefore) + 60) });
    // It is not waited for either.
    const sleep = () => expect.unreachable();
    const direct = world.start({ timeouts: { ...world.timeouts, sleep } });
    expect((await world.buy(account, longer, { direct })).outcome).toBe("settlement_pending");
    const dearer = { ...PACKS[0], amountCents: 1299 as unknown as 999 };
    const payment = world.wallet.pay(requirementsOf(world.terms, CHAIN.domain, dearer), world.clock.now(), {
      nonce,
      validBefore,
    });
    expect((await world.buy(account, payment, { direct, pack: dearer })).outcome).toBe("settlement_pending");
    // Nor is one to an address that the seller has now.
    const payTo = checksummed(new MemoryWallet("another seller").address);
    const there = requirementsOf({ ...world.terms, payTo }, CHAIN.domain, world.pack);
    const moved = world.wallet.pay(there, world.clock.now(), { nonce, validBefore });
    const atNew = world.start({ payTo, timeouts: { ...world.timeouts, sleep } });
    expect((await world.buy(account, moved, { direct: atNew })).outcome).toBe("settlement_pending");
    expect(world.facilitator.settled).toHaveLength(1);
  });

  test("402 expired: its time is over on the chain, and it was not used", async () => {
    world.facilitator.behaviour = "unreachable";
    const signed = world.sign();
    await world.buy(account, signed);
    world.clock.pass(5 * MINUTE + 30_000);
    world.chain.mine();
    expect((await world.buy(account, signed)).outcome).toBe("settlement_pending");
    world.clock.pass(MINUTE);
    world.chain.mine();
    expect((await world.buy(account, signed)).outcome).toBe("expired");
    expect(await world.stateOf(signed)).toBe("expired");
    expect((await world.buy(account, signed)).outcome).toBe("expired");
    expect(world.facilitator.settled).toHaveLength(1);
  });

  test("a payment that a lagging node reported as expired is credited when it is presented again", async () => {
    world.facilitator.behaviour = "loses answer";
    const signed = world.sign();
    const { chain } = world;
    const blind = nodeOf(chain, { authorizationState: async () => ({ isUsed: false, use: null }) });
    const direct = world.start({ chain: blind });
    expect((await world.buy(account, signed, { direct })).outcome).toBe("settlement_pending");
    world.clock.pass(7 * MINUTE);
    chain.mine();
    await direct.reconcile();
    expect(await world.stateOf(signed)).toBe("expired");
    chain.isAway = true;
    expect((await world.buy(account, signed)).outcome).toBe("settlement_pending");
    expect(await world.stateOf(signed)).toBe("submitted");
    chain.isAway = false;
    await direct.reconcile();
    expect(await world.stateOf(signed)).toBe("expired");
    expect((await world.buy(account, signed)).outcome).toBe("paid");
  });
});

function inUpperCase(signed: Signed): unknown {
  const { from, nonce, ...rest } = signed.payload.authorization;
  const upper = (text: string) => `0x${text.slice(2).toUpperCase()}`;
  const authorization = { ...rest, from: upper(from), nonce: upper(nonce) };
  return { ...signed, payload: { ...signed.payload, authorization } };
}
