import type { Tx } from "../../../db/engine.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { accountExists } from "../mail/templates/account-exists.ts";
import { addressKept } from "../mail/templates/address-kept.ts";
import { confirmAddress } from "../mail/templates/confirm-address.ts";
import { addressKeptUntil } from "../people/address-undos.ts";
import { normaliseEmail } from "../people/email.ts";
import { invitationsTo } from "../people/invitations.ts";
import { countLinkRequest, sendLinkMail } from "./link-mail.ts";
import { createLink } from "./mailed-links.ts";
import { hashPassword, requireGoodPassword } from "./passwords.ts";
import type { UserServices, Visitor } from "./users.ts";

/**
 * Begins a sign-up: mails a link, and creates no account before it is used. An address that has an account already is told
 * so by mail; the browser is told the same in both cases.
 * @throws Refusal not_found where only the operator makes accounts; invalid_request for an invalid address or a weak password; rate_limited; unavailable
 */
export async function requestSignUp(
  services: UserServices,
  request: { email: string; password: string; returnTo: string; visitor: Visitor; now: number },
): Promise<void> {
  if (services.signUp === "off") throw new Refusal("not_found", "Nobody can sign up here.");
  const { visitor, returnTo, now } = request;
  const email = normaliseEmail(request.email);
  if (email === null) throw invalidEmail();
  await requireGoodPassword(request.password, email);
  await countLinkRequest(services, visitor, now);
  // Hashed for an address with an account too, so that timing does not tell.
  const passwordHash = await hashPassword(request.password);
  await sendLinkMail(services, { email, purpose: "sign_up", visitor, now }, async (tx, person) => {
    if (person) return accountExists(person.email, services.siteUrl);
    const keptUntil = await addressKeptUntil(tx, email, { now });
    if (keptUntil !== null) return addressKept(email, { until: keptUntil });
    if (!(await maySignUp(tx, services.signUp, email, now))) return null;
    const link = await createLink(tx, { purpose: "sign_up", email, passwordHash, visitor, returnTo, now });
    return confirmAddress(email, `${services.siteUrl}/confirm?link=${link}`);
  });
}

/** Whether an address may sign up: anybody's, or one that an account has invited. */
export async function maySignUp(tx: Tx, signUp: UserServices["signUp"], email: string, now: number): Promise<boolean> {
  return signUp === "open" || (signUp === "invite" && (await invitationsTo(tx, email, now)).length > 0);
}

export function invalidEmail(): Refusal {
  const issues = [{ path: "email", message: "not an e-mail address" }];
  return new Refusal("invalid_request", "This is not an e-mail address.", { issues });
}
