import { eq } from "drizzle-orm";
import { recordSecurityEvent } from "../auth/events.ts";
import { voidLinks } from "./mailed-links.ts";
import { passwordChanged } from "./messages.ts";
import { hashPassword, requireGoodPassword } from "./passwords.ts";
import { endSessions, type Session } from "./sessions.ts";
import { accountByPassword, isPasswordUnchanged, recordSuccess } from "./sign-in-attempts.ts";
import type { UserServices, Visitor } from "./users.ts";

/**
 * Changes the password of a signed-in user who knows the current one, and ends their other sessions.
 * @throws Refusal invalid_request for a password that is too weak; rate_limited as at sign-in; unavailable
 */
export async function changePassword(
  services: UserServices,
  change: { session: Session; current: string; password: string; visitor: Visitor; now: number },
): Promise<"changed" | "wrong"> {
  const { session, visitor, now } = change;
  const { accountId, email } = session;
  requireGoodPassword(change.password, email);
  const attempt = { email, password: change.current, visitor, now };
  const account = await accountByPassword(services, attempt);
  if (account?.id !== accountId) return "wrong";
  const passwordHash = await hashPassword(change.password);
  const isChanged = await services.db.tx(async (tx) => {
    if (!(await isPasswordUnchanged(tx, account))) return false;
    const { accounts, sessions } = tx.t;
    await tx.q.update(accounts).set({ passwordHash }).where(eq(accounts.id, accountId));
    await tx.q.update(sessions).set({ authenticatedAt: now }).where(eq(sessions.id, session.id));
    await endSessions(tx, accountId, now, session.id);
    await voidLinks(tx, email, now);
    await recordSuccess(tx, attempt);
    const { browser, ip } = visitor;
    await recordSecurityEvent(tx, { accountId, kind: "password_set", subject: browser, ip, now });
    return true;
  });
  if (!isChanged) return "wrong";
  services.mailer.send(passwordChanged(email, services.siteUrl));
  return "changed";
}
