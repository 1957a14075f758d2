import type { Tx } from "../../../db/engine.ts";
import { resetWrongCodes, useCode } from "../factors/authenticator-app.ts";
import { type Assertion, recordAssertion } from "../factors/passkeys.ts";
import { useRecoveryCode } from "../factors/recovery-codes.ts";
import type { RelyingParty } from "../factors/relying-party.ts";
import { cancelRemoval } from "../factors/removals.ts";
import { verifyAssertion } from "../factors/verify-passkey.ts";
import { passkeyRefused } from "../mail/templates/passkey-refused.ts";
import { recoveryCodeUsed } from "../mail/templates/recovery-code-used.ts";
import { personById } from "../people/people.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";
import type { UserServices, Visitor } from "./users.ts";

/** What a user shows in addition to the password. */
export type FactorProof =
  /** The credential as JSON text. */
  | { readonly kind: "passkey"; readonly response: string; readonly relyingParty: RelyingParty }
  | { readonly kind: "code"; readonly code: string }
  | { readonly kind: "recovery_code"; readonly code: string };

/** `cloned`: a passkey whose counter has not grown; `locked`: too many wrong codes in a row. */
export type FactorResult<T> =
  | { readonly outcome: "shown"; readonly value: T }
  | { readonly outcome: "wrong" | "locked" | "cloned" };

/**
 * Verifies a factor. The transaction that uses it up also does what the factor is shown for.
 * @param personId null: a passkey names the person
 * @throws Refusal rate_limited after too many wrong codes
 */
export async function withFactor<T>(
  services: UserServices,
  { personId, proof, visitor, now }: { personId: string | null; proof: FactorProof; visitor: Visitor; now: number },
  work: (tx: Tx, personId: string) => Promise<T>,
): Promise<FactorResult<T>> {
  const shown = async (tx: Tx, id: string): Promise<FactorResult<T>> => {
    await cancelBySight(tx, id, visitor, now);
    return { outcome: "shown", value: await work(tx, id) };
  };
  if (proof.kind === "passkey") {
    const { response, relyingParty } = proof;
    const request = { response, relyingParty, personId, visitorHash: visitor.hash, now };
    const assertion = await verifyAssertion(services.db, request);
    return assertion ? useAssertion(services, { assertion, visitor, now }, shown) : { outcome: "wrong" };
  }
  if (personId === null) return { outcome: "wrong" };
  const { code } = proof;
  if (proof.kind === "recovery_code") return useRecovery(services, { personId, code, visitor, now }, shown);
  return services.db.tx(async (tx) => {
    const outcome = await useCode(tx, services.secretBox, { personId, code, now });
    return outcome === "right" ? shown(tx, personId) : { outcome };
  });
}

async function useAssertion<T>(
  services: UserServices,
  { assertion, visitor, now }: { assertion: Assertion; visitor: Visitor; now: number },
  shown: (tx: Tx, personId: string) => Promise<FactorResult<T>>,
): Promise<FactorResult<T>> {
  const { personId, name } = assertion.passkey;
  const { db, mailer, siteUrl } = services;
  return db.tx(async (tx) => {
    const recorded = await recordAssertion(tx, assertion, now);
    if (recorded === "recorded") {
      await resetWrongCodes(tx, personId);
      return shown(tx, personId);
    }
    if (recorded === "gone") return { outcome: "wrong" };
    await recordSecurityEvent(tx, { personId, kind: "passkey_refused", subject: name, ip: visitor.ip, now });
    const { email } = await personById(tx, personId);
    await mailer.queue(tx, passkeyRefused(email, { name, siteUrl }));
    return { outcome: "cloned" };
  });
}

async function useRecovery<T>(
  services: UserServices,
  { personId, code, visitor, now }: { personId: string; code: string; visitor: Visitor; now: number },
  shown: (tx: Tx, personId: string) => Promise<FactorResult<T>>,
): Promise<FactorResult<T>> {
  const { db, mailer, siteUrl } = services;
  return db.tx(async (tx) => {
    const recovery = await useRecoveryCode(tx, { personId, code, now });
    if (!recovery) return { outcome: "wrong" };
    await resetWrongCodes(tx, personId);
    const subject = visitor.browser;
    await recordSecurityEvent(tx, { personId, kind: "recovery_code_used", subject, ip: visitor.ip, now });
    const { email } = await personById(tx, personId);
    await mailer.queue(tx, recoveryCodeUsed(email, { left: recovery.left, siteUrl }));
    return shown(tx, personId);
  });
}

/** Whoever shows a factor has not lost it: a removal of lost ones that is under way was requested by somebody else. */
async function cancelBySight(tx: Tx, personId: string, { browser, ip }: Visitor, now: number): Promise<void> {
  if (!(await cancelRemoval(tx, personId))) return;
  await recordSecurityEvent(tx, { personId, kind: "removal_cancelled", subject: browser, ip, now });
}
