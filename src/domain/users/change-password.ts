import { passwordChanged } from "../mail/templates/password-changed.ts";
import { changePerson } from "../people/people.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";
import { voidAddressLinks, voidLinks } from "./mailed-links.ts";
import { hashPassword, requireGoodPassword } from "./passwords.ts";
import { endSessions, renewSession, type Session } from "./sessions.ts";
import { isPasswordUnchanged, personByPassword, recordSuccess } from "./sign-in-attempts.ts";
import type { UserServices, Visitor } from "./users.ts";

/**
 * Changes the password of a signed-in user who knows the current one, and ends their other sessions. Their own gets a new
 * secret, so that a copy of its cookie ends as well.
 * @returns the new secret of the session; null when the current password is wrong
 * @throws Refusal invalid_request for a password that is too weak; rate_limited as at sign-in; unavailable
 */
export async function changePassword(
  services: UserServices,
  change: { session: Session; current: string; password: string; visitor: Visitor; now: number },
): Promise<string | null> {
  const { session, visitor, now } = change;
  const { personId, email } = session;
  await requireGoodPassword(change.password, email);
  const attempt = { email, password: change.current, visitor, now };
  const person = await personByPassword(services, attempt);
  if (person?.id !== personId) return null;
  const passwordHash = await hashPassword(change.password);
  return services.db.tx(async (tx) => {
    if (!(await isPasswordUnchanged(tx, person))) return null;
    await changePerson(tx, personId, { passwordHash });
    const renewed = await renewSession(tx, session, now);
    await endSessions(tx, personId, now, session.id);
    await voidLinks(tx, email, now);
    await voidAddressLinks(tx, personId, now);
    await recordSuccess(tx, attempt, person);
    const { browser, ip } = visitor;
    await recordSecurityEvent(tx, { personId, kind: "password_set", subject: browser, ip, now });
    await services.mailer.queue(tx, passwordChanged(email, services.siteUrl));
    return renewed;
  });
}
