import { inArray } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";
import { MINUTE } from "../../platform/clock.ts";
import type { Principal } from "../../platform/principal.ts";

type CredentialOf = Principal["credential"];

/** Most rows that one transaction changes. */
const BATCH = 500;

/** When keys and grants were last used: noted in memory, written about once a second, to the minute. */
export class LastUsed {
  readonly #db: Engine;
  /** Ids seen in this minute. */
  #seen = new Set<string>();
  #minute = 0;
  #fresh = { keys: [] as string[], grants: [] as string[] };
  #latest = 0;

  constructor(db: Engine) {
    this.#db = db;
  }

  touch({ id, type }: CredentialOf, now: number): void {
    const minute = Math.floor(now / MINUTE);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#seen = new Set();
    }
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    this.#latest = now;
    (type === "api_key" ? this.#fresh.keys : this.#fresh.grants).push(id);
  }

  /** At the turn of a minute everybody is fresh at once: one statement for many, and the writer free in between. */
  async flush(): Promise<void> {
    const { keys, grants } = this.#fresh;
    if (keys.length + grants.length === 0) return;
    this.#fresh = { keys: [], grants: [] };
    try {
      await this.#write(this.#db.t.apiKeys, keys, this.#latest);
      await this.#write(this.#db.t.grants, grants, this.#latest);
    } catch (thrown) {
      // Written by the next flush; what this one has written already is written again.
      this.#fresh = {
        keys: [...new Set([...keys, ...this.#fresh.keys])],
        grants: [...new Set([...grants, ...this.#fresh.grants])],
      };
      throw thrown;
    }
  }

  async #write(table: Engine["t"]["apiKeys"] | Engine["t"]["grants"], ids: readonly string[], at: number) {
    for (let from = 0; from < ids.length; from += BATCH) {
      const batch = ids.slice(from, from + BATCH);
      await this.#db.tx(async (tx) => {
        await tx.q.update(table).set({ lastUsedAt: at }).where(inArray(table.id, batch));
      });
    }
  }
}
