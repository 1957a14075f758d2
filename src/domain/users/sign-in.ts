import { recordSecurityEvent } from "../security-log/security-log.ts";
import { tellOfNewBrowser } from "./new-browser.ts";
import { beginSession } from "./pending-sign-ins.ts";
import { isPasswordUnchanged, personByPassword, recordSuccess, type SignInAttempt } from "./sign-in-attempts.ts";
import type { UserServices } from "./users.ts";

/**
 * Signs a browser in by password, or lets it go on to the second step where the person requires one.
 * @returns the secret of its session or pending sign-in; null when the address or the password is wrong, without saying which
 * @throws Refusal rate_limited after too many failures from the network; unavailable
 */
export async function signIn(services: UserServices, attempt: SignInAttempt): Promise<string | null> {
  const person = await personByPassword(services, attempt);
  if (!person) return null;
  const { visitor, now } = attempt;
  return services.db.tx(async (tx) => {
    // Setting a new password ends all sessions: none may be opened with the old one after that.
    if (!(await isPasswordUnchanged(tx, person))) return null;
    await recordSuccess(tx, attempt, person);
    const { browser, ip } = visitor;
    const personId = person.id;
    const { secret, isPending } = await beginSession(tx, { personId, browser, ip, now });
    if (!isPending) await tellOfNewBrowser(tx, services, { personId, visitor, now });
    const kind = isPending ? "factor_asked" : "signed_in";
    await recordSecurityEvent(tx, { personId, kind, subject: browser, ip, now });
    return secret;
  });
}
