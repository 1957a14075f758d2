import * as AbiFunction from "ox/AbiFunction";
import * as Hex from "ox/Hex";
import type { Block } from "./chain.ts";
import type { NodeClient } from "./evm-rpc.ts";

/** An answer of a node before it was checked: any field may be missing, or of another type. */
type Said = Readonly<Record<string, unknown>>;

/** The block as of which a contract is read, by its tag or its hash (EIP-1898). */
type At = "latest" | { readonly blockHash: string; readonly requireCanonical: true };

/**
 * The result of a function that only reads.
 * @throws Error if the function cannot have this result; also what `client.request` throws
 */
export async function readContract<const F extends AbiFunction.AbiFunction>(
  client: NodeClient,
  [to, read]: readonly [to: string, read: F],
  args: readonly unknown[] = [],
  at: At = "latest",
): Promise<AbiFunction.decodeResult.ReturnType<F>> {
  const data = AbiFunction.encodeData(read as AbiFunction.AbiFunction, args);
  const result = hexOf(await client.request("eth_call", [{ to, data }, at]));
  return AbiFunction.decodeResult(read, result) as AbiFunction.decodeResult.ReturnType<F>;
}

/** @returns null if the node has no such block. @throws Error if it is not a block that a chain can have */
export async function blockAt(client: NodeClient, at: number | "latest" | "finalized"): Promise<Block | null> {
  const said = await client.request("eth_getBlockByNumber", [typeof at === "number" ? Hex.fromNumber(at) : at, false]);
  if (!said) return null;
  const { number, hash, timestamp } = objectOf(said);
  return { number: quantityOf(number), hash: hashOf(hash), timestamp: quantityOf(timestamp) };
}

/** @throws Error if the node has no such block */
export function required(block: Block | null): Block {
  if (block) return block;
  throw new Error("no such block");
}

/** @throws Error if it is not an object */
export function objectOf(said: unknown): Said {
  if (typeof said === "object" && said !== null && !Array.isArray(said)) return said as Said;
  throw new Error("not an object");
}

/** @throws Error if it is not a number as JSON-RPC writes one, or one that counts exactly */
export function quantityOf(said: unknown): number {
  const number = typeof said === "string" && /^0x[0-9a-f]+$/i.test(said) ? Number(said) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new Error("not a number");
}

/** In lower case. @throws Error if it is not the hash of a block or a transaction */
export function hashOf(said: unknown): Hex.Hex {
  if (typeof said === "string" && /^0x[0-9a-f]{64}$/i.test(said)) return said.toLowerCase() as Hex.Hex;
  throw new Error("not a hash");
}

/** @throws Error if it is not bytes in hexadecimal */
export function hexOf(said: unknown): Hex.Hex {
  if (typeof said === "string" && /^0x(?:[0-9a-f]{2})*$/i.test(said)) return said as Hex.Hex;
  throw new Error("not hexadecimal");
}
