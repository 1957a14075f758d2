import type { Tx } from "../../../db/engine.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { consumeLimitIn } from "../limits/window.ts";
import { addressChangeRequested } from "../mail/templates/address-change-requested.ts";
import { addressChanged } from "../mail/templates/address-changed.ts";
import { addressIsNow } from "../mail/templates/address-is-now.ts";
import { addressKept } from "../mail/templates/address-kept.ts";
import { addressTaken } from "../mail/templates/address-taken.ts";
import { confirmNewAddress } from "../mail/templates/confirm-new-address.ts";
import { addressKeptUntil, createAddressUndo } from "../people/address-undos.ts";
import { normaliseEmail } from "../people/email.ts";
import { changePerson, personByEmail, personById } from "../people/people.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";
import { countLinkRequest, sendLinkMail } from "./link-mail.ts";
import { createLink, linkOf, useLink, voidAddressLinks, voidLinks } from "./mailed-links.ts";
import { lockSession, type Session } from "./sessions.ts";
import { DEMO_EMAIL } from "./sign-in-links.ts";
import { invalidEmail } from "./sign-up.ts";
import type { UserServices, Visitor } from "./users.ts";

/** The path of the page that a new address is confirmed on, and of the one that a change is undone on. */
export const CONFIRM_ADDRESS_PATH = "/address/confirm";
export const UNDO_ADDRESS_PATH = "/address/undo";

interface AddressRequest {
  /** A session that was confirmed recently. */
  readonly session: Session;
  /** As it was entered. */
  readonly email: string;
  readonly visitor: Visitor;
  readonly now: number;
}

/**
 * Begins a change of the e-mail address: mails a link to the new address, and tells the present one. Whether somebody else
 * has the new address is told to that address alone; the browser is told the same in every case.
 * @throws Refusal invalid_request for what is no address, or the present one; rate_limited; SessionEnded
 */
export async function requestAddressChange(services: UserServices, request: AddressRequest): Promise<void> {
  const { db, mailer, siteUrl } = services;
  const { session, visitor, now } = request;
  const { personId } = session;
  const email = normaliseEmail(request.email);
  if (email === null) throw invalidEmail();
  if (email === session.email) throw refused("This is the address that you have now.");
  refuseDemo(session);
  await countLinkRequest(services, visitor, now);
  await db.tx(async (tx) => {
    await lockSession(tx, session, now);
    await consumeLimitIn(tx, personId, "address_changes", now);
    await recordSecurityEvent(tx, { personId, kind: "address_change_requested", subject: email, ip: visitor.ip, now });
    await mailer.queue(tx, addressChangeRequested(session.email, { email, siteUrl }));
  });
  await sendLinkMail(services, { email, purpose: "address", visitor, now }, async (tx, person) => {
    if (person) return addressTaken(email, { siteUrl });
    const keptUntil = await addressKeptUntil(tx, email, { now, except: personId });
    if (keptUntil !== null) return addressKept(email, { until: keptUntil });
    const link = { purpose: "address", email, personId, passwordHash: null, visitor, returnTo: "/dashboard" } as const;
    const secret = await createLink(tx, { ...link, now });
    return confirmNewAddress(email, { link: `${siteUrl}${CONFIRM_ADDRESS_PATH}?link=${secret}` });
  });
}

interface AddressConfirmation {
  /** A session of the person who asked for the change, in any browser. */
  readonly session: Session;
  /** The secret of the mailed link. */
  readonly link: string;
  readonly visitor: Visitor;
  readonly now: number;
}

/**
 * Gives the person the address that a mailed link was sent to, and lets the earlier address undo it for seven days. The
 * link alone is not enough: an address that was mistyped is a stranger's.
 * @returns false when the link is not valid, or not for this person, or somebody else has the address by now
 * @throws SessionEnded
 */
export async function confirmAddressChange(services: UserServices, request: AddressConfirmation): Promise<boolean> {
  const { db, mailer, siteUrl } = services;
  return db.tx(async (tx) => {
    const changed = await changeAddress(tx, request);
    if (!changed) return false;
    const { previous, email, secret, expiresAt } = changed;
    const link = `${siteUrl}${UNDO_ADDRESS_PATH}?link=${secret}`;
    await mailer.queue(tx, addressChanged(previous, { email, link, expiresAt }));
    await mailer.queue(tx, addressIsNow(email, { previous, siteUrl }));
    return true;
  });
}

async function changeAddress(tx: Tx, { session, link: text, visitor: { ip }, now }: AddressConfirmation) {
  await lockSession(tx, session, now);
  const { personId } = session;
  const link = await linkOf(tx, text, now);
  // An account that is to be deleted is kept first (`lockSession`), or deleted with the address that it has.
  if (session.deletionDueAt !== null) return null;
  if (link?.purpose !== "address" || link.personId !== personId || !(await useLink(tx, link, now))) return null;
  const { email, createdAt: requestedAt } = link;
  if (await personByEmail(tx, email)) return null;
  if ((await addressKeptUntil(tx, email, { now, except: personId })) !== null) return null;
  const { email: previous } = await personById(tx, personId);
  await changePerson(tx, personId, { email, verifiedAt: now });
  // Whoever reads the mail of the earlier address can undo the change, and nothing else.
  await voidLinks(tx, previous, now);
  await voidAddressLinks(tx, personId, now);
  await recordSecurityEvent(tx, { personId, kind: "address_changed", subject: email, ip, now });
  const undo = await createAddressUndo(tx, { personId, email: previous, requestedAt, now });
  return { previous, email, ...undo };
}

/** The demo account is found by its address whenever the service starts. */
function refuseDemo({ email }: Session): void {
  if (email === DEMO_EMAIL) throw refused("The demo account of a sandbox keeps its address.");
}

function refused(message: string): Refusal {
  return new Refusal("invalid_request", message, { issues: [{ path: "email", message }] });
}
