import * as AbiEvent from "ox/AbiEvent";
import * as Hex from "ox/Hex";
import { type Authorization, type BlockId, ChainUnreachable, type Search, type Use } from "./chain.ts";
import { EVENTS, TOPICS } from "./evm-abi.ts";
import { blockAt, hashOf, hexOf, objectOf, quantityOf, required } from "./evm-answer.ts";
import { besideUse } from "./evm-pairing.ts";
import { type NodeClient, RpcRefusal } from "./evm-rpc.ts";

/** A token on its chain; the address is in lower case. */
interface Token {
  readonly client: NodeClient;
  readonly asset: string;
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
  const still = lastSeenIn === undefined ? null : await useIn(token, lastSeenIn, sought);
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
async function usesOf({ client, asset }: Token, sought: Sought, first: number, last: number): Promise<string[] | null> {
  const range = { fromBlock: Hex.fromNumber(first), toBlock: Hex.fromNumber(last) };
  const filter = { address: asset, topics: [[TOPICS.used, TOPICS.canceled], ...argumentsOf(sought)], ...range };
  try {
    const logs = await client.request("eth_getLogs", [filter]);
    if (!Array.isArray(logs)) throw new Error("not a list of logs");
    return logs
      .map(objectOf)
      .filter(isStanding)
      .map(({ transactionHash }) => hashOf(transactionHash));
  } catch (thrown) {
    const isTooMany = thrown instanceof RpcRefusal && last - first >= FEWEST_BLOCKS;
    if (!isTooMany) throw thrown;
    return null;
  }
}

/** A log of a block that is part of the chain, as far as the node knows: neither removed nor pending. */
function isStanding({ removed, blockNumber }: { removed?: unknown; blockNumber?: unknown }): boolean {
  return removed !== true && blockNumber !== null;
}

/** A log of the token in a receipt. */
interface Log {
  readonly topics: readonly string[];
  readonly data: string;
  readonly index: number;
}

/** @returns null if the node does not know the transaction, or it failed */
async function useIn({ client, asset }: Token, hash: string, sought: Sought): Promise<FoundUse | null> {
  const said = await client.request("eth_getTransactionReceipt", [hash]);
  if (!said) return null;
  const receipt = objectOf(said);
  if (receipt.status !== "0x1") return null;
  const own = logsOf(receipt.logs, asset);
  const event = own.findIndex((log) => isUse(log, sought));
  if (event === -1) throw new ChainUnreachable("The chain does not agree with itself.");
  const next = own[event]!.topics[0] === TOPICS.used ? besideUse(own, event) : undefined;
  const name = hash.toLowerCase();
  const number = quantityOf(receipt.blockNumber);
  const transfer = next && isPayment(next, sought) ? `${name}/${next.index}` : null;
  return { use: { hash: name, block: number, transfer }, in: { number, hash: hashOf(receipt.blockHash) } };
}

/** The logs of a contract, in their order. @throws Error if they are not logs of a receipt */
function logsOf(logs: unknown, contract: string): Log[] {
  if (!Array.isArray(logs)) throw new Error("not a list of logs");
  const own = logs.map(objectOf).filter(({ address }) => hexOf(address).toLowerCase() === contract);
  return own
    .map(({ topics, data, logIndex }) => {
      if (!Array.isArray(topics)) throw new Error("not a list of topics");
      return { topics: topics.map(hashOf), data: hexOf(data), index: quantityOf(logIndex) };
    })
    .sort((one, other) => one.index - other.index);
}

function isUse({ topics: [event, ...rest] }: Log, sought: Sought): boolean {
  return (event === TOPICS.used || event === TOPICS.canceled) && isSame(rest, argumentsOf(sought));
}

function isPayment({ topics, data }: Log, { from, to, value }: Sought): boolean {
  const { topics: expected } = AbiEvent.encode(EVENTS.transfer, { from: from as Hex.Hex, to: to as Hex.Hex });
  return isSame(topics, expected) && isSame([data], [Hex.fromNumber(BigInt(value), { size: 32 })]);
}

/** Payer and nonce as topics, which the two events have in the same order. */
function argumentsOf({ from, nonce }: Pick<Authorization, "from" | "nonce">): readonly unknown[] {
  const args = { authorizer: from as Hex.Hex, nonce: nonce as Hex.Hex };
  return AbiEvent.encode(EVENTS.used, args).topics.slice(1);
}

function isSame(texts: readonly string[], others: readonly unknown[]): boolean {
  return texts.join().toLowerCase() === others.join().toLowerCase();
}

/** Whether the authorization can no longer be used after this block. */
async function isTooLate({ client }: Token, height: number, { validBefore }: Sought): Promise<boolean> {
  const { timestamp } = required(await blockAt(client, height));
  return timestamp >= validBefore;
}
