/** What blocks require for gas, in wei per unit. */
export interface GasPrice {
  /** Of the newest block; null on chains without one (EIP-1559), where `tip` is the whole price. */
  readonly baseFee: bigint | null;
  readonly tip: bigint;
  /** Height at which this was read. */
  readonly block: bigint;
}

/** What a transaction offers, in wei per unit of gas. */
export type Fees =
  | { readonly type: "eip1559"; readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
  | { readonly type: "legacy"; readonly gasPrice: bigint };

/** Blocks require more than X402_MAX_GAS_GWEI. */
export class GasTooDear extends Error {
  override readonly name = "GasTooDear";
}

/** What the next block requires. */
export function asked({ baseFee, tip }: GasPrice): bigint {
  return (baseFee ?? 0n) + tip;
}

/**
 * The offer of a new transaction: the base fee may double before it is in a block.
 * @param cap highest price of a unit of gas, in wei
 * @throws GasTooDear
 */
export function offerFor(price: GasPrice, cap: bigint): Fees {
  if (asked(price) > cap) throw new GasTooDear();
  return price.baseFee === null
    ? { type: "legacy", gasPrice: price.tip }
    : dynamic(least(2n * price.baseFee + price.tip, cap), price.tip);
}

/**
 * The offer of a transaction that replaces another one with the same nonce. Nodes accept it if each of its fees is 10%
 * higher (go-ethereum, `txpool.pricebump`); a base fee rises by up to 12.5% from block to block.
 * @throws GasTooDear
 */
export function bumped(fees: Fees, price: GasPrice, cap: bigint): Fees {
  const today = offerFor(price, cap);
  if (fees.type === "legacy" || today.type === "legacy")
    return { type: "legacy", gasPrice: capped(most(raised(maxOf(fees)), maxOf(today)), cap) };
  const tip = capped(most(raised(fees.maxPriorityFeePerGas), today.maxPriorityFeePerGas), cap);
  return dynamic(capped(most(most(raised(fees.maxFeePerGas), today.maxFeePerGas), tip), cap), tip);
}

/**
 * Half as much again, to replace a transaction whose fees are not known.
 * @throws GasTooDear
 */
export function grown(fees: Fees, cap: bigint): Fees {
  const more = (fee: bigint) => fee + fee / 2n + 1n;
  if (fees.type === "legacy") return { type: "legacy", gasPrice: capped(more(fees.gasPrice), cap) };
  const max = capped(more(fees.maxFeePerGas), cap);
  return dynamic(max, least(more(fees.maxPriorityFeePerGas), max));
}

/** Whether no block accepts this offer at present. */
export function isBelow(fees: Fees, { baseFee, tip }: GasPrice): boolean {
  if (fees.type === "legacy" || baseFee === null) return maxOf(fees) < (baseFee ?? 0n) + tip;
  return fees.maxFeePerGas < baseFee + least(fees.maxPriorityFeePerGas, tip);
}

/** An eighth more, and at least one wei. */
function raised(fee: bigint): bigint {
  return fee + fee / 8n + 1n;
}

function maxOf(fees: Fees): bigint {
  return fees.type === "legacy" ? fees.gasPrice : fees.maxFeePerGas;
}

function capped(fee: bigint, cap: bigint): bigint {
  if (fee > cap) throw new GasTooDear();
  return fee;
}

function dynamic(maxFeePerGas: bigint, maxPriorityFeePerGas: bigint): Fees {
  return { type: "eip1559", maxFeePerGas, maxPriorityFeePerGas };
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function most(one: bigint, other: bigint): bigint {
  return least(one, other) === one ? other : one;
}
