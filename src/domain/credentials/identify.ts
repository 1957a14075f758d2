import { and, eq, isNull } from "drizzle-orm";
import type { Credential, Reader } from "../../../db/engine.ts";
import { iso } from "../../platform/clock.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import type { Principal } from "../../platform/principal.ts";
import { type Audience, covers, type Resource } from "./resources.ts";
import { scopesIn } from "./scopes.ts";
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
  const key = await storedKey(db, secret);
  if (key && hasEnded(key, presentation.now)) {
    throw invalid(
      `This API key ended at ${iso(key.expiresAt)}. Its owner can set a later end date, or create a new key.`,
    );
  }
  // A token is valid in Authorization only.
  const found = key ?? (bearer === undefined ? null : await storedToken(db, bearer, presentation));
  if (!found) throw invalid("The credential is unknown, revoked or expired, or was issued for another resource.");
  return principalOf(found);
}

/** The principal of an API key that is neither revoked nor ended, or null. */
export async function principalOfKey(db: Reader, secret: string, now: number): Promise<Principal | null> {
  const key = await storedKey(db, secret);
  return key && !hasEnded(key, now) ? principalOf(key) : null;
}

/**
 * The principal of a credential by its id, for work that goes on without a request.
 * @returns null when it was revoked or has ended
 */
export async function principalById(
  db: Reader,
  { accountId, id }: { readonly accountId: string; readonly id: string },
  now: number,
): Promise<Principal | null> {
  const { apiKeys, grants, budgets } = db.t;
  const isKey = and(eq(apiKeys.id, id), eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt));
  const [key] = await db.q.select().from(apiKeys).where(isKey);
  if (key) return hasEnded(key, now) ? null : principalOf({ ...key, holder: id, kind: "api_key" });
  const isGrant = and(eq(grants.id, id), eq(grants.accountId, accountId), isNull(grants.revokedAt));
  const isBudget = and(eq(budgets.accountId, grants.accountId), eq(budgets.holder, grants.holder));
  const [found] = await db.q
    .select({ grant: grants, expiresAt: budgets.expiresAt })
    .from(grants)
    .leftJoin(budgets, isBudget)
    .where(isGrant);
  if (!found || hasEnded(found, now) || hasEnded({ expiresAt: found.grant.endsAt }, now)) return null;
  return principalOf(found.grant);
}

/** The key with this secret, unless it was revoked. Read at every call, so that a revocation takes effect at once. */
function storedKey(db: Reader, secret: string) {
  return /^bk_(live|test)_[\w-]{20,80}$/.test(secret) ? db.keyOf(hashOf(secret)) : null;
}

function hasEnded({ expiresAt }: { expiresAt: number | null }, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** The access token with this secret, or null. It and its grant must be valid, and its audience cover the resource. */
async function storedToken(db: Reader, secret: string, { resource, now }: Presentation) {
  if (!isSecret("access", secret)) return null;
  const token = await db.tokenOf(hashOf(secret));
  return token && token.expiresAt > now && covers(token.audience as Audience, resource) ? token : null;
}

function principalOf(found: Credential): Principal {
  const { id, accountId, holder, kind, name, scopes } = found;
  const type = kind as Principal["credential"]["type"];
  return { accountId, credential: { id, type, name, scopes: scopesIn(scopes), holder } };
}

function invalid(message: string): Refusal {
  return new Refusal("unauthorized", message, {}, { "WWW-Authenticate": 'error="invalid_token"' });
}
