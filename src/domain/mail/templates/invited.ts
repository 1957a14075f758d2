import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail to an address that was invited. It has no text that a stranger has chosen but the address of who invites. */
export function invited(to: string, { by, role, link }: { by: string; role: string; link: string }): Mail {
  return message(to, "You are invited to an account on Beckon", [
    `${by} invites you to an account on Beckon, as its ${role}. To see the invitation, sign in with this e-mail address, or sign up with it, and open:`,
    link,
    "The invitation is for this address alone, and ends after seven days. If you do not know who invites you, ignore this mail.",
  ]);
}
