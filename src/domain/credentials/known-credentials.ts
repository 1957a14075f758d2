import type { Engine } from "../../../db/engine.ts";
import type { Principal } from "../../platform/principal.ts";
import type { Identified } from "./identify.ts";
import { hashOf } from "./secrets.ts";

/** A caller whose credential is valid, and the version since which its account is the same. */
export interface KnownCaller {
  readonly principal: Principal;
  readonly version: number;
}

/** Most credentials that are known; each takes some hundred bytes. */
const MOST = 20_000;

/**
 * Credentials of one resource that were identified lately, by the SHA-256 of their secret, as the database stores them. One is
 * known only until a commit may have changed its account, since it may have revoked the credential: then it is looked up anew.
 */
export class KnownCredentials {
  readonly #known = new Map<string, Identified & { readonly version: number }>();
  readonly #db: Pick<Engine, "versionOf">;

  constructor(db: Pick<Engine, "versionOf">) {
    this.#db = db;
  }

  /** The caller, and the version of its account (`Engine.versionOf`). */
  find(secret: string, now: number): KnownCaller | null {
    const known = this.#known.get(hashOf(secret));
    if (!known || (known.expiresAt !== null && known.expiresAt <= now)) return null;
    const version = this.#db.versionOf!(known.principal.accountId);
    return known.version >= version ? { principal: known.principal, version } : null;
  }

  /** @param version of the database before the credential was looked up */
  add(secret: string, { principal, expiresAt }: Identified, version: number): void {
    const hash = hashOf(secret);
    this.#known.delete(hash);
    this.#known.set(hash, { principal, expiresAt, version });
    if (this.#known.size > MOST) this.#known.delete(this.#known.keys().next().value!);
  }
}
