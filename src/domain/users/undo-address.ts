import type { Tx } from "../../../db/engine.ts";
import { deleteFactorsSince } from "../factors/factors.ts";
import { cancelRemoval } from "../factors/removals.ts";
import { deleteIdentitiesSince } from "../issuer/identities.ts";
import { addressRestored } from "../mail/templates/address-restored.ts";
import { addressTakenBack } from "../mail/templates/address-taken-back.ts";
import { addressUndoOf, takeAddressUndo } from "../people/address-undos.ts";
import { changePerson, personById } from "../people/people.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";
import { createLink, voidAddressLinks, voidLinks } from "./mailed-links.ts";
import { pauseSince } from "./pause-since.ts";
import { revokeAccess } from "./revoke-access.ts";
import { endSessions } from "./sessions.ts";
import type { UserServices, Visitor } from "./users.ts";

interface UndoRequest {
  /** The secret of the mailed link. */
  readonly link: string;
  readonly visitor: Visitor;
  readonly now: number;
}

/**
 * Undoes a change of address, by the link that the earlier address got: the person has that address again, and whoever changed
 * it loses access. Every session, grant and key ends, the password is gone, and so is every factor and issuer that was
 * added since the change was asked for; what was made or changed since and acts by itself is paused. Earlier factors stay, because a mailbox does not replace a factor.
 * @returns the path of the page to choose a new password on; null when the link is not valid
 */
export async function undoAddressChange(services: UserServices, request: UndoRequest): Promise<string | null> {
  const { db, mailer, siteUrl } = services;
  return db.tx(async (tx) => {
    const undone = await restoreAddress(tx, request);
    if (!undone) return null;
    const { email, previous, secret, paused } = undone;
    const path = `/reset?link=${secret}`;
    await mailer.queue(tx, addressRestored(email, { link: `${siteUrl}${path}`, paused, siteUrl }));
    if (previous !== email) await mailer.queue(tx, addressTakenBack(previous, { email, siteUrl }));
    return path;
  });
}

async function restoreAddress(tx: Tx, { link, visitor, now }: UndoRequest) {
  const undo = await addressUndoOf(tx, link, now);
  if (!undo || !(await takeAddressUndo(tx, undo))) return null;
  const { personId, email, requestedAt } = undo;
  const { ip } = visitor;
  const { email: previous } = await personById(tx, personId);
  await changePerson(tx, personId, { email, passwordHash: null, verifiedAt: now });
  await endSessions(tx, personId, now);
  const paused = await pauseSince(tx, personId, { since: requestedAt, now });
  await revokeAccess(tx, { personId }, { by: "address_undone", ip, now });
  await deleteFactorsSince(tx, personId, requestedAt);
  await deleteIdentitiesSince(tx, personId, requestedAt);
  await cancelRemoval(tx, personId);
  for (const address of new Set([previous, email])) await voidLinks(tx, address, now);
  await voidAddressLinks(tx, personId, now);
  await recordSecurityEvent(tx, { personId, kind: "address_change_undone", subject: email, ip, now });
  const reset = { purpose: "reset", email, passwordHash: null, visitor, returnTo: "/dashboard" } as const;
  return { email, previous, paused, secret: await createLink(tx, { ...reset, now }) };
}
