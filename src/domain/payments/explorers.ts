import type { Transaction } from "./orders/orders.ts";

/** Pages of transactions, by chain (CAIP-2): the explorers of the chains on which there are dollar tokens with EIP-3009. */
export const EXPLORERS: ReadonlyMap<string, string> = new Map([
  ["eip155:1", "https://etherscan.io/tx/"],
  ["eip155:10", "https://optimistic.etherscan.io/tx/"],
  ["eip155:130", "https://uniscan.xyz/tx/"],
  ["eip155:137", "https://polygonscan.com/tx/"],
  ["eip155:480", "https://worldscan.org/tx/"],
  ["eip155:8453", "https://basescan.org/tx/"],
  ["eip155:42161", "https://arbiscan.io/tx/"],
  ["eip155:42220", "https://celoscan.io/tx/"],
  ["eip155:43114", "https://snowtrace.io/tx/"],
  ["eip155:59144", "https://lineascan.build/tx/"],
  ["eip155:84532", "https://sepolia.basescan.org/tx/"],
  ["eip155:11155111", "https://sepolia.etherscan.io/tx/"],
]);

/** @returns the page of a transaction at an explorer of its chain; null: none is known here */
export function explorerUrl({ network, hash }: Pick<Transaction, "network" | "hash">): string | null {
  const explorer = EXPLORERS.get(network);
  return explorer === undefined ? null : `${explorer}${hash}`;
}
