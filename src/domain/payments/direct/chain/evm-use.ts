import {
  encodeEventTopics,
  type Hex,
  type Log,
  numberToHex,
  RpcRequestError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from "viem";
import { type Authorization, type BlockId, ChainUnreachable, type Search, type Use } from "./chain.ts";
import { TOKEN } from "./evm-abi.ts";
import { besideUse } from "./evm-pairing.ts";
import { findCause, type NodeClient } from "./evm-rpc.ts";

/** Of a token on its chain; the address in lower case. */
interface Token {
  readonly client: NodeClient;
  readonly asset: Hex;
}

type Sought = Search["authorization"];

/** A use, and the block whose receipt shows it. */
interface FoundUse {
  readonly use: Use;
  readonly in: BlockId;
}

/** Blocks of one request: public nodes accept 10 to 10,000, and refuse more. */
const MOST_BLOCKS = 2_000;
const FEWEST_BLOCKS = 10;

/** Most requests of one search: earlier rounds have long covered blocks farther back than these reach. */
const MOST_QUESTIONS = 500;

/**
 * Looks for the event by which the token used an authorization, from one height to the block as of which the chain is
 * read. The transaction where it was found before is read first, since nodes may drop old logs sooner than receipts.
 * @returns null if no log shows it, which proves nothing: the logs of a node may lag behind its state
 */
export async function findUse(token: Token, search: Search): Promise<FoundUse | null> {
  const { authorization: sought, at, since, lastSeenIn } = search;
  const still = lastSeenIn === undefined ? null : await useIn(token, lastSeenIn as Hex, sought);
  if (still && still.use.block <= at.number) return still;
  let [from, span] = [since, MOST_BLOCKS];
  for (let questions = 0; from <= at.number; questions++) {
    if (questions === MOST_QUESTIONS) throw new ChainUnreachable("A payment is searched for too far back.");
    const to = Math.min(at.number, from + span - 1);
    const transactions = await usesOf(token, sought, from, to);
    if (!transactions) {
      span = Math.max(FEWEST_BLOCKS, Math.floor((to - from + 1) / 5));
      continue;
    }
    for (const hash of transactions) {
      const found = await useIn(token, hash, sought);
      // Its log was found a moment ago: its block has just been reorganised, or another node answers.
      if (!found) throw new ChainUnreachable("The chain does not agree with itself.");
      return found;
    }
    if (to < at.number && (await isTooLate(token, to, sought))) return null;
    from = to + 1;
  }
  return null;
}

/** The transactions that used the authorization; null if the node does not accept so many blocks at once. */
async function usesOf({ client, asset }: Token, sought: Sought, first: number, last: number): Promise<Hex[] | null> {
  const range = { fromBlock: numberToHex(first), toBlock: numberToHex(last) };
  const filter = { address: asset, topics: [[USED, CANCELED], ...argumentsOf(sought)], ...range };
  try {
    const logs: unknown = await client.request({ method: "eth_getLogs", params: [filter] });
    if (!Array.isArray(logs)) throw new Error("not a list of logs");
    return logs.filter(isStanding).map(({ transactionHash }) => transactionHash);
  } catch (thrown) {
    const isTooMany = findCause(thrown, RpcRequestError) !== null && last - first >= FEWEST_BLOCKS;
    if (!isTooMany) throw thrown;
    return null;
  }
}

/** A log of a block that is part of the chain, as far as the node knows: neither removed nor pending. */
function isStanding(log: { removed?: unknown; blockNumber: unknown }): boolean {
  return log.removed !== true && log.blockNumber !== null;
}

/** @returns null if the node does not know the transaction, or it failed */
async function useIn({ client, asset }: Token, hash: Hex, sought: Sought): Promise<FoundUse | null> {
  const receipt = await receiptOf(client, hash);
  if (receipt?.status !== "success") return null;
  const own = receipt.logs
    .filter((log) => log.address.toLowerCase() === asset)
    .sort((one, other) => one.logIndex - other.logIndex);
  const event = own.findIndex((log) => isUse(log, sought));
  if (event === -1) throw new ChainUnreachable("The chain does not agree with itself.");
  const next = own[event]!.topics[0] === USED ? besideUse(own, event) : undefined;
  const name = hash.toLowerCase();
  const number = Number(receipt.blockNumber);
  const transfer = next && isPayment(next, sought) ? `${name}/${next.logIndex}` : null;
  return { use: { hash: name, block: number, transfer }, in: { number, hash: receipt.blockHash.toLowerCase() } };
}

/** @returns null if the node does not know it */
async function receiptOf(client: NodeClient, hash: Hex): Promise<TransactionReceipt | null> {
  try {
    return await client.getTransactionReceipt({ hash });
  } catch (thrown) {
    if (thrown instanceof TransactionReceiptNotFoundError) return null;
    throw thrown;
  }
}

function isUse({ topics: [event, ...rest] }: Log, sought: Sought): boolean {
  return (event === USED || event === CANCELED) && isSame(rest, argumentsOf(sought));
}

function isPayment({ topics, data }: Log, { from, to, value }: Sought): boolean {
  const args = { from: from as Hex, to: to as Hex };
  const expected = encodeEventTopics({ abi: TOKEN, eventName: "Transfer", args });
  return isSame(topics, expected) && isSame([data], [numberToHex(BigInt(value), { size: 32 })]);
}

const [USED] = encodeEventTopics({ abi: TOKEN, eventName: "AuthorizationUsed" });
const [CANCELED] = encodeEventTopics({ abi: TOKEN, eventName: "AuthorizationCanceled" });

/** Payer and nonce as topics, which the two events have in the same order. */
function argumentsOf({ from, nonce }: Pick<Authorization, "from" | "nonce">): Hex[] {
  const args = { authorizer: from as Hex, nonce: nonce as Hex };
  return encodeEventTopics({ abi: TOKEN, eventName: "AuthorizationUsed", args }).slice(1) as Hex[];
}

function isSame(texts: readonly string[], others: readonly unknown[]): boolean {
  return texts.join().toLowerCase() === others.join().toLowerCase();
}

/** Whether the authorization can no longer be used after this block. */
async function isTooLate({ client }: Token, height: number, { validBefore }: Sought): Promise<boolean> {
  const { timestamp } = await client.getBlock({ blockNumber: BigInt(height) });
  return timestamp >= validBefore;
}
