import type { Engine } from "../../../db/engine.ts";

/**
 * The database, in whose first transaction `meanwhile` happens: `looked` after it has seen the database and before it
 * does anything, `worked` after it has done everything and before it is committed. What is done again, is done alone.
 * With both snapshots taken before either commits, what comes out of two does not depend on how their statements are mixed.
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
