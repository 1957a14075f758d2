import type { Engine, Tx } from "../../../db/engine.ts";

/**
 * A database that notes how many rows each of its transactions deletes.
 * @param count of the rows that are left
 */
export function rowsPerTransaction(db: Engine, count: () => Promise<number>) {
  const sizes: number[] = [];
  const watched: Engine = {
    ...db,
    async tx<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
      const before = await count();
      const value = await db.tx(work);
      sizes.push(before - (await count()));
      return value;
    },
  };
  return { watched, sizes };
}
