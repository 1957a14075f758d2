import { expect, test } from "vitest";
import { eachDirectWorld } from "../../../../../support/payments/each-direct-world.ts";
import { asHeader } from "../../../../../support/payments/memory-wallet.ts";

let account: string;
const world = eachDirectWorld(async () => {
  account = await world.account();
  world.chain.finality = 3;
});

/** A payment whose transfer was found, as a call has settled it. */
const settle = () =>
  world.direct.settle({
    ...{ accountId: account, credential: "key_1", pack: world.pack },
    payment: { scheme: "x402", text: asHeader(world.sign()) },
  });

test("law: the credits of a payment are given once, and whoever comes later gets the same order", async () => {
  const settled = await settle();
  const credit = () => world.db.tx((tx) => world.direct.credit(tx, settled));
  const [first, again] = [await credit(), await credit()];
  expect([first.isReplay, again.isReplay, again.order.id]).toEqual([false, true, first.order.id]);
  expect(await world.store.ledger(account)).toEqual([["purchase", 150]]);
});

test("503 settlement_pending: its transfer has vanished, and its credits were taken back", async () => {
  const settled = await settle();
  const credit = () => world.db.tx((tx) => world.direct.credit(tx, settled));
  await credit();
  world.chain.reorganise(1, "is lost");
  for (let round = 0; round < 2; round++) {
    world.chain.mine(4);
    await world.direct.reconcile();
  }
  expect(await world.store.balance(account)).toBe(0);
  await expect(credit()).rejects.toMatchObject({ code: "settlement_pending" });
});
