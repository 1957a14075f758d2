import type { Credential, Reader } from "../../../db/engine.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import type { Principal } from "../../platform/principal.ts";
import { type Audience, covers, type Resource } from "./resources.ts";
import { scopesIn } from "./scopes.ts";
import { hashOf, isSecret } from "./secrets.ts";

/** The secrets a request carries, as its surface found them in the headers. */
export interface PresentedCredentials {
  /** Of `Authorization`, whatever its scheme. */
  readonly authorization?: string | undefined;
  /** Of `X-API-Key`. */
  readonly apiKey?: string | undefined;
}

/** Where and when a secret is presented. */
export interface At {
  readonly resource: Resource;
  readonly now: number;
}

/**
 * Who is calling.
 * @returns null when no credential was presented
 * @throws Refusal invalid_request for two differing credentials, unauthorized for one that is not valid
 */
export async function identify(db: Reader, presented: PresentedCredentials, at: At): Promise<Principal | null> {
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
  const principal =
    (await principalOfKey(db, (bearer ?? apiKey!).trim())) ??
    (bearer === undefined ? null : await principalOfToken(db, bearer, at));
  if (!principal) throw invalid("The credential is unknown, revoked or expired, or was issued for another resource.");
  return principal;
}

/** Who an API key speaks for, or null. Asked anew at every call, so that a revocation holds at the next one. */
export async function principalOfKey(db: Reader, secret: string): Promise<Principal | null> {
  if (!/^bk_(live|test)_[\w-]{20,80}$/.test(secret)) return null;
  return principalOf(await db.keyOf(hashOf(secret)));
}

/** Who an access token speaks for: it must be alive, its grant too, and this resource among what it is good for. */
async function principalOfToken(db: Reader, secret: string, { resource, now }: At): Promise<Principal | null> {
  if (!isSecret("access", secret)) return null;
  const token = await db.tokenOf(hashOf(secret));
  if (!token || token.expiresAt <= now || !covers(token.audience as Audience, resource)) return null;
  return principalOf(token);
}

function principalOf(found: Credential | null): Principal | null {
  if (!found) return null;
  const { id, accountId, kind, name, scopes } = found;
  const type = kind as Principal["credential"]["type"];
  return { accountId, credential: { id, type, name, scopes: scopesIn(scopes) } };
}

function invalid(message: string): Refusal {
  return new Refusal("unauthorized", message, {}, { "WWW-Authenticate": 'error="invalid_token"' });
}
