import type { Notice } from "../layout/factor.ts";
import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail to a person who can sign in by an issuer from now on. @param name what people call the issuer */
export function issuerConnected(to: string, { name, siteUrl }: Notice & { name: string }): Mail {
  return message(to, `${name} now signs you in to Beckon`, [
    `Your Beckon account was just connected with your account at ${name}. Whoever signs in there as you is signed in here.`,
    "If this was you, you need not do anything. If not, disconnect it at once, and tell whoever runs this service:",
    `${siteUrl}/dashboard/security`,
  ]);
}
