import type { DirectSettings } from "../../../../platform/config/payment.ts";
import type { HttpClient } from "../../../../platform/http-client/http-client.ts";
import type { Chain } from "./chain.ts";
import { openNode } from "./evm-node.ts";
import { quorumOf } from "./quorum.ts";

type NodeSettings = Pick<DirectSettings, "rpcUrls" | "asset" | "chainId">;

/** The nodes at X402_RPC_URL, in their order there. */
export function openNodes({ rpcUrls, asset, chainId }: NodeSettings, http: HttpClient): Chain[] {
  return rpcUrls.map((url) => openNode({ url, asset, chainId }, http));
}

/** The chain as its nodes together show it. */
export function chainOf(nodes: readonly Chain[]): Chain {
  return nodes.length === 1 ? nodes[0]! : quorumOf(nodes);
}
