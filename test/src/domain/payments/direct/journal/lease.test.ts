import { afterEach, beforeEach, expect, test } from "vitest";
import {
  leasedPayment,
  type PaymentLease,
  PaymentLeaseLost,
  released,
  releaseLease,
  takeLease,
  updateLeased,
} from "../../../../../../src/domain/payments/direct/journal/lease.ts";
import { MINUTE } from "../../../../../../src/platform/clock.ts";
import { DirectWorld, type Signed } from "../../../../../support/payments/direct-world.ts";

let world: DirectWorld;
let signed: Signed;
beforeEach(async () => {
  world = await DirectWorld.open();
  world.facilitator.behaviour = "unreachable";
  signed = world.sign();
  await world.buy(await world.account(), signed);
});
afterEach(() => world.store.close());

const take = () => takeLease(world.db, world.keyOf(signed), ["submitted"], world.clock.now());
const write = (hold: PaymentLease) => world.db.tx((tx) => updateLeased(tx, hold, released(world.clock.now())));

test("one holder at a time, in the given states, until the lease ends", async () => {
  expect(await takeLease(world.db, world.keyOf(signed), ["refused"], world.clock.now())).toBeNull();
  expect(await take()).not.toBeNull();
  expect(await take()).toBeNull();
  world.clock.pass(2 * MINUTE - 1);
  expect(await take()).toBeNull();
  world.clock.pass(1);
  expect(await take()).not.toBeNull();
});

test("a holder that lost its lease can neither read nor write nor release the payment", async () => {
  const late = (await take())!;
  world.clock.pass(2 * MINUTE);
  const hold = (await take())!;
  await expect(leasedPayment(world.db, late)).rejects.toThrow(PaymentLeaseLost);
  await expect(write(late)).rejects.toThrow(PaymentLeaseLost);
  await releaseLease(world.db, late, world.clock.now());
  expect(await take()).toBeNull();
  expect(await leasedPayment(world.db, hold)).toMatchObject({ owner: hold.owner });
});

test("a holder whose lease has ended, but was not taken over, can still write", async () => {
  const hold = (await take())!;
  world.clock.pass(10 * MINUTE);
  expect(await write(hold)).toMatchObject({ owner: null });
  await expect(leasedPayment(world.db, hold)).rejects.toThrow(PaymentLeaseLost);
});
