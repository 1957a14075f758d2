import { setTimeout as sleep } from "node:timers/promises";
import {
  createTestClient,
  defineChain,
  type Hash,
  http,
  publicActions,
  TransactionReceiptNotFoundError,
  walletActions,
} from "viem";

/** How long to wait for a transaction, in ms. */
const WAIT_MS = 180_000;

/** A client of the local chain that can query it, send transactions, and move its time. */
export function chainClient(url: string, chainId: number) {
  const nativeCurrency = { name: "Ether", symbol: "ETH", decimals: 18 };
  const chain = defineChain({ id: chainId, name: "Local", nativeCurrency, rpcUrls: { default: { http: [url] } } });
  // The default polling interval is 4 s.
  return createTestClient({ chain, mode: "anvil", transport: http(url), pollingInterval: 10, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
    .extend((client) => ({
      /**
       * Replaces viem's own, which checks once for each new block: anvil may report the block before it has the receipt,
       * and no other block follows.
       */
      async waitForTransactionReceipt({ hash, timeout = WAIT_MS }: { hash: Hash; timeout?: number | undefined }) {
        const deadline = performance.now() + timeout;
        for (;;) {
          const receipt = await client.getTransactionReceipt({ hash }).catch((thrown: unknown) => {
            if (thrown instanceof TransactionReceiptNotFoundError && performance.now() < deadline) return null;
            throw thrown;
          });
          if (receipt) return receipt;
          await sleep(10);
        }
      },
    }));
}

export type ChainClient = ReturnType<typeof chainClient>;
