import type { Tx } from "../../../db/engine.ts";
import { passwordChanged } from "../mail/templates/password-changed.ts";
import { resetLink } from "../mail/templates/reset-link.ts";
import { normaliseEmail } from "../people/email.ts";
import { changePerson, personByEmail } from "../people/people.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";
import { knownBrowserOf } from "./known-browsers.ts";
import { countLinkRequest, sendLinkMail } from "./link-mail.ts";
import {
  createLink,
  isRequestedBy,
  linkOf,
  type MailedLink,
  useLink,
  voidAddressLinks,
  voidLinks,
} from "./mailed-links.ts";
import { hashPassword, requireGoodPassword } from "./passwords.ts";
import { pauseSince } from "./pause-since.ts";
import { beginSession } from "./pending-sign-ins.ts";
import { revokeAccess } from "./revoke-access.ts";
import { endSessions } from "./sessions.ts";
import { resetFailures } from "./sign-in-attempts.ts";
import type { UserServices, Visitor } from "./users.ts";

/**
 * Mails a link to set a new password, if somebody has the address. The browser is told the same in both cases.
 * @throws Refusal rate_limited
 */
export async function requestPasswordReset(
  services: UserServices,
  request: { email: string; returnTo: string; visitor: Visitor; now: number },
): Promise<void> {
  const { visitor, returnTo, now } = request;
  const email = normaliseEmail(request.email);
  const person = email === null ? null : await personByEmail(services.db, email);
  if (knownBrowserOf(visitor.known, person) === null) await countLinkRequest(services, visitor, now);
  if (email === null) return;
  await sendLinkMail(services, { email, purpose: "reset", visitor, now }, async (tx, person) => {
    // Created for nobody too, and sent to nobody, so that timing does not tell whether there is one.
    const link = await createLink(tx, { purpose: "reset", email, passwordHash: null, visitor, returnTo, now });
    return person && resetLink(person.email, `${services.siteUrl}/reset?link=${link}`);
  });
}

export interface PasswordReset {
  /** The secret of the mailed link. */
  readonly link: string;
  readonly password: string;
  /**
   * Whether to disconnect apps and agents, revoke API keys, and pause webhooks and watches too, as after a theft.
   */
  readonly revokeAccess: boolean;
  /** Of these, only what was made or changed since then is paused; real time, default: everything. */
  readonly pausedSince?: number;
  readonly visitor: Visitor;
  readonly now: number;
}

/**
 * Sets a new password by a mailed link, which also verifies the address. Ends every session and signs this browser in,
 * or lets it go on to the second step where the person requires one.
 * @returns null when the link is not valid
 * @throws Refusal invalid_request for a weak password, which does not use the link up; unavailable
 */
export async function resetPassword(
  services: UserServices,
  reset: PasswordReset,
): Promise<{ session: string; returnTo: string } | null> {
  const { db } = services;
  const link = await linkOf(db, reset.link, reset.now);
  if (link?.purpose !== "reset") return null;
  await requireGoodPassword(reset.password, link.email);
  const passwordHash = await hashPassword(reset.password);
  const session = await db.tx((tx) => setByLink(tx, services, { link, passwordHash, reset }));
  if (session === null) return null;
  // Anybody may have requested the link: only the browser that did gets the path it asked for.
  return { session, returnTo: isRequestedBy(link, reset.visitor) ? link.returnTo : "/dashboard" };
}

async function setByLink(
  tx: Tx,
  { mailer, siteUrl }: UserServices,
  { link, passwordHash, reset }: { link: MailedLink; passwordHash: string; reset: PasswordReset },
): Promise<string | null> {
  const { visitor, now } = reset;
  const { browser, ip } = visitor;
  if (!(await useLink(tx, link, now))) return null;
  const person = await personByEmail(tx, link.email);
  if (!person) return null;
  const personId = person.id;
  await changePerson(tx, personId, { passwordHash, verifiedAt: person.verifiedAt ?? now });
  await endSessions(tx, personId, now);
  await voidLinks(tx, link.email, now);
  await voidAddressLinks(tx, personId, now);
  await resetFailures(tx, { email: link.email, visitor }, person);
  await recordSecurityEvent(tx, { personId, kind: "password_set", subject: browser, ip, now });
  const paused = reset.revokeAccess ? await pauseSince(tx, personId, { since: reset.pausedSince ?? 0, now }) : [];
  if (reset.revokeAccess) await revokeAccess(tx, { personId }, { by: "password_reset", ip, now });
  await mailer.queue(tx, passwordChanged(link.email, siteUrl, paused));
  // The mailbox replaces the password, but no factor.
  return (await beginSession(tx, { personId, browser, ip, now })).secret;
}
