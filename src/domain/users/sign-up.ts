import { Refusal } from "../../platform/errors/errors.ts";
import { normaliseEmail } from "../accounts/email.ts";
import { countLinkRequest, sendLinkMail } from "./link-mail.ts";
import { createLink } from "./mailed-links.ts";
import { accountExists, confirmAddress } from "./messages.ts";
import { hashPassword, requireGoodPassword } from "./passwords.ts";
import type { UserServices, Visitor } from "./users.ts";

/**
 * Begins a sign-up: mails a link, and makes no account before it is used. An address that has an account is told so by
 * mail, and the browser sees the same.
 * @throws Refusal invalid_request for what is no address or a bad password; rate_limited; unavailable
 */
export async function requestSignUp(
  services: UserServices,
  ask: { email: string; password: string; returnTo: string; visitor: Visitor; now: number },
): Promise<void> {
  const { visitor, returnTo, now } = ask;
  const email = normaliseEmail(ask.email);
  if (email === null) throw noAddress();
  requireGoodPassword(ask.password, email);
  await countLinkRequest(services, visitor, now);
  // Also for an address with an account: time would tell.
  const passwordHash = await hashPassword(ask.password);
  await sendLinkMail(services, { email, purpose: "sign_up", visitor, now }, async (tx, account) => {
    if (account) return accountExists(account.email, services.siteUrl);
    const link = await createLink(tx, { purpose: "sign_up", email, passwordHash, visitor, returnTo, now });
    return confirmAddress(email, `${services.siteUrl}/confirm?link=${link}`);
  });
}

function noAddress(): Refusal {
  const issues = [{ path: "email", message: "not an e-mail address" }];
  return new Refusal("invalid_request", "This is not an e-mail address.", { issues });
}
