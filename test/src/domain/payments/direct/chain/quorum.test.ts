import { beforeEach, describe, expect, test } from "vitest";
import {
  type Block,
  type Chain,
  ChainUnreachable,
  WrongChain,
} from "../../../../../../src/domain/payments/direct/chain/chain.ts";
import { quorumOf } from "../../../../../../src/domain/payments/direct/chain/quorum.ts";
import { MemoryChain } from "../../../../../support/payments/memory-chain.ts";
import { type MemoryNode, nodeOf } from "../../../../../support/payments/memory-node.ts";
import { TestClock } from "../../../../../support/service/clock.ts";

const AUTHORIZATION = { from: "0x1", to: "0x2", value: "7", nonce: "0x3", validBefore: 9_999_999_999 };

let chain: MemoryChain;
let nodes: MemoryNode[];
let checkpoint: Block;
beforeEach(async () => {
  chain = new MemoryChain(new TestClock());
  chain.fund(AUTHORIZATION.from, 7n);
  chain.mine(10);
  nodes = [chain.node(), chain.node(), chain.node()];
  checkpoint = { ...(await chain.latest()) };
});

/** Has the authorization pay. @returns what an honest node shows of it */
async function pay(): Promise<unknown> {
  chain.submit({ call: "transferWithAuthorization", authorization: { ...AUTHORIZATION, validAfter: 0 } });
  return stateOf(chain);
}

async function stateOf(of: Chain) {
  return of.authorizationState({ authorization: AUTHORIZATION, at: await of.latest(), since: 0, checkpoint });
}

describe("three nodes", () => {
  test("all agree: their answer counts", async () => {
    const honest = await pay();
    expect(await stateOf(quorumOf(nodes))).toEqual(honest);
    expect(await quorumOf(nodes).latest()).toEqual(await chain.latest());
    expect(await quorumOf(nodes).final()).toEqual(await chain.final());
    await quorumOf(nodes).verify(await chain.final());
    expect(await quorumOf(nodes).token()).toEqual(await chain.token());
  });

  test.each([
    ["is away", { isAway: true }],
    ["is behind", { lag: 5 }],
    ["has late logs", { logLag: 5 }],
    ["belongs to another chain", { isOfAnotherChain: true }],
  ])("one %s: it is left out, and counts again afterwards", async (_, fault) => {
    const honest = await pay();
    for (const node of nodes) {
      const before = { isAway: false, lag: 0, logLag: 0, isOfAnotherChain: false };
      Object.assign(node, fault);
      expect(await stateOf(quorumOf(nodes))).toEqual(honest);
      Object.assign(node, before);
    }
    Object.assign(nodes[1]!, { isAway: true });
    expect(await stateOf(quorumOf(nodes))).toEqual(honest);
  });

  test("one reports a payment that was not made: it is not believed", async () => {
    const lying = nodeOf(nodes[0]!, {
      authorizationState: async () => ({ isUsed: true, use: { hash: "0x4", block: 1, transfer: "0x4/1" } }),
    });
    expect(await stateOf(quorumOf([lying, nodes[1]!, nodes[2]!]))).toEqual({ isUsed: false, use: null });
  });

  test("ChainUnreachable: two do not answer, or all three differ", async () => {
    await pay();
    nodes[0]!.isAway = true;
    nodes[1]!.logLag = 5;
    await expect(stateOf(quorumOf(nodes))).rejects.toThrow("The nodes of the chain do not agree.");
    nodes[2]!.isAway = true;
    for (const answer of [
      quorumOf(nodes).latest(),
      quorumOf(nodes).token(),
      quorumOf(nodes).verify(await chain.final()),
    ])
      await expect(answer).rejects.toThrow("Of 3 nodes of the chain 1 answer; it takes 2.");
  });

  test("WrongChain: two belong to another chain", async () => {
    for (const node of nodes.slice(1)) node.isOfAnotherChain = true;
    await expect(quorumOf(nodes).verify(checkpoint)).rejects.toThrow(WrongChain);
    await expect(stateOf(quorumOf(nodes))).rejects.toThrow(WrongChain);
  });

  test("the newest block is the highest that two have reached", async () => {
    nodes[0]!.lag = 4;
    nodes[1]!.lag = 2;
    expect((await quorumOf(nodes).latest()).number).toBe(chain.height - 2);
  });

  test("one never answers: the others do not wait for it", async () => {
    const honest = await pay();
    nodes[2]!.before = () => new Promise(() => undefined);
    expect(await stateOf(quorumOf(nodes))).toEqual(honest);
  });
});

describe("two nodes", () => {
  test("one does not answer, or lags: the other is believed", async () => {
    const honest = await pay();
    for (const fault of [{ isAway: true }, { isAway: false, lag: 5 }]) {
      Object.assign(nodes[0]!, fault);
      expect(await stateOf(quorumOf(nodes.slice(0, 2)))).toEqual(honest);
    }
  });

  test("ChainUnreachable: they differ", async () => {
    await pay();
    nodes[0]!.logLag = 5;
    await expect(stateOf(quorumOf(nodes.slice(0, 2)))).rejects.toThrow(ChainUnreachable);
  });
});

test("five nodes: three have to agree", async () => {
  const honest = await pay();
  const five = [...nodes, chain.node(), chain.node()];
  for (const node of five.slice(0, 2)) node.logLag = 5;
  expect(await stateOf(quorumOf(five))).toEqual(honest);
  five[2]!.isAway = true;
  await expect(stateOf(quorumOf(five))).rejects.toThrow(ChainUnreachable);
});
