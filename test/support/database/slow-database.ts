import { setTimeout as sleep } from "node:timers/promises";
import type { Engine, Reader, Tx } from "../../../db/engine.ts";
import type { SeededRandom } from "../nodes/seeded-random.ts";

/**
 * The same database, made slow: it waits 0 to `mostMs` ms before and after each transaction's work, and before each prepared
 * statement in it. Locks are held for as long, so that other calls meet them.
 */
export function slowDatabase(db: Engine, { mostMs, random }: { mostMs: number; random: SeededRandom }): Engine {
  const wait = () => sleep(random.between(0, mostMs));
  const prepared = (reader: Reader): Reader["prepared"] => {
    return (name, build) => {
      const statement = reader.prepared(name, build);
      return {
        async execute(values) {
          await wait();
          return statement.execute(values);
        },
      };
    };
  };
  const tx: Engine["tx"] = async (work, options) => {
    await wait();
    return db.tx(async (handle) => {
      const result = await work({ ...handle, prepared: prepared(handle) } as Tx);
      await wait();
      return result;
    }, options);
  };
  return { ...db, tx };
}
