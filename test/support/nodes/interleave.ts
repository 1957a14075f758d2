import type { Engine } from "../../../db/engine.ts";

/**
 * Wraps a database so that `meanwhile` runs within its first transaction, either after that has taken its snapshot and before
 * it does its work, or after its work and before its commit. A retry of the transaction runs without it. Since both
 * snapshots are taken before either transaction commits, the result does not depend on the order of their statements.
 */
export function interleave(
  db: Engine,
  when: "after first read" | "before commit",
  meanwhile: () => Promise<void>,
): Engine {
  let isFirst = true;
  const tx: Engine["tx"] = (work, options) =>
    db.tx(async (handle) => {
      if (!isFirst) return work(handle);
      isFirst = false;
      if (when === "after first read") {
        await handle.q.select().from(handle.t.meta).limit(1);
        await meanwhile();
        return work(handle);
      }
      try {
        return await work(handle);
      } finally {
        await meanwhile();
      }
    }, options);
  return { ...db, tx };
}
