import type { GasPrice } from "./fees.ts";
import type { Counts } from "./nodes.ts";

/** The state of the chain at the start of a round of upkeep. */
export interface Situation extends Counts {
  readonly price: GasPrice;
  /** In ms. */
  readonly now: number;
}

/** Blocks for which a transaction may wait: while no block comes, a higher fee does not help it. */
export const BLOCKS_WAITED = 3n;

/** A node may have accepted what it was sent, or not. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}
