import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import type { Engine } from "../../../db/engine.ts";
import { storeChallenge, takeChallenge } from "./challenges.ts";
import { type Assertion, passkeyByCredential, passkeysOf } from "./passkeys.ts";
import type { RelyingParty } from "./relying-party.ts";
import { webauthn } from "./webauthn.ts";
import { challengeOf, jsonObjectIn, transportsIn, userHandleOf } from "./webauthn-json.ts";

/**
 * What `navigator.credentials.get` takes (WebAuthn level 3 section 5.5, as JSON).
 * @param personId whose passkeys to ask for; null for any that the browser has for this site
 */
export async function authenticationOptions(
  db: Engine,
  {
    personId,
    relyingParty,
    visitorHash,
    now,
  }: {
    personId: string | null;
    relyingParty: RelyingParty;
    visitorHash: string;
    now: number;
  },
) {
  const known = personId === null ? [] : await passkeysOf(db, personId);
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID: relyingParty.id,
    userVerification: "required",
    allowCredentials: known.map(({ credentialId: id, transports }) => ({ id, transports: transportsIn(transports) })),
  });
  const { challenge } = options;
  await db.tx((tx) => storeChallenge(tx, { challenge, purpose: "authenticate", visitorHash, now }));
  return options;
}

/**
 * Verifies an assertion (WebAuthn level 3 section 7.2), except for its counter. `recordAssertion` checks the counter in the
 * transaction that lets the user in.
 * @param response the credential as JSON text
 * @param personId whose passkey it has to be; null: the user handle names the person
 * @returns null when it is not an assertion that this browser was asked for, by a passkey of the person
 */
export async function verifyAssertion(
  db: Engine,
  {
    response: text,
    personId,
    relyingParty,
    visitorHash,
    now,
  }: {
    response: string;
    personId: string | null;
    relyingParty: RelyingParty;
    visitorHash: string;
    now: number;
  },
): Promise<Assertion | null> {
  const response = jsonObjectIn(text) as AuthenticationResponseJSON | null;
  const challenge = challengeOf(response);
  if (!response || challenge === null || typeof response.id !== "string") return null;
  if (!(await db.tx((tx) => takeChallenge(tx, { challenge, purpose: "authenticate", visitorHash, now })))) return null;
  const passkey = await passkeyByCredential(db, response.id);
  if (!passkey || (personId !== null && passkey.personId !== personId)) return null;
  const { userHandle } = response.response;
  if (userHandle ? userHandle !== userHandleOf(passkey.personId) : personId === null) return null;
  const { verifyAuthenticationResponse } = await webauthn();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId,
        publicKey: Buffer.from(passkey.publicKey, "base64url"),
        // 0, so that the library leaves the counter to us.
        counter: 0,
      },
    });
    if (!verified) return null;
    const { newCounter: signCount, credentialBackedUp: isBackedUp } = authenticationInfo;
    return { passkey, signCount, isBackedUp };
  } catch {
    // The library throws an Error, or a TypeError for what is no credential at all.
    return null;
  }
}
