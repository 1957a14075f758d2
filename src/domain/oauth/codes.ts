import { and, eq, isNull } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import type { Scope } from "../../platform/principal.ts";
import { type Audience, covers } from "../credentials/resources.ts";
import { scopesIn, scopeText } from "../credentials/scopes.ts";
import { hashOf, isSecret, newSecret } from "../credentials/secrets.ts";
import { createGrant, revokeGrant } from "./grants.ts";
import { matchesChallenge } from "./pkce.ts";
import { type IssuedTokens, issueAccessToken, issueRefreshToken, LIFETIMES } from "./tokens.ts";

export interface NewCode {
  readonly accountId: string;
  /** Who approved it. */
  readonly personId: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly scopes: readonly Scope[];
  readonly audience: Audience;
  readonly now: number;
}

/** Issues an authorization code, valid once and for 60 seconds (RFC 6749 section 4.1.2). @returns the secret */
export async function issueCode(tx: Tx, { scopes, now, ...code }: NewCode): Promise<string> {
  const { secret, hash } = newSecret("code");
  const life = { expiresAt: now + LIFETIMES.code, usedAt: null, grantId: null };
  await tx.q.insert(tx.t.codes).values({ ...code, ...life, hash, scopes: scopeText(scopes) });
  return secret;
}

/** A client's request to exchange a code. */
export interface CodeExchange {
  readonly code: string;
  readonly clientId: string;
  /** Compared if it is sent (OAuth 2.1 section 10.2). */
  readonly redirectUri: string | undefined;
  /** The PKCE code verifier, well-formed. */
  readonly verifier: string;
  /** The audience of the access token; by default, the one that was approved. */
  readonly audience: Audience | undefined;
  readonly ip: string;
  readonly now: number;
}

/** The first tokens of an app, and what tells its person that it was connected. */
export interface FirstTokens extends IssuedTokens {
  readonly personId: string;
  readonly clientName: string;
}

/** Why a code is not exchanged. */
export type CodeRefusal =
  | "unknown"
  | "reused"
  | "expired"
  | "other_client"
  | "other_redirect"
  | "wrong_verifier"
  | "wider_resource";

/**
 * Exchanges a code for the first tokens of a new grant. Presenting a code uses it up even if the request is refused: a
 * valid code with a wrong client, redirect URI or verifier has leaked or was injected, and must not be tried again (RFC
 * 9700 section 4.5). A code that is presented twice revokes the grant it was exchanged for (RFC 6749 section 4.1.2), even
 * if the second request is invalid otherwise. The transaction must be committed whatever is returned.
 */
export async function redeemCode(tx: Tx, exchange: CodeExchange): Promise<FirstTokens | CodeRefusal> {
  const { code, ip, now } = exchange;
  if (!isSecret("code", code)) return "unknown";
  const { codes } = tx.t;
  const hash = hashOf(code);
  const [row] = await tx.q
    .update(codes)
    .set({ usedAt: now })
    .where(and(eq(codes.hash, hash), isNull(codes.usedAt)))
    .returning();
  if (!row) return revokeReused(tx, hash, { ip, now });
  const refusal = refusalOf(row, exchange);
  if (refusal) return refusal;

  const scopes = scopesIn(row.scopes);
  const granted = row.audience as Audience;
  const { accountId, personId, clientId, clientName: name } = row;
  const grantId = await createGrant(tx, { accountId, personId, kind: "oauth", clientId, name, scopes, ip, now });
  await tx.q.update(codes).set({ grantId }).where(eq(codes.hash, hash));
  const access = await issueAccessToken(tx, { grantId, audience: exchange.audience ?? granted, scopes, now });
  const refresh = await issueRefreshToken(tx, { grantId, audience: granted, now });
  return { access, refresh, scopes, personId, clientName: name };
}

/** Voids the codes of an account, or of a person in all accounts, that were not exchanged yet. */
export async function voidCodes(
  tx: Tx,
  of: { readonly accountId: string } | { readonly personId: string },
  now: number,
): Promise<void> {
  const { codes } = tx.t;
  const isMeant = "accountId" in of ? eq(codes.accountId, of.accountId) : eq(codes.personId, of.personId);
  await tx.q
    .update(codes)
    .set({ usedAt: now })
    .where(and(isMeant, isNull(codes.usedAt)));
}

type CodeRow = Reader["t"]["codes"]["$inferSelect"];

function refusalOf(row: CodeRow, { clientId, redirectUri, verifier, audience, now }: CodeExchange): CodeRefusal | null {
  if (row.expiresAt <= now) return "expired";
  if (row.clientId !== clientId) return "other_client";
  if (redirectUri !== undefined && row.redirectUri !== redirectUri) return "other_redirect";
  if (!matchesChallenge(row.challenge, verifier)) return "wrong_verifier";
  if (audience !== undefined && !covers(row.audience as Audience, audience)) return "wider_resource";
  return null;
}

/** A code was presented again: somebody else may have the tokens that it was exchanged for. */
async function revokeReused(tx: Tx, hash: string, request: { ip: string; now: number }): Promise<CodeRefusal> {
  const { codes } = tx.t;
  const [row] = await tx.q.select().from(codes).where(eq(codes.hash, hash));
  if (!row) return "unknown";
  if (row.grantId !== null) await revokeGrant(tx, { grantId: row.grantId, by: "code_reused", ...request });
  return "reused";
}
