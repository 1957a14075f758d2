import type { Engine } from "../../../db/engine.ts";

/** Every nth transaction of a database is retried in this run of the tests; 1: all, 0: none. */
const every = Number(process.env.TEST_RETRY_EVERY ?? 4);

/** Forces retries on PostgreSQL, where transactions are retried after serialization failures; other databases stay as they are. */
export function withForcedRetries(db: Engine): Engine {
  return every > 0 && db.dialect === "pg" ? retryEvery(db, every) : db;
}

/**
 * Runs every nth transaction twice: the first run is rolled back just before its commit, as after a serialization failure.
 * A transaction with effects outside the database shows them twice, so that tests fail.
 */
function retryEvery(db: Engine, every: number): Engine {
  let count = 0;
  const tx: Engine["tx"] = (work, options) => {
    count += 1;
    let isRolledBack = count % every === 0;
    return db.tx(async (handle) => {
      const value = await work(handle);
      if (!isRolledBack) return value;
      isRolledBack = false;
      throw Object.assign(new Error("a forced retry"), { code: "40001" });
    }, options);
  };
  return { ...db, tx };
}
