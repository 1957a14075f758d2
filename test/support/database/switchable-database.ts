import type { Engine } from "../../../db/engine.ts";
import { DatabaseUnavailable } from "../../../src/platform/errors/database-unavailable.ts";

/** A database that can be switched off, as if its server were away. */
export interface Away {
  /** What stands between: hand it to who uses the database. */
  between(db: Engine): Engine;
  /** `lost in commit`: transactions are carried out, and the connection is lost before anybody is told. */
  is: "there" | "away" | "lost in commit";
  /** Asked at each transaction while it is there, by what it came to: whether the connection is lost in its commit. */
  lose?: ((value: unknown) => boolean) | undefined;
}

export function awayDatabase(): Away {
  const away: Away = {
    is: "there",
    between: (db) =>
      new Proxy(db, {
        get(target, name: keyof Engine) {
          if (name === "tx") return tx(target);
          if (away.is === "away" && ASKS.has(name)) throw gone();
          return target[name];
        },
      }),
  };
  const tx = (db: Engine): Engine["tx"] =>
    async function run(work) {
      if (away.is === "away") throw gone();
      const isLost = away.is === "lost in commit";
      const value = await db.tx(work);
      if (isLost || away.lose?.(value)) throw gone(true);
      return value;
    };
  return away;
}

const ASKS: ReadonlySet<string> = new Set([
  "q",
  "prepared",
  "keyOf",
  "tokenOf",
  "snapshot",
  "claimSteps",
  "now",
  "among",
]);

function gone(mayHaveHappened = false) {
  return new DatabaseUnavailable("PostgreSQL does not answer.", new Error("ECONNREFUSED"), mayHaveHappened);
}
