import type { Engine } from "../../../db/engine.ts";

/** Of how many transactions of a database one is rehearsed in this run of the tests; 1: all, 0: none. */
const every = Number(process.env.TEST_REHEARSAL ?? 4);

/** As the run wants it: only where transactions are run again after conflicts, on PostgreSQL. */
export function rehearsed(db: Engine): Engine {
  return every > 0 && db.dialect === "pg" ? rehearsing(db, every) : db;
}

/**
 * The database, with every so manieth transaction done twice: the first time it is rolled back just before its commit, as
 * one that others got in the way of. So whatever a transaction does beside changing the database, it does twice.
 */
function rehearsing(db: Engine, every: number): Engine {
  let count = 0;
  const tx: Engine["tx"] = (work, options) => {
    count += 1;
    let isRehearsal = count % every === 0;
    return db.tx(async (handle) => {
      const value = await work(handle);
      if (!isRehearsal) return value;
      isRehearsal = false;
      throw Object.assign(new Error("a rehearsal"), { code: "40001" });
    }, options);
  };
  return { ...db, tx };
}
