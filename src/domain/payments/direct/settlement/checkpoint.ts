import { and, eq } from "drizzle-orm";
import type { Engine, Reader } from "../../../../../db/engine.ts";
import { type BlockId, type Chain, REORGANISABLE } from "../chain/chain.ts";
import type { Terms } from "../protocol/terms.ts";

interface CheckpointDeps {
  readonly db: Engine;
  readonly chain: Chain;
  readonly terms: Pick<Terms, "network">;
}

/**
 * The checkpoint of a chain: a block that was final, and that every check of the chain has to find again. A node of another
 * chain does not have it, even if that chain has the same id. This chain does not have it either after a restart from its first
 * block. It is stored in `meta`, and moves up with the chain, so that nodes which drop old blocks have it.
 */
export class Checkpoint {
  readonly #deps: CheckpointDeps;
  /** A final block that becomes the checkpoint if the chain still has it the next time. */
  #candidate: BlockId | null = null;

  constructor(deps: CheckpointDeps) {
    this.#deps = deps;
  }

  /**
   * The first checkpoint is the newest final block.
   * @throws ChainUnreachable
   */
  async current(): Promise<BlockId> {
    const { db, chain, terms } = this.#deps;
    const known = await storedCheckpoint(db, terms.network);
    if (known) return known;
    const { number, hash } = await chain.final();
    return db.tx(async (tx) => {
      await tx.q
        .insert(tx.t.meta)
        .values({ name: nameOf(terms.network), value: format({ number, hash }) })
        .onConflictDoNothing();
      return (await storedCheckpoint(tx, terms.network))!;
    });
  }

  /**
   * Moves the checkpoint up once the chain has grown.
   * @throws ChainUnreachable, WrongChain if the chain does not have it
   */
  async advance(): Promise<void> {
    const { chain } = this.#deps;
    const current = await this.current();
    await chain.verify(current);
    if (this.#candidate) await this.#adopt(current, this.#candidate);
    const { number, hash } = await chain.final();
    this.#candidate = number >= current.number + REORGANISABLE ? { number, hash } : null;
  }

  /** Another process may have moved it. */
  async #adopt(current: BlockId, candidate: BlockId): Promise<void> {
    const { db, chain, terms } = this.#deps;
    this.#candidate = null;
    await chain.verify(candidate);
    await db.tx(async (tx) => {
      const { meta } = tx.t;
      const unchanged = and(eq(meta.name, nameOf(terms.network)), eq(meta.value, format(current)));
      await tx.q
        .update(meta)
        .set({ value: format(candidate) })
        .where(unchanged);
    });
  }
}

/** The checkpoint of a network; null before the first payment there. */
export async function storedCheckpoint(db: Reader, network: string): Promise<BlockId | null> {
  const { meta } = db.t;
  const [row] = await db.q
    .select({ value: meta.value })
    .from(meta)
    .where(eq(meta.name, nameOf(network)));
  return row ? (JSON.parse(row.value) as BlockId) : null;
}

function nameOf(network: string): string {
  return `checkpoint:${network}`;
}

function format({ number, hash }: BlockId): string {
  return JSON.stringify({ number, hash });
}
