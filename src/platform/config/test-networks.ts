import { TEST_CHAIN_IDS } from "./test-chain-ids.ts";

/** Chains that a developer runs: Moonbeam's development node, Ganache and geth, anvil and hardhat. */
const LOCAL_CHAIN_IDS = [1281, 1337, 31337];

const TEST_NETWORKS: ReadonlySet<string> = new Set([...LOCAL_CHAIN_IDS, ...TEST_CHAIN_IDS].map((id) => `eip155:${id}`));

/**
 * Whether the money of a chain has no value. A chain that is not known is taken to be about real money.
 * @param network CAIP-2, e.g. `eip155:84532`
 */
export function isTestNetwork(network: string): boolean {
  return TEST_NETWORKS.has(network);
}
