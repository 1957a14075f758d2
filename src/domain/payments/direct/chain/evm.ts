import { BlockNotFoundError, type Block as ChainBlock, createPublicClient, type Hex, RpcRequestError } from "viem";
import type { DirectSettings } from "../../../../platform/config/payment.ts";
import type { HttpClient } from "../../../../platform/http-client/http-client.ts";
import type { Block, Chain } from "./chain.ts";
import { TOKEN } from "./evm-abi.ts";
import { findCause, orUnreachable, rpcTransport } from "./evm-rpc.ts";
import { readToken } from "./evm-token.ts";
import { findTransfer } from "./evm-transfer.ts";

/** The chain at X402_RPC_URL, and the token on it. */
export function openChain({ rpcUrls, asset }: Pick<DirectSettings, "rpcUrls" | "asset">, http: HttpClient): Chain {
  // A contract could have our calls fetched from anywhere (ERC-3668); and what was true a moment ago is not asked for.
  const client = createPublicClient({ transport: rpcTransport(rpcUrls[0]!, http), ccipRead: false, cacheTime: 0 });
  const address = asset.toLowerCase() as Hex;
  const head = async () => blockOf(await client.getBlock({ blockTag: "latest" }));

  return {
    head: () => orUnreachable("its head", head),
    finalized: () =>
      orUnreachable("what is final", async () => {
        const block = await client.getBlock({ blockTag: "finalized" }).catch(nullWhereUnknown);
        return block && blockOf(block).number;
      }),
    isUsed: (payer, nonce) =>
      orUnreachable("whether a payment was used", () => {
        const args = [payer as Hex, nonce as Hex] as const;
        return client.readContract({ address, abi: TOKEN, functionName: "authorizationState", args });
      }),
    transferOf: (authorization, since, before) =>
      orUnreachable("where a payment stands", async () => {
        const { number } = await head();
        return findTransfer({ client, asset: address }, authorization, since, number, before);
      }),
    token: () => orUnreachable("what its token is", () => readToken(client, address)),
  };
}

/** @throws Error where it is no block that a chain has */
function blockOf({ number, timestamp }: ChainBlock): Block {
  if (typeof number !== "bigint" || typeof timestamp !== "bigint") throw new Error("not a block");
  return { number: Number(number), timestamp: Number(timestamp) };
}

/** What nodes answer to a tag they do not know, or to a finality that their chain has not reached yet. */
const UNKNOWN_BLOCK: ReadonlySet<number> = new Set([-32000, -32001, -32602, -39001]);

function nullWhereUnknown(thrown: unknown): null {
  const isUnknown =
    UNKNOWN_BLOCK.has(findCause(thrown, RpcRequestError)?.code ?? 0) || thrown instanceof BlockNotFoundError;
  if (!isUnknown) throw thrown;
  return null;
}
