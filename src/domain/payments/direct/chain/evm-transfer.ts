import {
  encodeEventTopics,
  type Hex,
  type Log,
  numberToHex,
  type PublicClient,
  RpcRequestError,
  TransactionReceiptNotFoundError,
} from "viem";
import { type Authorization, ChainUnreachable, type Transfer } from "./chain.ts";
import { TOKEN } from "./evm-abi.ts";
import { besideUse } from "./evm-pairing.ts";
import { findCause } from "./evm-rpc.ts";

/** Of a token on its chain; the address in lower case. */
interface Token {
  readonly client: PublicClient;
  readonly asset: Hex;
}

type Sought = Pick<Authorization, "from" | "to" | "value" | "nonce"> & Partial<Pick<Authorization, "validBefore">>;

/** Blocks that are asked for at once: public nodes take 10 to 10,000, and say no to more. */
const MOST_BLOCKS = 2_000;
const FEWEST_BLOCKS = 10;

/** Questions of one search: what could stand in more blocks than these cover has long been looked for. */
const MOST_QUESTIONS = 500;

/**
 * Looks for the transfer of an authorization in the blocks from one height to another; where it stood before, first,
 * since nodes may forget old logs sooner than receipts.
 */
export async function findTransfer(
  token: Token,
  sought: Sought,
  since: number,
  head: number,
  before?: string,
): Promise<Transfer | null> {
  const still = before === undefined ? null : await transferStillIn(token, before as Hex, sought);
  if (still) return still;
  let [from, span] = [since, MOST_BLOCKS];
  for (let questions = 0; from <= head; questions++) {
    if (questions === MOST_QUESTIONS) throw new ChainUnreachable("A payment is searched for too far back.");
    const to = Math.min(head, from + span - 1);
    const transactions = await usesOf(token, sought, from, to);
    if (!transactions) {
      span = Math.max(FEWEST_BLOCKS, Math.floor((to - from + 1) / 5));
      continue;
    }
    for (const hash of transactions) {
      const transfer = await transferIn(token, hash, sought);
      if (transfer) return transfer;
    }
    if (to < head && (await isTooLate(token, to, sought))) return null;
    from = to + 1;
  }
  return null;
}

/** The transactions that used the authorization; null where the node does not take so many blocks at once. */
async function usesOf(
  { client, asset }: Token,
  { from, nonce }: Sought,
  first: number,
  last: number,
): Promise<Hex[] | null> {
  const args = { authorizer: from as Hex, nonce: nonce as Hex };
  const range = { fromBlock: BigInt(first), toBlock: BigInt(last) };
  try {
    const logs = await client.getLogs({ address: asset, event: USED, args, strict: true, ...range });
    return logs.filter((log) => !log.removed && log.blockNumber !== null).map((log) => log.transactionHash);
  } catch (thrown) {
    const isTooMany = findCause(thrown, RpcRequestError) !== null && last - first >= FEWEST_BLOCKS;
    if (!isTooMany) throw thrown;
    return null;
  }
}

const USED = TOKEN.find((item) => item.type === "event" && item.name === "AuthorizationUsed")!;

async function transferStillIn(token: Token, hash: Hex, sought: Sought): Promise<Transfer | null> {
  try {
    return await transferIn(token, hash, sought);
  } catch (thrown) {
    if (thrown instanceof TransactionReceiptNotFoundError) return null;
    throw thrown;
  }
}

async function transferIn({ client, asset }: Token, hash: Hex, sought: Sought): Promise<Transfer | null> {
  const { status, logs, blockNumber } = await client.getTransactionReceipt({ hash });
  if (status !== "success") return null;
  const own = logs
    .filter((log) => log.address.toLowerCase() === asset)
    .sort((one, other) => one.logIndex - other.logIndex);
  const use = own.findIndex((log) => isUse(log, sought));
  // Its log was found a moment ago: its block has just been reorganised, or another node answers.
  if (use === -1) throw new ChainUnreachable("The chain does not agree with itself.");
  const next = besideUse(own, use);
  if (!next || !isPayment(next, sought)) return null;
  return { hash: hash.toLowerCase(), block: Number(blockNumber), id: `${hash.toLowerCase()}/${next.logIndex}` };
}

function isUse({ topics }: Log, { from, nonce }: Sought): boolean {
  const args = { authorizer: from as Hex, nonce: nonce as Hex };
  return isSame(topics, encodeEventTopics({ abi: TOKEN, eventName: "AuthorizationUsed", args }));
}

function isPayment({ topics, data }: Log, { from, to, value }: Sought): boolean {
  const args = { from: from as Hex, to: to as Hex };
  const expected = encodeEventTopics({ abi: TOKEN, eventName: "Transfer", args });
  return isSame(topics, expected) && isSame([data], [numberToHex(BigInt(value), { size: 32 })]);
}

function isSame(texts: readonly string[], others: readonly unknown[]): boolean {
  return texts.join().toLowerCase() === others.join().toLowerCase();
}

/** Whether the chain takes the authorization no more after this block. */
async function isTooLate({ client }: Token, height: number, { validBefore }: Sought): Promise<boolean> {
  if (validBefore === undefined) return false;
  const { timestamp } = await client.getBlock({ blockNumber: BigInt(height) });
  return timestamp >= validBefore;
}
