import { eq } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import type { Scope } from "../../platform/principal.ts";
import { type Audience, covers } from "../credentials/resources.ts";
import { scopesIn } from "../credentials/scopes.ts";
import { hashOf, isSecret } from "../credentials/secrets.ts";
import { budgetOf } from "../spending/budgets.ts";
import { type GrantRow, grantOf, revokeGrant } from "./grants.ts";
import { type Overlap, succeed, successorOf } from "./successors.ts";
import { type IssuedTokens, issueAccessToken, issueRefreshToken } from "./tokens.ts";

/** A client's request to renew its tokens. */
export interface RefreshRequest {
  readonly token: string;
  /** As the client claims: a public client does not prove it. */
  readonly clientId: string | undefined;
  /** The scopes of the access token; by default, all that were granted. */
  readonly scopes: readonly Scope[] | undefined;
  /** The audience of the access token; by default, the one that was approved. */
  readonly audience: Audience | undefined;
  readonly overlap: Overlap;
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
 * A refresh token that is presented again, by whatever client, ends the grant: one of its two senders has stolen it. Within the
 * overlap its own client gets the same next refresh token again: its answer was lost, or two of its processes renew at once. A
 * request for too much, or with another client_id, does not use the token up, so that the app can correct it without
 * asking the user again. The transaction must be committed whatever is returned.
 */
export async function rotateRefreshToken(tx: Tx, renewal: RefreshRequest): Promise<IssuedTokens | RefreshRefusal> {
  const { token, overlap, ip, now } = renewal;
  const found = await tokenOf(tx, token);
  if (!found) return "unknown";
  const { hash, grantId } = found;
  const audience = found.audience as Audience;
  const grant = await grantOf(tx, grantId);
  if (!grant) return "disconnected";
  const isOwn = renewal.clientId === undefined || renewal.clientId === grant.clientId;
  const known = isOwn ? successorOf(found, overlap, now) : null;
  if (found.usedAt !== null && known === null) return revokeReused(tx, { grantId, ip, now });
  if (!isOwn) return "other_client";
  const isExpired = known === null && found.expiresAt <= now;
  if (isExpired || (await hasEnded(tx, grant, now))) return "expired";
  const granted = scopesIn(grant.scopes);
  const scopes = renewal.scopes ?? granted;
  if (scopes.length === 0 || scopes.some((scope) => !granted.includes(scope))) return "wider_scope";
  if (renewal.audience !== undefined && !covers(audience, renewal.audience)) return "wider_resource";

  const refresh = known ?? (await issueRefreshToken(tx, { grantId, audience, now }));
  if (known === null && !(await succeed(tx, hash, { successor: refresh, overlap, now })))
    return revokeReused(tx, { grantId, ip, now });
  const access = await issueAccessToken(tx, { grantId, audience: renewal.audience ?? audience, scopes, now });
  return { access, refresh, scopes };
}

/** Whether the end that its person has set for the app is reached. */
async function hasEnded(tx: Tx, { accountId, holder }: GrantRow, now: number): Promise<boolean> {
  const end = (await budgetOf(tx, { accountId, holder }))?.expiresAt ?? null;
  return end !== null && end <= now;
}

async function tokenOf(db: Reader, secret: string) {
  if (!isSecret("refresh", secret)) return null;
  const { refreshTokens } = db.t;
  const [token] = await db.q
    .select()
    .from(refreshTokens)
    .where(eq(refreshTokens.hash, hashOf(secret)));
  return token ?? null;
}

async function revokeReused(tx: Tx, reuse: { grantId: string; ip: string; now: number }): Promise<RefreshRefusal> {
  await revokeGrant(tx, { ...reuse, by: "refresh_reused" });
  return "reused";
}
