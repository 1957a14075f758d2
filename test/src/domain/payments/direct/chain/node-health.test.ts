import { beforeEach, expect, test } from "vitest";
import { WrongChain } from "../../../../../../src/domain/payments/direct/chain/chain.ts";
import { nodeProblems } from "../../../../../../src/domain/payments/direct/chain/node-health.ts";
import { MemoryChain } from "../../../../../support/payments/memory-chain.ts";
import { nodeOf } from "../../../../../support/payments/memory-node.ts";
import { TestClock } from "../../../../../support/service/clock.ts";

let chain: MemoryChain;
beforeEach(() => {
  chain = new MemoryChain(new TestClock());
  chain.mine(30);
});

test("nodes that are a few blocks apart are healthy", async () => {
  const late = chain.node();
  late.lag = 10;
  expect(await nodeProblems([chain, late], null)).toEqual([]);
});

test("a node that lags, gives no answer or belongs to another chain is named by its number, with the reason", async () => {
  const [late, away] = [chain.node(), chain.node()];
  late.lag = 11;
  away.isAway = true;
  const wrong = nodeOf(chain, { latest: () => Promise.reject(new WrongChain("Its id is another.")) });
  expect(await nodeProblems([chain, late, away, wrong], null)).toEqual([
    "X402_RPC_URL: node 2 of 4 is 11 blocks behind",
    "X402_RPC_URL: node 3 of 4: away",
    "X402_RPC_URL: node 4 of 4: Its id is another.",
  ]);
});

test("a node whose chain was started again lacks the block that was final", async () => {
  const { number, hash } = await chain.latest();
  const again = new MemoryChain({ now: () => 1_000 });
  again.mine(30);
  expect(await nodeProblems([chain, again], { number, hash })).toEqual(["X402_RPC_URL: node 2 of 2: another chain"]);
});
