import type { Reader } from "../../db/engine.ts";
import { principalOfKey } from "../accounts/keys.ts";
import type { Principal } from "../context.ts";
import { Refusal } from "../errors.ts";

/** The secrets a request carries, as its surface found them in the headers. */
export interface Presented {
  /** Of `Authorization`, whatever its scheme. */
  readonly authorization?: string | undefined;
  /** Of `X-API-Key`. */
  readonly apiKey?: string | undefined;
}

/**
 * Who is calling.
 * @returns null when no credential was presented
 * @throws Refusal invalid_request for two differing credentials, unauthorized for one that is not valid
 */
export async function identify(db: Reader, presented: Presented): Promise<Principal | null> {
  const { authorization, apiKey } = presented;
  if (authorization === undefined && apiKey === undefined) return null;
  const bearer = authorization === undefined ? undefined : /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization)?.[1];
  if (authorization !== undefined && bearer === undefined)
    throw invalid("The Authorization header is not of the form `Bearer <token>`.");
  if (bearer !== undefined && apiKey !== undefined && bearer !== apiKey.trim()) {
    throw new Refusal("invalid_request", "Two different credentials were sent. Send one.", {
      issues: [{ path: "X-API-Key", message: "differs from the Authorization header" }],
    });
  }
  const principal = await principalOfKey(db, (bearer ?? apiKey!).trim());
  if (!principal) throw invalid("The credential is unknown, revoked or expired.");
  return principal;
}

function invalid(message: string): Refusal {
  return new Refusal("unauthorized", message, {}, { "WWW-Authenticate": 'error="invalid_token"' });
}
