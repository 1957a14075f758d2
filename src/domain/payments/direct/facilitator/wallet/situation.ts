import type { GasPrice } from "./fees.ts";
import type { Counts } from "./nodes.ts";

/** The chain as a round of upkeep finds it. */
export interface Situation extends Counts {
  readonly price: GasPrice;
  /** In ms. */
  readonly now: number;
}

/** Blocks that a transaction is left to wait: while no block comes, a higher fee does not help it. */
export const BLOCKS_WAITED = 3n;

/** A node may have taken what it was sent, or not. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}
