import { type Chain, WrongChain } from "./chain.ts";

/** Most blocks that a node may be behind the others without counting as lagging. */
const FEW_BLOCKS = 10;

/**
 * What is wrong with the nodes of a chain, for the operator: which of them does not answer, belongs to another chain,
 * or lags. Nodes are named by their number in X402_RPC_URL, since their addresses may hold keys.
 */
export async function nodeProblems(nodes: readonly Chain[]): Promise<string[]> {
  const asked = await Promise.allSettled(nodes.map((node) => node.latest()));
  const heights = asked.map((one) => (one.status === "fulfilled" ? one.value.number : 0));
  const highest = Math.max(...heights);
  return asked.flatMap((one, index) => {
    const name = `X402_RPC_URL: node ${index + 1} of ${nodes.length}`;
    if (one.status === "rejected")
      return [`${name} ${one.reason instanceof WrongChain ? "belongs to another chain" : "does not answer"}`];
    const behind = highest - one.value.number;
    return behind > FEW_BLOCKS ? [`${name} is ${behind} blocks behind`] : [];
  });
}
