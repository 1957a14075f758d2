import { randomUUID } from "node:crypto";
import { createLocalJWKSet, errors, importJWK, type JWTPayload, jwtVerify, SignJWT } from "jose";
import type { Engine, Reader } from "../../../db/engine.ts";
import { grantOf } from "./grants.ts";
import { hashOf, timingSafeEquals } from "./secrets.ts";
import { currentKey, jwksOf } from "./signing-keys.ts";
import { LIFETIMES } from "./tokens.ts";

/** Of the header, so that no other token can be taken for an assertion (RFC 8725 section 3.11). */
const TYPE = "oauth-id-jag+jwt";

const ALGORITHM = "ES256";

/** A signed identity assertion of an agent's grant, and when it ends (ms). It is good while its grant keeps `jtiHash`. */
export async function signAssertion(
  db: Engine,
  of: { siteUrl: string; registrationId: string; grantId: string; now: number },
): Promise<{ assertion: string; jtiHash: string; expiresAt: number }> {
  const { kid, jwk } = await currentKey(db, of.now);
  const jti = randomUUID();
  const issuedAt = Math.floor(of.now / 1000);
  const expiresAt = issuedAt + LIFETIMES.assertion / 1000;
  const assertion = await new SignJWT({ grant: of.grantId })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
    .setIssuer(of.siteUrl)
    .setAudience(of.siteUrl)
    .setSubject(of.registrationId)
    .setJti(jti)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(await importJWK(jwk, ALGORITHM));
  return { assertion, jtiHash: hashOf(jti), expiresAt: expiresAt * 1000 };
}

/** The grant that an assertion is of, when it is one of ours, has not expired and its grant has not ended. */
export async function grantOfAssertion(
  db: Reader,
  siteUrl: string,
  assertion: string,
  now: number,
): Promise<string | null> {
  const payload = await verified(db, siteUrl, assertion, now);
  const { jti, grant: grantId } = payload ?? {};
  if (typeof jti !== "string" || typeof grantId !== "string") return null;
  const grant = await grantOf(db, grantId);
  return grant?.assertionHash && timingSafeEquals(grant.assertionHash, hashOf(jti)) ? grant.id : null;
}

async function verified(db: Reader, siteUrl: string, assertion: string, now: number): Promise<JWTPayload | null> {
  const keys = createLocalJWKSet(await jwksOf(db, now));
  try {
    const { payload, protectedHeader } = await jwtVerify(assertion, keys, {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: siteUrl,
      audience: siteUrl,
      currentDate: new Date(now),
      requiredClaims: ["sub", "jti", "iat", "exp"],
    });
    // A key that is not named could be any.
    return protectedHeader.kid === undefined ? null : payload;
  } catch (thrown) {
    if (thrown instanceof errors.JOSEError) return null;
    throw thrown;
  }
}
