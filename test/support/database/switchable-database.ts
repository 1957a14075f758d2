import type { Engine } from "../../../db/engine.ts";
import { DatabaseUnavailable } from "../../../src/platform/errors/database-unavailable.ts";

/** Stands in front of databases and fails their calls, as if their server were unreachable. */
export interface SwitchableDatabase {
  /** @returns the database, which fails while `state` says so */
  wrap(db: Engine): Engine;
  /** `loses commits`: transactions are committed, but the connection breaks before the commit is confirmed. */
  state: "up" | "down" | "loses commits";
  /** While up: called with the result of each transaction; true loses the confirmation of its commit. */
  losesCommit?: ((value: unknown) => boolean) | undefined;
}

export function switchableDatabase(): SwitchableDatabase {
  const switchable: SwitchableDatabase = {
    state: "up",
    wrap: (db) =>
      new Proxy(db, {
        get(target, name: keyof Engine) {
          if (name === "tx") return tx(target);
          if (switchable.state === "down" && QUERYING.has(name)) throw unavailable();
          return target[name];
        },
      }),
  };
  const tx = (db: Engine): Engine["tx"] =>
    async function run(work) {
      if (switchable.state === "down") throw unavailable();
      const losesCommit = switchable.state === "loses commits";
      const value = await db.tx(work);
      if (losesCommit || switchable.losesCommit?.(value)) throw unavailable(true);
      return value;
    };
  return switchable;
}

/** Members of `Engine` that query the database, besides `tx`. */
const QUERYING: ReadonlySet<string> = new Set([
  "q",
  "prepared",
  "keyOf",
  "tokenOf",
  "snapshot",
  "claimSteps",
  "now",
  "among",
]);

function unavailable(mayHaveHappened = false) {
  return new DatabaseUnavailable("PostgreSQL does not answer.", new Error("ECONNREFUSED"), mayHaveHappened);
}
