import type { Tx } from "../../../db/engine.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { formatTime } from "../../platform/format.ts";
import { addAuthenticatorApp, deleteAuthenticatorApp } from "../factors/authenticator-app.ts";
import { clearWithoutFactor, factorsOf, hasFactor, requireFactor } from "../factors/factors.ts";
import { deletePasskey, type PasskeyRow } from "../factors/passkeys.ts";
import { createRecoveryCodes } from "../factors/recovery-codes.ts";
import { addPasskey, type NewPasskey } from "../factors/register-passkey.ts";
import { cancelRemoval } from "../factors/removals.ts";
import { appAdded } from "../mail/templates/app-added.ts";
import { appRemoved } from "../mail/templates/app-removed.ts";
import { passkeyAdded } from "../mail/templates/passkey-added.ts";
import { passkeyRemoved } from "../mail/templates/passkey-removed.ts";
import { undoableUntil } from "../people/address-undos.ts";
import { recordSecurityEvent, type SecurityEvent } from "../security-log/security-log.ts";
import { recordFactorShown, type Session } from "./sessions.ts";
import type { UserServices, Visitor } from "./users.ts";

/** Whoever gains or loses a factor is told by mail. */
type MailServices = Pick<UserServices, "mailer" | "siteUrl">;

/** The user who changes factors, in a session that was confirmed recently. */
export interface FactorChange {
  readonly session: Session;
  readonly visitor: Visitor;
  readonly now: number;
}

/** A factor was added. */
export interface AddedFactor {
  /** The new secret of the session, in which the new factor counts as shown. */
  readonly secret: string;
  /** With the first factor, to be shown once; null with another one. */
  readonly recoveryCodes: readonly string[] | null;
}

/** @returns `full` when the person has the most allowed; `exists` when the credential is registered already */
export async function registerPasskey(
  tx: Tx,
  { mailer, siteUrl }: MailServices,
  { name, credential, ...change }: FactorChange & { name: string; credential: NewPasskey },
): Promise<AddedFactor | "full" | "exists"> {
  const { session, now } = change;
  const { personId } = session;
  const isFirst = !hasFactor(await factorsOf(tx, personId));
  const added = await addPasskey(tx, { personId, name, credential, now });
  if (typeof added === "string") return added;
  await record(tx, change, "passkey_added", name);
  const outcome = await addedFactor(tx, change, isFirst);
  await mailer.queue(tx, passkeyAdded(session.email, { name, siteUrl }));
  return outcome;
}

/** Adds an app, and requires a factor at sign-in from now on. @returns null when the person has an app already */
export async function registerApp(
  tx: Tx,
  { secretBox, mailer, siteUrl }: MailServices & Pick<UserServices, "secretBox">,
  { secret, step, ...change }: FactorChange & { secret: string; step: number },
): Promise<AddedFactor | null> {
  const { session, now } = change;
  const { personId } = session;
  const isFirst = !hasFactor(await factorsOf(tx, personId));
  if (!(await addAuthenticatorApp(tx, secretBox, { personId, secret, step, now }))) return null;
  await requireFactor(tx, personId, true);
  await record(tx, change, "app_added", change.visitor.browser);
  const outcome = await addedFactor(tx, change, isFirst);
  await mailer.queue(tx, appAdded(session.email, { siteUrl }));
  return outcome;
}

/**
 * @returns null when the person has no such passkey
 * @throws Refusal while the last change of address can be undone, as the following do
 */
export async function removePasskey(
  tx: Tx,
  { mailer, siteUrl }: MailServices,
  { id, ...change }: FactorChange & { id: string },
): Promise<PasskeyRow | null> {
  const { personId, email } = change.session;
  await refuseWhileUndoable(tx, change);
  const removed = await deletePasskey(tx, { personId, id });
  if (!removed) return null;
  const { name } = removed;
  await record(tx, change, "passkey_removed", name);
  await clearWithoutFactor(tx, personId);
  await mailer.queue(tx, passkeyRemoved(email, { name, siteUrl }));
  return removed;
}

/** @returns false when the person has no app */
export async function removeApp(tx: Tx, { mailer, siteUrl }: MailServices, change: FactorChange): Promise<boolean> {
  const { personId, email } = change.session;
  await refuseWhileUndoable(tx, change);
  if (!(await deleteAuthenticatorApp(tx, personId))) return false;
  await record(tx, change, "app_removed", change.visitor.browser);
  await clearWithoutFactor(tx, personId);
  await mailer.queue(tx, appRemoved(email, { siteUrl }));
  return true;
}

/** Makes new recovery codes, which void the others. @returns them; null when the person has no factor that they replace */
export async function renewRecoveryCodes(tx: Tx, change: FactorChange): Promise<readonly string[] | null> {
  const { personId } = change.session;
  if (!hasFactor(await factorsOf(tx, personId))) return null;
  await refuseWhileUndoable(tx, change);
  await record(tx, change, "recovery_codes_made", change.visitor.browser);
  return createRecoveryCodes(tx, personId, change.now);
}

/** Sets whether a password alone signs in. @returns false when the person has no factor to require */
export async function setSecondStep(
  tx: Tx,
  { isRequired, ...change }: FactorChange & { isRequired: boolean },
): Promise<boolean> {
  const { personId } = change.session;
  if (!hasFactor(await factorsOf(tx, personId))) return false;
  if (!isRequired) await refuseWhileUndoable(tx, change);
  await requireFactor(tx, personId, isRequired);
  await record(tx, change, isRequired ? "second_step_on" : "second_step_off", change.visitor.browser);
  return true;
}

/** Cancels the removal of lost factors. @returns false when none was under way */
export async function cancelOwnRemoval(tx: Tx, change: FactorChange): Promise<boolean> {
  if (!(await cancelRemoval(tx, change.session.personId))) return false;
  await record(tx, change, "removal_cancelled", change.visitor.browser);
  return true;
}

/** Whoever undoes a change of address finds the factors as they were. @throws Refusal invalid_request */
export async function refuseWhileUndoable(tx: Tx, { session, now }: FactorChange): Promise<void> {
  const until = await undoableUntil(tx, session.personId, now);
  if (until === null) return;
  throw new Refusal(
    "invalid_request",
    `Your e-mail address was changed lately. Until ${formatTime(until)} that can be undone, and nothing that guards your sign-in can be removed.`,
  );
}

async function addedFactor(tx: Tx, { session, now }: FactorChange, isFirst: boolean): Promise<AddedFactor> {
  const recoveryCodes = isFirst ? await createRecoveryCodes(tx, session.personId, now) : null;
  return { secret: await recordFactorShown(tx, session, now), recoveryCodes };
}

async function record(
  tx: Tx,
  { session: { personId }, visitor: { ip }, now }: FactorChange,
  kind: SecurityEvent,
  subject: string,
): Promise<void> {
  await recordSecurityEvent(tx, { personId, kind, subject, ip, now });
}
