import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail to the address that an account no longer has, since the change was undone. */
export function addressTakenBack(to: string, { email, siteUrl }: { email: string; siteUrl: string }): Mail {
  return message(to, "The change of your Beckon address was undone", [
    `Somebody with access to ${email}, an earlier address of your Beckon account, has undone the change of its e-mail address. The account has that address again, and this one no longer signs in.`,
    "If this was you, you need not do anything. If not, write to us from here:",
    siteUrl,
  ]);
}
