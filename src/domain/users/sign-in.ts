import { recordSecurityEvent } from "../security-log/security-log.ts";
import { tellOfNewBrowser } from "./new-browser.ts";
import { beginSession } from "./pending-sign-ins.ts";
import { accountByPassword, isPasswordUnchanged, recordSuccess, type SignInAttempt } from "./sign-in-attempts.ts";
import type { UserServices } from "./users.ts";

/**
 * Signs a browser in by password, or lets it go on to the second step where the account requires one.
 * @returns the secret of its session or pending sign-in; null when the address or the password is wrong, without saying which
 * @throws Refusal rate_limited after too many failures from the network; unavailable
 */
export async function signIn(services: UserServices, attempt: SignInAttempt): Promise<string | null> {
  const account = await accountByPassword(services, attempt);
  if (!account) return null;
  const { visitor, now } = attempt;
  return services.db.tx(async (tx) => {
    // Setting a new password ends all sessions: none may be opened with the old one after that.
    if (!(await isPasswordUnchanged(tx, account))) return null;
    await recordSuccess(tx, attempt, account);
    const { browser, ip } = visitor;
    const accountId = account.id;
    const { secret, isPending } = await beginSession(tx, { accountId, browser, ip, now });
    if (!isPending) await tellOfNewBrowser(tx, services, { accountId, visitor, now });
    const kind = isPending ? "factor_asked" : "signed_in";
    await recordSecurityEvent(tx, { accountId, kind, subject: browser, ip, now });
    return secret;
  });
}
