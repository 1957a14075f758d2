import type { JWK } from "jose";
import type { Engine, Reader } from "../../db/engine.ts";

/** The key that signs now, made at its first use. */
export async function currentKey(_db: Engine, _now: number): Promise<{ kid: string; jwk: JWK }> {
  throw new Error("not built yet");
}

/** The public keys as a JWK set (RFC 7517 section 5): the current one, and those retired less than 31 days ago. */
export async function jwksOf(_db: Reader, _now: number): Promise<{ keys: JWK[] }> {
  return { keys: [] };
}
