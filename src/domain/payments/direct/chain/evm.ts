import type { DirectSettings } from "../../../../platform/config/payment.ts";
import type { HttpClient } from "../../../../platform/http-client/http-client.ts";
import type { Chain } from "./chain.ts";
import { openNode } from "./evm-node.ts";
import { quorumOf } from "./quorum.ts";

/** The chain behind the nodes at X402_RPC_URL, and the token on it. */
export function openChain(
  { rpcUrls, asset, chainId }: Pick<DirectSettings, "rpcUrls" | "asset" | "chainId">,
  http: HttpClient,
): Chain {
  const nodes = rpcUrls.map((url) => openNode({ url, asset, chainId }, http));
  return nodes.length === 1 ? nodes[0]! : quorumOf(nodes);
}
