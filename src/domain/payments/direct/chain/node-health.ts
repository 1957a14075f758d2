import { type BlockId, type Chain, ChainUnreachable } from "./chain.ts";

/** Most blocks that a node may be behind the others without counting as lagging. */
const FEW_BLOCKS = 10;

/**
 * What is wrong with the nodes of a chain, for the operator: which of them gives no answer and why, belongs to
 * another chain, or lags. Nodes are named by their number in X402_RPC_URL, since their addresses may hold keys.
 */
export async function nodeProblems(nodes: readonly Chain[], checkpoint: BlockId | null): Promise<string[]> {
  const asked = await Promise.allSettled(nodes.map((node) => heightOf(node, checkpoint)));
  const heights = asked.map((one) => (one.status === "fulfilled" ? one.value : 0));
  const highest = Math.max(...heights);
  return asked.flatMap((one, index) => {
    const name = `X402_RPC_URL: node ${index + 1} of ${nodes.length}`;
    if (one.status === "rejected") return [`${name}: ${reasonOf(one.reason)}`];
    const behind = highest - one.value;
    return behind > FEW_BLOCKS ? [`${name} is ${behind} blocks behind`] : [];
  });
}

async function heightOf(node: Chain, checkpoint: BlockId | null): Promise<number> {
  const { number } = await node.latest();
  if (checkpoint) await node.verify(checkpoint);
  return number;
}

function reasonOf(thrown: unknown): string {
  if (thrown instanceof ChainUnreachable) return thrown.message;
  throw thrown;
}
