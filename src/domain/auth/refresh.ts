import { and, eq, isNull } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import type { Scope } from "../../platform/principal.ts";
import { grantOf, revokeGrant } from "./grants.ts";
import { type Audience, covers } from "./resources.ts";
import { scopesIn } from "./scopes.ts";
import { hashOf, isSecret } from "./secrets.ts";
import { type IssuedTokens, issueAccessToken, issueRefreshToken } from "./tokens.ts";

/** What a client sends to have its tokens renewed. */
export interface RefreshRequest {
  readonly token: string;
  /** Who says it asks; a public client proves nothing by it. */
  readonly clientId: string | undefined;
  /** Of the access token; without any, all that was granted. */
  readonly scopes: readonly Scope[] | undefined;
  /** What the access token is to be good for; without one, for all that was allowed. */
  readonly audience: Audience | undefined;
  readonly ip: string;
  readonly now: number;
}

/** Why a refresh token is not exchanged. */
export type RefreshRefusal =
  | "unknown"
  | "disconnected"
  | "other_client"
  | "reused"
  | "expired"
  | "wider_scope"
  | "wider_resource";

/**
 * Exchanges a refresh token for an access token and the next refresh token (RFC 6749 section 6, RFC 9700 section
 * 4.14.2). The grant and the next refresh token keep all that was granted; only the access token may be narrower.
 * A used one that comes again, whoever says it asks, disconnects the app: one of the two who presented it has stolen
 * it. A request that asks for too much, or names another client, uses nothing up: it got nothing, and its sender has to
 * be able to correct it without asking the user again. Commit whatever is returned.
 */
export async function rotateRefreshToken(tx: Tx, renewal: RefreshRequest): Promise<IssuedTokens | RefreshRefusal> {
  const { token, ip, now } = renewal;
  const found = await tokenOf(tx, token);
  if (!found) return "unknown";
  const { grantId, usedAt } = found.token;
  const audience = found.token.audience as Audience;
  const grant = await grantOf(tx, grantId);
  if (!grant) return "disconnected";
  if (usedAt !== null) return revokeReused(tx, { grantId, ip, now });
  if (renewal.clientId !== undefined && renewal.clientId !== grant.clientId) return "other_client";
  if (found.token.expiresAt <= now) return "expired";
  const granted = scopesIn(grant.scopes);
  const scopes = renewal.scopes ?? granted;
  if (scopes.length === 0 || scopes.some((scope) => !granted.includes(scope))) return "wider_scope";
  if (renewal.audience !== undefined && !covers(audience, renewal.audience)) return "wider_resource";

  if (!(await use(tx, found.hash, now))) return revokeReused(tx, { grantId, ip, now });
  const access = await issueAccessToken(tx, { grantId, audience: renewal.audience ?? audience, scopes, now });
  return { access, refresh: await issueRefreshToken(tx, { grantId, audience, now }), scopes };
}

async function tokenOf(db: Reader, secret: string) {
  if (!isSecret("refresh", secret)) return null;
  const { refreshTokens } = db.t;
  const hash = hashOf(secret);
  const [token] = await db.q.select().from(refreshTokens).where(eq(refreshTokens.hash, hash));
  return token ? { hash, token } : null;
}

/** Of any number at once, one succeeds. */
async function use(tx: Tx, hash: string, now: number): Promise<boolean> {
  const { refreshTokens } = tx.t;
  const used = await tx.q
    .update(refreshTokens)
    .set({ usedAt: now })
    .where(and(eq(refreshTokens.hash, hash), isNull(refreshTokens.usedAt)))
    .returning();
  return used.length === 1;
}

async function revokeReused(tx: Tx, at: { grantId: string; ip: string; now: number }): Promise<RefreshRefusal> {
  await revokeGrant(tx, { ...at, by: "refresh_reused" });
  return "reused";
}
