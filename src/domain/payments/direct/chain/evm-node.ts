import type { HttpClient } from "../../../../platform/http-client/http-client.ts";
import { type BlockId, type Chain, ChainUnreachable, REORGANISABLE, WrongChain } from "./chain.ts";
import { TOKEN } from "./evm-abi.ts";
import { blockAt, quantityOf, readContract, required } from "./evm-answer.ts";
import { type NodeClient, openNodeClient, orUnreachable, RpcRefusal } from "./evm-rpc.ts";
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
  const address = asset.toLowerCase() as `0x${string}`;
  /** @param recent blocks that a reorganisation may have replaced meanwhile */
  const verify = async (checkpoint: BlockId | null, ...recent: readonly BlockId[]) => {
    const blocks = checkpoint ? [...recent, checkpoint] : recent;
    const [id, ...standing] = await Promise.all([chainIdOf(client), ...blocks.map((one) => stands(client, one))]);
    if (id !== chainId) throw new WrongChain(`The chain at X402_RPC_URL is eip155:${id}, not eip155:${chainId}.`);
    if (checkpoint && standing.at(-1) === false) throw new WrongChain(isAnother(checkpoint));
    if (checkpoint && standing.at(-1) === null) throw new ChainUnreachable(isMissing(checkpoint));
    if (standing.includes(null)) throw new ChainUnreachable("A node of the chain lacks a block that it should have.");
    if (standing.includes(false)) throw new ChainUnreachable("The chain was reorganised meanwhile.");
  };
  const newest = async (tag: "latest" | "finalized") => {
    const [block] = await Promise.all([blockAt(client, tag), verify(null)]);
    return block;
  };

  return {
    latest: () => orUnreachable("its newest block", () => newest("latest").then(required)),
    final: () =>
      orUnreachable("what is final", async () => {
        const block = await newest("finalized").catch(nullWhereUnknown);
        if (block) return block;
        const { number } = required(await newest("latest"));
        return required(await blockAt(client, Math.max(0, number - REORGANISABLE)));
      }),
    verify: (block) => orUnreachable("whether it is the same", () => verify(block)),
    authorizationState: (search) =>
      orUnreachable("what became of a payment", async () => {
        const { authorization, at, checkpoint } = search;
        const block = { blockHash: at.hash, requireCanonical: true } as const;
        const asked = [authorization.from, authorization.nonce];
        const isUsed = await readContract(client, [address, TOKEN.authorizationState], asked, block);
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
  return `The chain at X402_RPC_URL is another one, or was started again: its block ${number} is not the one that was final.`;
}

function isMissing({ number }: BlockId): string {
  return `The chain at X402_RPC_URL has no block ${number}, which was final: its node is far behind, or the chain was started again.`;
}

async function chainIdOf(client: NodeClient): Promise<number> {
  return quantityOf(await client.request("eth_chainId"));
}

/** @returns null if the node has no block of that height */
async function stands(client: NodeClient, { number, hash }: BlockId): Promise<boolean | null> {
  const block = await blockAt(client, number);
  return block && block.hash === hash;
}

/** How nodes answer an unknown tag, or a finality that their chain has not reached yet. */
const UNKNOWN_BLOCK: ReadonlySet<number> = new Set([-32000, -32001, -32602, -39001]);

function nullWhereUnknown(thrown: unknown): null {
  if (thrown instanceof RpcRefusal && UNKNOWN_BLOCK.has(thrown.code)) return null;
  throw thrown;
}
