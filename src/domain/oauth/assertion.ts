import { randomUUID } from "node:crypto";
import { createLocalJWKSet, errors, importJWK, type JWTPayload, jwtVerify, SignJWT } from "jose";
import type { Engine, Reader } from "../../../db/engine.ts";
import { hashOf, timingSafeEquals } from "../credentials/secrets.ts";
import { grantOf } from "./grants.ts";
import { currentKey, jwksOf } from "./signing-keys.ts";
import { LIFETIMES } from "./tokens.ts";

/** The `typ` header, so that no other JWT passes for an assertion (RFC 8725 section 3.11). */
const TYPE = "oauth-id-jag+jwt";

const ALGORITHM = "ES256";

/** Signs an identity assertion for an agent's grant. It is valid until `expiresAt` (ms), while its grant keeps `jtiHash`. */
export async function signAssertion(
  db: Engine,
  claims: { siteUrl: string; registrationId: string; grantId: string; now: number },
): Promise<{ assertion: string; jtiHash: string; expiresAt: number }> {
  const { kid, jwk } = await currentKey(db, claims.now);
  const jti = randomUUID();
  const issuedAt = Math.floor(claims.now / 1000);
  const expiresAt = issuedAt + LIFETIMES.assertion / 1000;
  const assertion = await new SignJWT({ grant: claims.grantId })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
    .setIssuer(claims.siteUrl)
    .setAudience(claims.siteUrl)
    .setSubject(claims.registrationId)
    .setJti(jti)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(await importJWK(jwk, ALGORITHM));
  return { assertion, jtiHash: hashOf(jti), expiresAt: expiresAt * 1000 };
}

/**
 * The grant of an assertion; null unless we signed it, it has not expired, and its grant has not ended.
 * @param siteUrls the origins of this service, each of which may have signed it
 */
export async function grantOfAssertion(
  db: Reader,
  siteUrls: readonly string[],
  assertion: string,
  now: number,
): Promise<string | null> {
  const payload = await verifiedPayload(db, siteUrls, assertion, now);
  const { jti, grant: grantId } = payload ?? {};
  if (typeof jti !== "string" || typeof grantId !== "string") return null;
  const grant = await grantOf(db, grantId);
  return grant?.assertionHash && timingSafeEquals(grant.assertionHash, hashOf(jti)) ? grant.id : null;
}

async function verifiedPayload(
  db: Reader,
  siteUrls: readonly string[],
  assertion: string,
  now: number,
): Promise<JWTPayload | null> {
  const keys = createLocalJWKSet(await jwksOf(db, now));
  try {
    const { payload, protectedHeader } = await jwtVerify(assertion, keys, {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: [...siteUrls],
      audience: [...siteUrls],
      currentDate: new Date(now),
      requiredClaims: ["sub", "jti", "iat", "exp"],
    });
    // Without a `kid`, jose would try every key.
    return protectedHeader.kid === undefined ? null : payload;
  } catch (thrown) {
    if (thrown instanceof errors.JOSEError) return null;
    throw thrown;
  }
}
