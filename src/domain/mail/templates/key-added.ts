import { type AccessAdded, wordsOf } from "../layout/access.ts";
import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail to the owner of an account for which an API key was created. */
export function keyAdded(to: string, { name, scopes, siteUrl }: AccessAdded): Mail {
  return message(to, "An API key was created for your Beckon account", [
    `The API key "${name}" was just created for your Beckon account. Whoever has it may: ${wordsOf(scopes)}.`,
    "If this was you, you need not do anything. If not, revoke the key at once, and set a new password:",
    `${siteUrl}/dashboard/keys`,
  ]);
}
