import { createPublicClient, custom, type Hex, type PublicClient, RpcRequestError, type Transport } from "viem";
import { SECOND } from "../../../../../platform/clock.ts";
import type { HttpClient } from "../../../../../platform/http-client/http-client.ts";
import { within } from "../../../../../platform/time-limit.ts";
import { findCause, isAway, rpcTransport } from "../../chain/evm-rpc.ts";
import type { GasPrice } from "./fees.ts";
import { bestOf, resultOf, type SendResult } from "./send-result.ts";

/** How many transactions of an account there are. */
export interface Counts {
  /** Mined; this is also the lowest nonce that is not used. */
  readonly mined: number;
  /** With those that follow in the pool of a node. */
  readonly pending: number;
}

/** How long to wait for the other nodes once one has answered. */
const GRACE_MS = SECOND;

/** The nodes of a chain, for an account that sends: an answer of one is enough, and transactions are sent to all. */
export class WalletNodes {
  /** Queries the node that answered last, and the next one if it does not answer. */
  readonly client: PublicClient;
  readonly #nodes: readonly PublicClient[];
  readonly #chainId: number;

  constructor(rpcUrls: readonly string[], chainId: number, http: HttpClient) {
    const transports = rpcUrls.map((url) => rpcTransport(url, http));
    this.#nodes = transports.map(clientOf);
    this.client = transports.length === 1 ? this.#nodes[0]! : clientOf(inTurn(this.#nodes));
    this.#chainId = chainId;
  }

  /**
   * The highest count that a node reports: a node that lags reports less.
   * @throws Error if no node of this chain answers
   */
  async counts(address: Hex): Promise<Counts> {
    const said: Counts[] = [];
    const asked = this.#nodes.map(async (node) => void said.push(await this.#countsOf(node, address)));
    await Promise.any(asked).catch(({ errors }: AggregateError) => {
      throw errors[0];
    });
    await within(Promise.allSettled(asked), GRACE_MS);
    const highest = (pick: (counts: Counts) => number) => Math.max(...said.map(pick));
    return { mined: highest(({ mined }) => mined), pending: highest(({ pending }) => pending) };
  }

  async #countsOf(node: PublicClient, address: Hex): Promise<Counts> {
    const [chainId, mined, pending] = await Promise.all([
      node.getChainId(),
      node.getTransactionCount({ address, blockTag: "latest" }),
      node.getTransactionCount({ address, blockTag: "pending" }),
    ]);
    if (chainId !== this.#chainId) throw new Error("the node is of another chain");
    return { mined, pending };
  }

  /** @throws Error if no node answers */
  async gasPrice(): Promise<GasPrice> {
    const { baseFeePerGas, number } = await this.client.getBlock();
    if (typeof number !== "bigint") throw new Error("not a block");
    if (typeof baseFeePerGas !== "bigint")
      return { baseFee: null, tip: await this.client.getGasPrice(), block: number };
    return { baseFee: baseFeePerGas, tip: await this.client.estimateMaxPriorityFeePerGas(), block: number };
  }

  /** Sends a signed transaction to every node. */
  async broadcast(raw: Hex): Promise<SendResult> {
    const sent = this.#nodes.map((node) => sendTo(node, raw));
    const taken = sent.map(async (one) => {
      if ((await one) !== "taken") throw new Error("not taken");
      return "taken" as const;
    });
    return Promise.any(taken).catch(async () => bestOf(await Promise.all(sent)));
  }
}

async function sendTo(node: PublicClient, serializedTransaction: Hex): Promise<SendResult> {
  try {
    const hash: unknown = await node.sendRawTransaction({ serializedTransaction });
    return typeof hash === "string" ? "taken" : "unknown";
  } catch (thrown) {
    const refused = findCause(thrown, RpcRequestError);
    return refused ? resultOf(refused.details) : "unknown";
  }
}

/** Otherwise a payer that is a contract could make us fetch any URL (ERC-3668). */
function clientOf(transport: Transport): PublicClient {
  return createPublicClient({ transport, ccipRead: false, cacheTime: 0 });
}

/** viem's own `fallback` tries a first node that hangs again at each request. */
function inTurn(nodes: readonly PublicClient[]): Transport {
  let first = 0;
  const request = async (question: { method: string; params?: unknown }) => {
    for (let tried = 1; ; tried++) {
      const asked = first;
      try {
        return await nodes[asked]!.request(question as never);
      } catch (thrown) {
        if (!isAway(thrown) || tried === nodes.length) throw thrown;
        if (first === asked) first = (asked + 1) % nodes.length;
      }
    }
  };
  return custom({ request }, { retryCount: 0 });
}
