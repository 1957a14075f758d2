import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail to the owner of an account whose export is ready. Its link needs a sign-in. */
export function exportReady(to: string, { link, until }: { link: string; until: string }): Mail {
  return message(to, "Your Beckon export is ready", [
    `The export of everything that your Beckon account holds is ready. You can download it until ${until}, signed in to your account:`,
    link,
    "If you did not request it, somebody else is signed in to your account. Set a new password at once, which ends all sessions; if it was you, you need not do anything.",
  ]);
}
