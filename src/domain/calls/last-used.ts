import { inArray } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";
import type { Principal } from "../../platform/principal.ts";

type UsedCredential = Principal["credential"];

/** Most rows that one transaction changes. */
const BATCH = 500;

/** Records when keys and grants were last used, to the minute: in memory first, written about once a second. */
export class LastUsed {
  readonly #db: Engine;
  /** Ids that are not written yet. */
  #unwritten = { keys: [] as string[], grants: [] as string[] };
  #latest = 0;

  constructor(db: Engine) {
    this.#db = db;
  }

  /** To be called for a credential's first use in a minute. */
  touch({ id, type }: UsedCredential, now: number): void {
    this.#latest = now;
    (type === "api_key" ? this.#unwritten.keys : this.#unwritten.grants).push(id);
  }

  /**
   * Writes in batches, because every active credential is written when a minute begins. Other writers get through in between.
   */
  async flush(): Promise<void> {
    const { keys, grants } = this.#unwritten;
    if (keys.length + grants.length === 0) return;
    this.#unwritten = { keys: [], grants: [] };
    try {
      await this.#write(this.#db.t.apiKeys, keys, this.#latest);
      await this.#write(this.#db.t.grants, grants, this.#latest);
    } catch (thrown) {
      // The next flush writes all of them, including the ones that this flush has written already.
      this.#unwritten = {
        keys: [...new Set([...keys, ...this.#unwritten.keys])],
        grants: [...new Set([...grants, ...this.#unwritten.grants])],
      };
      throw thrown;
    }
  }

  async #write(table: Engine["t"]["apiKeys"] | Engine["t"]["grants"], ids: readonly string[], lastUsedAt: number) {
    for (let from = 0; from < ids.length; from += BATCH) {
      const batch = ids.slice(from, from + BATCH);
      await this.#db.tx(async (tx) => {
        await tx.q.update(table).set({ lastUsedAt }).where(inArray(table.id, batch));
      });
    }
  }
}
