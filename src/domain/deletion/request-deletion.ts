import type { Tx } from "../../../db/engine.ts";
import type { Times } from "../../platform/clock.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { formatTime } from "../../platform/format.ts";
import { endConnectionsOf } from "../connections/end.ts";
import { deletionCancelled } from "../mail/templates/deletion-cancelled.ts";
import { deletionRequested } from "../mail/templates/deletion-requested.ts";
import { ownersUndoableUntil } from "../people/address-undos.ts";
import { normaliseEmail } from "../people/email.ts";
import { ownersOf } from "../people/owners.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";
import { endSharesOf } from "../shares/shares.ts";
import { voidAddressLinks, voidLinks } from "../users/mailed-links.ts";
import { revokeAccess } from "../users/revoke-access.ts";
import { endSessions, endSessionsIn, lockSession, type Session } from "../users/sessions.ts";
import { DEMO_EMAIL } from "../users/sign-in-links.ts";
import type { UserServices, Visitor } from "../users/users.ts";
import { pauseAll, resumeAll } from "../watches/pause.ts";
import { cancelUnsent } from "./cancel-unsent.ts";
import { cancelDeletion, createDeletion } from "./requests.ts";

export type DeletionServices = Pick<UserServices, "db" | "mailer" | "siteUrl">;

interface DeletionRequest {
  /** A session that was confirmed recently. It is the one that stays open. */
  readonly session: Session;
  /** The address of the account, as its owner typed it to confirm. */
  readonly typed: string;
  readonly visitor: Visitor;
  readonly times: Times;
}

/**
 * Begins the deletion of an account. At once every credential ends, connections to Search Console and Bing end, shares end, every other browser is signed out, watches pause,
 * and unsent links are cancelled, their credits returned; the rest follows in seven days (delete-account.ts), in which the owner can keep the
 * account. After a crash in between, the job of every hour cancels what is left.
 * @throws Refusal invalid_request when the address is not the account's, or while a change of it can be undone; SessionEnded
 */
export async function requestDeletion(
  services: DeletionServices,
  { session, typed, visitor, times }: DeletionRequest,
): Promise<void> {
  const { db, mailer, siteUrl } = services;
  const { accountId, email } = session;
  if (normaliseEmail(typed) !== email) throw refused("This is not the e-mail address of your account.");
  if (email === DEMO_EMAIL) throw refused("The demo account belongs to this sandbox, and stays.");
  const isRequested = await db.tx(async (tx) => {
    const dueAt = await endAccess(tx, session, visitor, times.now);
    if (dueAt === null) return false;
    for (const { email: to } of await ownersOf(tx, accountId))
      await mailer.queue(tx, deletionRequested(to, { due: formatTime(dueAt), siteUrl }));
    return true;
  });
  if (!isRequested) return;
  await cancelUnsent(db, accountId, times);
}

async function endAccess(tx: Tx, session: Session, { ip, browser }: Visitor, now: number): Promise<number | null> {
  await lockSession(tx, session, now, "owners");
  const { accountId, personId } = session;
  const until = await ownersUndoableUntil(tx, accountId, now);
  if (until !== null) throw refused(notWhileUndoable(until));
  const dueAt = await createDeletion(tx, accountId, now);
  if (dueAt === null) return null;
  await revokeAccess(tx, { accountId }, { by: "account_deleted", doer: personId, ip, now });
  await endConnectionsOf(tx, { accountId, personId, ip, now });
  await endSharesOf(tx, accountId, now);
  await pauseAll(tx, accountId, "account_deletion", now);
  await endSessionsIn(tx, accountId, now, session.id);
  // Whoever has a copy of the requester's access could stop the deletion, or undo what it is for.
  await endSessions(tx, personId, now, session.id);
  await voidLinks(tx, session.email, now);
  await voidAddressLinks(tx, personId, now);
  await recordSecurityEvent(tx, { accountId, personId, kind: "deletion_requested", subject: browser, ip, now });
  return dueAt;
}

/** Why an account is not deleted yet. */
export function notWhileUndoable(until: number): string {
  return `The e-mail address of this account was changed lately. Until ${formatTime(until)} that can be undone, and the account cannot be deleted.`;
}

/**
 * Keeps an account whose deletion was requested. What ended stays ended; watches that only paused for it go on.
 * @returns false when no deletion was under way any more
 * @throws SessionEnded
 */
export async function keepAccount(
  { db, mailer, siteUrl }: DeletionServices,
  { session, visitor: { ip, browser }, times }: { session: Session; visitor: Visitor; times: Times },
): Promise<boolean> {
  const { accountId } = session;
  const { now, service } = times;
  return db.tx(async (tx) => {
    await lockSession(tx, session, now, "owners");
    if (!(await cancelDeletion(tx, accountId))) return false;
    await resumeAll(tx, accountId, "account_deletion", service);
    await recordSecurityEvent(tx, {
      accountId,
      personId: session.personId,
      kind: "deletion_cancelled",
      subject: browser,
      ip,
      now,
    });
    for (const { email } of await ownersOf(tx, accountId))
      await mailer.queue(tx, deletionCancelled(email, { siteUrl }));
    return true;
  });
}

function refused(message: string): Refusal {
  return new Refusal("invalid_request", message, { issues: [{ path: "email", message }] });
}
