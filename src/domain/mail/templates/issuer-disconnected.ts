import { NOT_YOU, type Notice } from "../layout/factor.ts";
import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

/** The mail to a person whom an issuer no longer signs in. @param name what people call the issuer */
export function issuerDisconnected(to: string, { name, siteUrl }: Notice & { name: string }): Mail {
  return message(to, `${name} no longer signs you in to Beckon`, [
    `Your Beckon account was just disconnected from your account at ${name}. Signing in there no longer signs you in here.`,
    NOT_YOU,
    `${siteUrl}/forgot`,
  ]);
}
