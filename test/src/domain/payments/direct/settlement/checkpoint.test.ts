import { afterEach, beforeEach, expect, test } from "vitest";
import { ChainUnreachable, WrongChain } from "../../../../../../src/domain/payments/direct/chain/chain.ts";
import { Checkpoint } from "../../../../../../src/domain/payments/direct/settlement/checkpoint.ts";
import { DirectWorld } from "../../../../../support/payments/direct-world.ts";
import { MemoryChain } from "../../../../../support/payments/memory-chain.ts";

let world: DirectWorld;
beforeEach(async () => {
  world = await DirectWorld.open();
  world.chain.finality = 2;
  world.chain.mine(10);
});
afterEach(() => world.store.close());

const checkpoint = (chain = world.chain) => new Checkpoint({ db: world.db, terms: world.terms, chain });

test("the first checkpoint is the newest final block, for every process", async () => {
  const { number, hash } = await world.chain.final();
  expect(await checkpoint().current()).toEqual({ number, hash });
  world.chain.mine(10);
  expect(await checkpoint().current()).toEqual({ number, hash });
});

test("each network has one", async () => {
  const first = await checkpoint().current();
  world.chain.mine(10);
  const terms = { network: "eip155:84532" };
  const other = await new Checkpoint({ db: world.db, terms, chain: world.chain }).current();
  expect(other.number).toBe(first.number + 10);
});

test("it moves up once the chain has grown by 64 final blocks, and still has them the next time", async () => {
  const moving = checkpoint();
  const first = await moving.current();
  world.chain.mine(63);
  for (let round = 0; round < 3; round++) await moving.advance();
  expect(await moving.current()).toEqual(first);
  world.chain.mine();
  await moving.advance();
  expect(await moving.current()).toEqual(first);
  const { number } = await world.chain.final();
  world.chain.mine(5);
  await moving.advance();
  expect((await checkpoint().current()).number).toBe(number);
});

test("a block that a node reported as final, and that is gone the next time, is not used", async () => {
  const moving = checkpoint();
  const first = await moving.current();
  world.chain.mine(70);
  world.chain.finality = 0;
  await moving.advance();
  world.chain.reorganise(1, "is lost");
  world.chain.finality = 2;
  await expect(moving.advance()).rejects.toThrow(WrongChain);
  await moving.advance();
  await moving.advance();
  const { number } = await checkpoint().current();
  expect([number > first.number, number < world.chain.height]).toEqual([true, true]);
});

test("WrongChain: a chain that was started again is another chain, and moves no checkpoint", async () => {
  const first = await checkpoint().current();
  const { clock } = world;
  const anew = new MemoryChain({ now: () => clock.now() + 1000 });
  anew.mine(200);
  const moving = checkpoint(anew);
  for (let round = 0; round < 3; round++) await expect(moving.advance()).rejects.toThrow(WrongChain);
  expect(await checkpoint().current()).toEqual(first);
});

test("ChainUnreachable: without an answer of the chain there is no checkpoint", async () => {
  world.chain.isAway = true;
  await expect(checkpoint().current()).rejects.toThrow(ChainUnreachable);
});

test("two processes at once have the same checkpoint", async () => {
  const both = await Promise.all([checkpoint().current(), checkpoint().current()]);
  expect(both[0]).toEqual(both[1]);
});
