import { FINAL_DEPTH } from "./anvil.ts";

/** Answer of a node to a JSON-RPC call. */
export interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: results of any method
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A call of JSON-RPC. */
export interface Call {
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: parameters of any method
  readonly params: readonly any[];
}

export type Ask = (method: string, params?: readonly unknown[]) => Promise<Answer>;

export const NO_HEADER: Answer = { error: { code: -32_000, message: "header not found" } };

/**
 * Answers a call as a node does that has heard of no block above this height.
 * @param finalDepth blocks above the newest that is final
 */
export async function askAtHeight(
  ask: Ask,
  { method, params }: Call,
  height: number,
  finalDepth = FINAL_DEPTH,
): Promise<Answer> {
  const tagAt = (tag: unknown) => {
    if (tag === "latest" || tag === "pending") return hex(height);
    return tag === "finalized" || tag === "safe" ? hex(Math.max(0, height - finalDepth)) : tag;
  };
  const isAbove = (quantity: unknown) => typeof quantity === "string" && Number(quantity) > height;
  switch (method) {
    case "eth_blockNumber":
      return { result: hex(height) };
    case "eth_getBlockByNumber":
      return isAbove(params[0]) ? { result: null } : ask(method, [tagAt(params[0]), params[1] ?? false]);
    case "eth_getBlockByHash":
    case "eth_getTransactionReceipt":
    case "eth_getTransactionByHash": {
      const answer = await ask(method, params);
      return isAbove(answer.result?.number ?? answer.result?.blockNumber) ? { result: null } : answer;
    }
    case "eth_getLogs": {
      const { fromBlock, toBlock, ...filter } = params[0];
      if (isAbove(fromBlock)) return { result: [] };
      const last = toBlock === undefined || isAbove(toBlock) ? hex(height) : tagAt(toBlock);
      return ask(method, [{ ...filter, fromBlock, toBlock: last }]);
    }
    case "eth_call": {
      const [call, block = "latest", ...more] = params;
      if (typeof block === "string" || block.blockHash === undefined) return ask(method, [call, tagAt(block), ...more]);
      const { result } = await ask("eth_getBlockByHash", [block.blockHash, false]);
      return !result || isAbove(result.number) ? NO_HEADER : ask(method, params);
    }
    case "eth_getBalance":
    case "eth_getTransactionCount":
      return ask(method, [params[0], tagAt(params[1] ?? "latest")]);
    default:
      return ask(method, params);
  }
}

/**
 * Answers a call as a node does that is on a fork: above this height it has as many blocks as the others, of other hashes
 * and without transactions. None of them becomes final.
 */
export async function askForked(ask: Ask, call: Call, base: number, finalDepth = FINAL_DEPTH): Promise<Answer> {
  const { method, params } = call;
  if (method === "eth_getBlockByNumber" && params[0] !== "finalized" && params[0] !== "safe") {
    const { result } = await ask(method, params);
    const isForked = result && Number(result.number) > base;
    return { result: isForked ? { ...result, hash: otherHash(result.hash), transactions: [] } : result };
  }
  if (method === "eth_call" && params[1]?.blockHash !== undefined) {
    const [question, { blockHash }] = params;
    const isOwn = (await ask("eth_getBlockByHash", [otherHash(blockHash), false])).result;
    if (isOwn) return ask(method, [question, hex(base)]);
  }
  return askAtHeight(ask, call, base, finalDepth);
}

/** Names a block of the fork by the one of the same height, and the other way round. */
function otherHash(hash: string): string {
  const first = Number(`0x${hash.slice(2, 4)}`) ^ 0xff;
  return `0x${first.toString(16).padStart(2, "0")}${hash.slice(4)}`;
}

/** The height of the newest block. */
export async function heightOf(ask: Ask): Promise<number> {
  return Number((await ask("eth_blockNumber")).result);
}

/**
 * The height that the chain had so many seconds before its newest block, or before a time.
 * @param known what was found before, by the newest block and the time
 */
export async function heightBefore(
  ask: Ask,
  seconds: number,
  now: number | null,
  known: Map<string, number>,
): Promise<number> {
  const blockAt = async (height: string) => (await ask("eth_getBlockByNumber", [height, false])).result;
  const newest = await blockAt("latest");
  const until = (now ?? Number(newest.timestamp)) - seconds;
  const name = `${newest.hash} ${until}`;
  const height = known.get(name) ?? (await lastUntil(until, Number(newest.number), blockAt));
  known.set(name, height);
  return height;
}

/** The highest block that has this time or an earlier one. */
async function lastUntil(
  until: number,
  newest: number,
  blockAt: (height: string) => Promise<{ readonly timestamp: string }>,
): Promise<number> {
  let [low, high] = [0, newest];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (Number((await blockAt(hex(middle))).timestamp) <= until) low = middle;
    else high = middle - 1;
  }
  return low;
}

function hex(height: number): string {
  return `0x${height.toString(16)}`;
}
