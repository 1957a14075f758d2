import {
  BlockNotFoundError,
  type BlockTag,
  type Hex,
  hexToNumber,
  RpcRequestError,
  type Block as ViemBlock,
} from "viem";
import type { HttpClient } from "../../../../platform/http-client/http-client.ts";
import { type Block, type BlockId, type Chain, ChainUnreachable, REORGANISABLE, WrongChain } from "./chain.ts";
import { TOKEN } from "./evm-abi.ts";
import { findCause, type NodeClient, openNodeClient, orUnreachable } from "./evm-rpc.ts";
import { readToken } from "./evm-token.ts";
import { findUse } from "./evm-use.ts";

interface NodeSettings {
  readonly url: string;
  /** Contract of the token. */
  readonly asset: string;
  readonly chainId: number;
}

/**
 * The chain as one node shows it. Behind its address there may be several nodes of different height, or of different
 * chains. So state is read by the hash of a block, which a node without that block cannot answer (EIP-1898), and a
 * result counts only if the chain's id and the blocks that it depends on are the same afterwards.
 */
export function openNode({ url, asset, chainId }: NodeSettings, http: HttpClient): Chain {
  const client = openNodeClient(url, http);
  const address = asset.toLowerCase() as Hex;
  /** @param recent blocks that a reorganisation may have replaced meanwhile */
  const verify = async (checkpoint: BlockId | null, ...recent: readonly BlockId[]) => {
    const blocks = checkpoint ? [...recent, checkpoint] : recent;
    const [id, ...standing] = await Promise.all([chainIdOf(client), ...blocks.map((one) => stands(client, one))]);
    if (id !== chainId) throw new WrongChain(`The chain at X402_RPC_URL is eip155:${id}, not eip155:${chainId}.`);
    if (checkpoint && standing.at(-1) === false) throw new WrongChain(isAnother(checkpoint));
    if (standing.includes(null)) throw new ChainUnreachable("A node of the chain lacks a block that it should have.");
    if (standing.includes(false)) throw new ChainUnreachable("The chain was reorganised meanwhile.");
  };
  const newest = async (tag: BlockTag) => {
    const [block] = await Promise.all([client.getBlock({ blockTag: tag }), verify(null)]);
    return blockOf(block);
  };
  const isUsedAt = (blockHash: Hex, payer: Hex, nonce: Hex) => {
    const call = { address, abi: TOKEN, functionName: "authorizationState", args: [payer, nonce] } as const;
    return client.readContract({ ...call, blockHash, requireCanonical: true });
  };

  return {
    latest: () => orUnreachable("its newest block", () => newest("latest")),
    final: () =>
      orUnreachable("what is final", async () => {
        const block = await newest("finalized").catch(nullWhereUnknown);
        if (block) return block;
        const { number } = await newest("latest");
        return blockOf(await client.getBlock({ blockNumber: BigInt(Math.max(0, number - REORGANISABLE)) }));
      }),
    verify: (block) => orUnreachable("whether it is the same", () => verify(block)),
    authorizationState: (search) =>
      orUnreachable("what became of a payment", async () => {
        const { authorization, at, checkpoint } = search;
        const isUsed = await isUsedAt(at.hash as Hex, authorization.from as Hex, authorization.nonce as Hex);
        // If the authorization has expired, it counts as unused only if the logs say so too.
        const isOver = at.timestamp >= authorization.validBefore;
        const found = isUsed || isOver ? await findUse({ client, asset: address }, search) : null;
        await verify(checkpoint, at, ...(found ? [found.in] : []));
        if (found && !isUsed) throw new ChainUnreachable("The chain does not agree with itself.");
        return { isUsed, use: found?.use ?? null };
      }),
    token: () => orUnreachable("what its token is", () => readToken(client, address)),
  };
}

function isAnother({ number }: BlockId): string {
  return `The chain at X402_RPC_URL is another one, or was started anew: its block ${number} is not the one that was final.`;
}

/** @throws Error if it is not a number as JSON-RPC writes one */
async function chainIdOf(client: NodeClient): Promise<number> {
  const id: unknown = await client.request({ method: "eth_chainId" });
  if (typeof id !== "string") throw new Error("not a number");
  return hexToNumber(id as Hex);
}

/** @returns null if the node has no block of that height */
async function stands(client: NodeClient, { number, hash }: BlockId): Promise<boolean | null> {
  try {
    return blockOf(await client.getBlock({ blockNumber: BigInt(number) })).hash === hash;
  } catch (thrown) {
    if (thrown instanceof BlockNotFoundError) return null;
    throw thrown;
  }
}

/** @throws Error if it is not a block that a chain can have */
function blockOf({ number, hash, timestamp }: ViemBlock): Block {
  const isBlock = typeof number === "bigint" && typeof timestamp === "bigint" && isHash(hash);
  if (!isBlock) throw new Error("not a block");
  return { number: Number(number), hash: hash.toLowerCase(), timestamp: Number(timestamp) };
}

function isHash(hash: unknown): hash is Hex {
  return typeof hash === "string" && /^0x[0-9a-f]{64}$/i.test(hash);
}

/** How nodes answer an unknown tag, or a finality that their chain has not reached yet. */
const UNKNOWN_BLOCK: ReadonlySet<number> = new Set([-32000, -32001, -32602, -39001]);

function nullWhereUnknown(thrown: unknown): null {
  const isUnknown =
    UNKNOWN_BLOCK.has(findCause(thrown, RpcRequestError)?.code ?? 0) || thrown instanceof BlockNotFoundError;
  if (!isUnknown) throw thrown;
  return null;
}
