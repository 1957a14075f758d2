import type { RegistrationResponseJSON, VerifiedRegistrationResponse } from "@simplewebauthn/server";
import type { Engine, Tx } from "../../../db/engine.ts";
import { newId } from "../../platform/ids.ts";
import { SIZES } from "../../platform/sizes.ts";
import { storeChallenge, takeChallenge } from "./challenges.ts";
import { passkeysOf } from "./passkeys.ts";
import type { RelyingParty } from "./relying-party.ts";
import { webauthn } from "./webauthn.ts";
import { challengeOf, jsonObjectIn, transportsIn } from "./webauthn-json.ts";

/**
 * What `navigator.credentials.create` takes (WebAuthn level 3 section 5.4, as JSON). Each passkey is discoverable and
 * verifies its user, so that it can replace the password.
 */
export async function registrationOptions(
  db: Engine,
  {
    person,
    relyingParty,
    visitorHash,
    now,
  }: {
    person: { id: string; email: string };
    relyingParty: RelyingParty;
    visitorHash: string;
    now: number;
  },
) {
  const known = await passkeysOf(db, person.id);
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: "Beckon",
    rpID: relyingParty.id,
    userName: person.email,
    userDisplayName: person.email,
    userID: Buffer.from(person.id),
    attestationType: "none",
    excludeCredentials: known.map(({ credentialId: id, transports }) => ({ id, transports: transportsIn(transports) })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  const { challenge } = options;
  await db.tx((tx) => storeChallenge(tx, { challenge, purpose: "register", visitorHash, now }));
  return options;
}

/** A credential whose registration was verified. */
export type NewPasskey = NonNullable<VerifiedRegistrationResponse["registrationInfo"]> & {
  readonly transports: string;
};

/**
 * Verifies what the browser made (WebAuthn level 3 section 7.1).
 * @param response the credential as JSON text
 * @returns null when it is not a registration that this browser was asked for
 */
export async function verifyRegistration(
  db: Engine,
  {
    response: text,
    relyingParty,
    visitorHash,
    now,
  }: {
    response: string;
    relyingParty: RelyingParty;
    visitorHash: string;
    now: number;
  },
): Promise<NewPasskey | null> {
  const response = jsonObjectIn(text) as RegistrationResponseJSON | null;
  const challenge = challengeOf(response);
  if (!response || challenge === null) return null;
  if (!(await db.tx((tx) => takeChallenge(tx, { challenge, purpose: "register", visitorHash, now })))) return null;
  const { verifyRegistrationResponse } = await webauthn();
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: true,
    });
    if (!registrationInfo || byteLength(registrationInfo.credential.id) > MOST_ID_BYTES) return null;
    return { ...registrationInfo, transports: transportsIn(response.response.transports).join(" ") };
  } catch {
    // The library throws an Error, or a TypeError for what is no credential at all.
    return null;
  }
}

/** Most bytes of a credential id (WebAuthn level 3 section 7.1). */
const MOST_ID_BYTES = 1_023;

function byteLength(base64url: string): number {
  return Buffer.from(base64url, "base64url").length;
}

/** @returns its id; `full` when the person has the most allowed; `exists` when the credential is registered already */
export async function addPasskey(
  tx: Tx,
  { personId, name, credential: made, now }: { personId: string; name: string; credential: NewPasskey; now: number },
): Promise<{ id: string } | "full" | "exists"> {
  if ((await passkeysOf(tx, personId)).length >= SIZES.passkeys) return "full";
  const { credential, transports, credentialBackedUp: isBackedUp } = made;
  const [row] = await tx.q
    .insert(tx.t.passkeys)
    .values({
      id: newId("psk"),
      personId,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString("base64url"),
      signCount: credential.counter,
      transports,
      isBackedUp,
      name,
      createdAt: now,
      lastUsedAt: null,
    })
    .onConflictDoNothing()
    .returning();
  return row ? { id: row.id } : "exists";
}
