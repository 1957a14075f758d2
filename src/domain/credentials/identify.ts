import type { Reader } from "../../../db/engine.ts";
import { iso } from "../../platform/clock.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import type { Principal } from "../../platform/principal.ts";
import { accessOfKey, accessOfToken } from "./access.ts";
import type { Access } from "./access-rows.ts";
import { endOf, principalIn } from "./may-act.ts";
import type { Resource } from "./resources.ts";
import { hashOf, isSecret } from "./secrets.ts";

/** The credentials in the headers of a request. */
export interface PresentedCredentials {
  /** The value of `Authorization`, of any scheme. */
  readonly authorization?: string | undefined;
  /** The value of `X-API-Key`. */
  readonly apiKey?: string | undefined;
}

/** Where and when a credential is presented. */
export interface Presentation {
  readonly resource: Resource;
  readonly now: number;
}

/**
 * Identifies the caller.
 * @returns null when no credential was presented
 * @throws Refusal invalid_request for two differing credentials, unauthorized for one that is not valid
 */
export async function identify(
  db: Reader,
  presented: PresentedCredentials,
  presentation: Presentation,
): Promise<Principal | null> {
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
  const secret = (bearer ?? apiKey!).trim();
  const access = await accessBy(db, { secret, isBearer: bearer !== undefined });
  const end = endOf(access, { ...presentation, scopes: [] });
  if (access && end === null) return principalIn(access);
  if (access?.credential.type === "api_key" && end === "ended") {
    throw invalid(
      `This API key ended at ${iso(access.endsAt)}. Its owner can set a later end date, or create a new key.`,
    );
  }
  throw invalid("The credential is unknown, revoked or expired, or was issued for another resource.");
}

/** The principal of an API key that is neither revoked nor ended, or null. */
export async function principalOfKey(db: Reader, secret: string, now: number): Promise<Principal | null> {
  const access = await accessBy(db, { secret, isBearer: false });
  return access && endOf(access, { scopes: [], now }) === null ? principalIn(access) : null;
}

/** The hash by which the credential in the headers of a request is stored; null where there is none. */
export function hashOfPresented({ authorization, apiKey }: PresentedCredentials): string | null {
  const secret = authorization === undefined ? apiKey : authorization.replace(/^Bearer +/i, "");
  return secret === undefined ? null : hashOf(secret.trim());
}

/** Read at every call, so that what ends an access takes effect at once. A token is valid in Authorization only. */
function accessBy(db: Reader, { secret, isBearer }: { secret: string; isBearer: boolean }): Promise<Access | null> {
  if (/^bk_(live|test)_[\w-]{20,80}$/.test(secret)) return accessOfKey(db, hashOf(secret));
  return isBearer && isSecret("access", secret) ? accessOfToken(db, hashOf(secret)) : Promise.resolve(null);
}

function invalid(message: string): Refusal {
  return new Refusal("unauthorized", message, {}, { "WWW-Authenticate": 'error="invalid_token"' });
}
