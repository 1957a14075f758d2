import { afterAll, expect, test } from "vitest";
import { describeSettled } from "../../../../../../src/domain/payments/direct/settlement/payment-response.ts";
import { DirectWorld } from "../../../../../support/payments/direct-world.ts";

const world = await DirectWorld.open();
afterAll(() => world.store.close());

test("503 settlement_pending: the transfer vanished after it was seen", async () => {
  const signed = world.sign();
  await world.buy(await world.account(), signed);
  const row = (await world.rowOf(signed))!;
  const vanished = { ...row, state: "submitted", hash: null, block: null, transfer: null };
  const answer = describeSettled(world.db, vanished, "x402", world.clock.now());
  await expect(answer).rejects.toMatchObject({ code: "settlement_pending" });
});
