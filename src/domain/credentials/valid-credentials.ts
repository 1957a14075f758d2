import { and, eq, gt, inArray, isNull, or } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import type { PresentedCredentials } from "./identify.ts";
import { hashOf } from "./secrets.ts";

/** The hash by which the credential in the headers of a request is stored; null where there is none. */
export function credentialHash({ authorization, apiKey }: PresentedCredentials): string | null {
  const secret = authorization === undefined ? apiKey : authorization.replace(/^Bearer +/i, "");
  return secret === undefined ? null : hashOf(secret.trim());
}

/** The hashes whose API keys and access tokens are still valid, looked up all at once. @param now real time */
export async function validHashes(db: Reader, hashes: readonly string[], now: number): Promise<Set<string>> {
  const { q, t } = db;
  const { apiKeys, accessTokens, grants } = t;
  const isKey = and(
    inArray(apiKeys.hash, [...hashes]),
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
  );
  const isToken = and(
    inArray(accessTokens.hash, [...hashes]),
    gt(accessTokens.expiresAt, now),
    isNull(grants.revokedAt),
  );
  const [keys, tokens] = await Promise.all([
    q.select({ hash: apiKeys.hash }).from(apiKeys).where(isKey),
    q
      .select({ hash: accessTokens.hash })
      .from(accessTokens)
      .innerJoin(grants, eq(grants.id, accessTokens.grantId))
      .where(isToken),
  ]);
  return new Set([...keys, ...tokens].map(({ hash }) => hash));
}
