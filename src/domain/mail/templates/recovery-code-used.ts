import type { Notice } from "../layout/factor.ts";
import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail to the owner of an account whose recovery code was used. */
export function recoveryCodeUsed(to: string, { left, siteUrl }: Notice & { left: number }): Mail {
  return message(to, "A recovery code of your Beckon account was used", [
    `A recovery code of your Beckon account was just used in place of a passkey or a code. ${left === 1 ? "1 recovery code is" : `${left} recovery codes are`} left.`,
    "If this was you, make new ones before they run out. If not, make new ones at once, so that the others are void, and set a new password:",
    `${siteUrl}/dashboard/security`,
  ]);
}
