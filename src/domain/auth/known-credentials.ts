import type { Principal } from "../../platform/principal.ts";
import type { Identified } from "./identify.ts";
import { hashOf } from "./secrets.ts";

/** Most credentials that are known; each takes some hundred bytes. */
const MOST = 20_000;

/**
 * Credentials of one resource that were identified lately, by the SHA-256 of their secret, as the database stores them. One is
 * known only as long as the database has the version that it had before the credential was looked up: after any commit,
 * which may have revoked it, it is looked up anew.
 */
export class KnownCredentials {
  readonly #known = new Map<string, Identified & { readonly version: number }>();

  /** @param version of the database now */
  find(secret: string, version: number, now: number): Principal | null {
    const known = this.#known.get(hashOf(secret));
    if (!known || known.version !== version) return null;
    return known.expiresAt === null || known.expiresAt > now ? known.principal : null;
  }

  /** @param version of the database before the credential was looked up */
  add(secret: string, { principal, expiresAt }: Identified, version: number): void {
    const hash = hashOf(secret);
    this.#known.delete(hash);
    this.#known.set(hash, { principal, expiresAt, version });
    if (this.#known.size > MOST) this.#known.delete(this.#known.keys().next().value!);
  }
}
