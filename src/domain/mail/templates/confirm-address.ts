import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail to an address that somebody signed up with. */
export function confirmAddress(to: string, link: string): Mail {
  return message(to, "Confirm your e-mail address for Beckon", [
    "Somebody, we hope you, signed up for Beckon with this e-mail address. To create the account, open this link:",
    link,
    "The link works once, and for 24 hours. In another browser than the one you signed up with, it asks for the password you chose.",
    "If this was not you, ignore this mail: no account is created unless the link is used.",
  ]);
}
