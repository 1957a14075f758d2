import type { Tx } from "../../../db/engine.ts";
import { recordSecurityEvent } from "../auth/events.ts";
import type { RelyingParty } from "../factors/relying-party.ts";
import type { Mail } from "../mail/mailer.ts";
import { newBrowserMail } from "./new-browser.ts";
import { endPendingSignIn, type PendingSignIn } from "./pending-sign-ins.ts";
import { openSession, recordFactorShown, type Session } from "./sessions.ts";
import { type FactorProof, type FactorResult, withFactor } from "./show-factor.ts";
import type { UserServices, Visitor } from "./users.ts";

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
  const result = await withFactor(services, { accountId: null, proof, visitor, now }, (tx, accountId) =>
    openWithFactor(tx, services, { accountId, visitor, now }),
  );
  return told(services, result);
}

/**
 * The second step of a sign-in. @returns the secret of the session; null when the sign-in has ended meanwhile
 * @throws Refusal rate_limited after too many wrong codes
 */
export async function completeSignIn(
  services: UserServices,
  { pending, proof, visitor, now }: { pending: PendingSignIn; proof: FactorProof; visitor: Visitor; now: number },
): Promise<FactorResult<string | null>> {
  const { accountId } = pending;
  const result = await withFactor(services, { accountId, proof, visitor, now }, async (tx) => {
    if (!(await endPendingSignIn(tx, pending, now))) return { secret: null, mail: null };
    const opened = await openWithFactor(tx, services, { accountId, visitor, now });
    // The mail about a recovery code tells of this sign-in, too.
    return proof.kind === "recovery_code" ? { ...opened, mail: null } : opened;
  });
  return told(services, result);
}

/**
 * Lets a user who is signed in show a factor again. @returns the new secret of the session
 * @throws Refusal rate_limited after too many wrong codes; SessionEnded
 */
export async function confirmByFactor(
  services: UserServices,
  { session, proof, visitor, now }: { session: Session; proof: FactorProof; visitor: Visitor; now: number },
): Promise<FactorResult<string>> {
  const { accountId } = session;
  return withFactor(services, { accountId, proof, visitor, now }, (tx) => recordFactorShown(tx, session, now));
}

/** A session that was opened, and the mail that tells of it. */
interface Opened<Secret> {
  readonly secret: Secret;
  readonly mail: Mail | null;
}

async function openWithFactor(
  tx: Tx,
  services: UserServices,
  { accountId, visitor, now }: { accountId: string; visitor: Visitor; now: number },
): Promise<Opened<string>> {
  const { browser, ip } = visitor;
  const mail = await newBrowserMail(tx, services, { accountId, visitor, now });
  await recordSecurityEvent(tx, { accountId, kind: "signed_in", subject: browser, ip, now });
  return { secret: await openSession(tx, { accountId, browser, ip, factorAt: now, now }), mail };
}

/** Sends the mail of a session once it is committed. */
function told<Secret>({ mailer }: UserServices, result: FactorResult<Opened<Secret>>): FactorResult<Secret> {
  if (result.outcome !== "shown") return result;
  const { secret, mail } = result.value;
  if (mail) mailer.send(mail);
  return { outcome: "shown", value: secret };
}
