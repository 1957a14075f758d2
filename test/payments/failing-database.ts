import type { Engine } from "../../db/engine.ts";

/** Makes the nth transaction from now on fail, before it writes anything. */
export async function withFailing<T>(db: Engine, nth: number, work: () => Promise<T>): Promise<T> {
  const tx = db.tx.bind(db);
  let left = nth;
  const failing: Engine["tx"] = (run) => (left-- === 0 ? Promise.reject(new Error("the disk is full")) : tx(run));
  Object.assign(db, { tx: failing });
  try {
    return await work();
  } finally {
    Object.assign(db, { tx });
  }
}
