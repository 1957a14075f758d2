import type { Tx } from "../../../db/engine.ts";
import type { RelyingParty } from "../factors/relying-party.ts";
import { authenticationOptions } from "../factors/verify-passkey.ts";
import { addressKey } from "../limits/address-key.ts";
import { consumeLimit } from "../limits/window.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";
import { tellOfNewBrowser } from "./new-browser.ts";
import { endPendingSignIn, type PendingSignIn, pendingSignInOf } from "./pending-sign-ins.ts";
import { openSession, recordFactorShown, type Session } from "./sessions.ts";
import { type FactorProof, type FactorResult, withFactor } from "./show-factor.ts";
import type { UserServices, Visitor } from "./users.ts";

/**
 * What a browser is asked for, to sign in by a passkey or to confirm who one is.
 * @param secret of its cookie, which a sign-in that waits for a factor has
 * @throws Refusal rate_limited
 */
export async function passkeyOptions(
  { db }: UserServices,
  {
    session,
    secret,
    relyingParty,
    visitor,
    now,
  }: { session: Session | null; secret: string; relyingParty: RelyingParty; visitor: Visitor; now: number },
) {
  await consumeLimit(db, addressKey(visitor.ip), "passkey_challenges", now);
  const pending = session ? null : await pendingSignInOf(db, secret, now);
  const personId = session?.personId ?? pending?.personId ?? null;
  return authenticationOptions(db, { personId, relyingParty, visitorHash: visitor.hash, now });
}

/** Signs a browser in by a passkey alone, which has verified its user. @returns the secret of its session */
export async function signInByPasskey(
  services: UserServices,
  {
    response,
    relyingParty,
    visitor,
    now,
  }: {
    /** The credential as JSON text. */
    response: string;
    relyingParty: RelyingParty;
    visitor: Visitor;
    now: number;
  },
): Promise<FactorResult<string>> {
  const proof = { kind: "passkey", response, relyingParty } as const;
  return withFactor(services, { personId: null, proof, visitor, now }, async (tx, personId) => {
    await tellOfNewBrowser(tx, services, { personId, visitor, now });
    return openWithFactor(tx, { personId, visitor, now });
  });
}

/**
 * The second step of a sign-in. @returns the secret of the session; null when the sign-in has ended meanwhile
 * @throws Refusal rate_limited after too many wrong codes
 */
export async function completeSignIn(
  services: UserServices,
  { pending, proof, visitor, now }: { pending: PendingSignIn; proof: FactorProof; visitor: Visitor; now: number },
): Promise<FactorResult<string | null>> {
  const { personId } = pending;
  return withFactor(services, { personId, proof, visitor, now }, async (tx) => {
    if (!(await endPendingSignIn(tx, pending, now))) return null;
    // The mail about a recovery code tells of this sign-in, too.
    if (proof.kind !== "recovery_code") await tellOfNewBrowser(tx, services, { personId, visitor, now });
    return openWithFactor(tx, { personId, visitor, now });
  });
}

/**
 * Lets a user who is signed in show a factor again. @returns the new secret of the session
 * @throws Refusal rate_limited after too many wrong codes; SessionEnded
 */
export async function confirmByFactor(
  services: UserServices,
  { session, proof, visitor, now }: { session: Session; proof: FactorProof; visitor: Visitor; now: number },
): Promise<FactorResult<string>> {
  const { personId } = session;
  return withFactor(services, { personId, proof, visitor, now }, (tx) => recordFactorShown(tx, session, now));
}

async function openWithFactor(
  tx: Tx,
  { personId, visitor, now }: { personId: string; visitor: Visitor; now: number },
): Promise<string> {
  const { browser, ip } = visitor;
  await recordSecurityEvent(tx, { personId, kind: "signed_in", subject: browser, ip, now });
  return openSession(tx, { personId, browser, ip, factorAt: now, now });
}
