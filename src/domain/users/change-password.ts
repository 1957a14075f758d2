import { eq } from "drizzle-orm";
import { passwordChanged } from "../mail/templates/password-changed.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";
import { voidAddressLinks, voidLinks } from "./mailed-links.ts";
import { hashPassword, requireGoodPassword } from "./passwords.ts";
import { endSessions, renewSession, type Session } from "./sessions.ts";
import { accountByPassword, isPasswordUnchanged, recordSuccess } from "./sign-in-attempts.ts";
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
  const { accountId, email } = session;
  await requireGoodPassword(change.password, email);
  const attempt = { email, password: change.current, visitor, now };
  const account = await accountByPassword(services, attempt);
  if (account?.id !== accountId) return null;
  const passwordHash = await hashPassword(change.password);
  return services.db.tx(async (tx) => {
    if (!(await isPasswordUnchanged(tx, account))) return null;
    const { accounts } = tx.t;
    await tx.q.update(accounts).set({ passwordHash }).where(eq(accounts.id, accountId));
    const renewed = await renewSession(tx, session, now);
    await endSessions(tx, accountId, now, session.id);
    await voidLinks(tx, email, now);
    await voidAddressLinks(tx, accountId, now);
    await recordSuccess(tx, attempt, account);
    const { browser, ip } = visitor;
    await recordSecurityEvent(tx, { accountId, kind: "password_set", subject: browser, ip, now });
    await services.mailer.queue(tx, passwordChanged(email, services.siteUrl));
    return renewed;
  });
}
