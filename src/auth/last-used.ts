import { eq } from "drizzle-orm";
import type { Engine } from "../../db/engine.ts";
import { MINUTE } from "../clock.ts";
import type { Principal } from "../context.ts";

type CredentialOf = Principal["credential"];

/** When keys and grants were last used: noted in memory, written about once a second, to the minute. */
export class LastUsed {
  readonly #db: Engine;
  /** Ids seen in this minute. */
  #seen = new Set<string>();
  #minute = 0;
  #fresh: { credential: CredentialOf; at: number }[] = [];

  constructor(db: Engine) {
    this.#db = db;
  }

  touch(credential: CredentialOf, now: number): void {
    const minute = Math.floor(now / MINUTE);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#seen = new Set();
    }
    if (this.#seen.has(credential.id)) return;
    this.#seen.add(credential.id);
    this.#fresh.push({ credential, at: now });
  }

  async flush(): Promise<void> {
    if (this.#fresh.length === 0) return;
    const fresh = this.#fresh;
    this.#fresh = [];
    await this.#db.tx(async (tx) => {
      for (const { credential, at } of fresh) {
        const table = credential.type === "api_key" ? tx.t.apiKeys : tx.t.grants;
        await tx.q.update(table).set({ lastUsedAt: at }).where(eq(table.id, credential.id));
      }
    });
  }
}
