import { createTestClient, defineChain, http, publicActions, walletActions } from "viem";

/** A client of the local chain that can do everything: ask, send, and move time. */
export function chainClient(url: string, chainId: number) {
  const nativeCurrency = { name: "Ether", symbol: "ETH", decimals: 18 };
  const chain = defineChain({ id: chainId, name: "Local", nativeCurrency, rpcUrls: { default: { http: [url] } } });
  // The library asks every 4 s otherwise.
  return createTestClient({ chain, mode: "anvil", transport: http(url), pollingInterval: 10, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions);
}

export type ChainClient = ReturnType<typeof chainClient>;
