import { iso } from "../../platform/clock.ts";
import { SCOPE_WORDS, type Scope } from "../../platform/principal.ts";
import type { Mail } from "../mail/mailer.ts";
import { message } from "../mail/templates/plain.ts";

interface AccessAdded {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly siteUrl: string;
}

/** The mail to the owner of an account for which an API key was created. */
export function keyAdded(to: string, { name, scopes, siteUrl }: AccessAdded): Mail {
  return message(to, "An API key was created for your Beckon account", [
    `The API key "${name}" was just created for your Beckon account. Whoever has it may: ${wordsOf(scopes)}.`,
    "If this was you, you need not do anything. If not, revoke the key at once, and set a new password:",
    `${siteUrl}/dashboard/keys`,
  ]);
}

/** The mail to the owner of an account to which an app was connected. */
export function appConnected(to: string, { name, scopes, siteUrl }: AccessAdded): Mail {
  return message(to, "An app was connected to your Beckon account", [
    `An app was just connected to your Beckon account. It calls itself "${name}", which we have not verified. It may: ${wordsOf(scopes)}.`,
    "If this was you, you need not do anything. If not, disconnect it at once, and set a new password:",
    `${siteUrl}/dashboard/apps`,
  ]);
}

/** The mail to the owner of an account to which somebody signed in with a browser that is not known. */
export function signedInByNewBrowser(
  to: string,
  { browser, at, siteUrl }: { browser: string; at: number; siteUrl: string },
): Mail {
  return message(to, "New sign-in to your Beckon account", [
    `On ${timeOf(at)}, somebody signed in to your Beckon account with ${browser}. We do not know this browser, or it has not signed in since you last set your password.`,
    "If this was you, you need not do anything. If not, set a new password at once, which ends all sessions. When you do, you can also disconnect all apps and agents, and revoke all API keys:",
    `${siteUrl}/forgot`,
    "Your recent sign-ins, with their IP addresses, are listed here:",
    `${siteUrl}/dashboard/security`,
  ]);
}

function wordsOf(scopes: readonly Scope[]): string {
  return scopes.map((scope) => SCOPE_WORDS[scope].replace(/^./, (first) => first.toLowerCase())).join("; ");
}

/** "2026-11-21 at 09:43 UTC" */
function timeOf(at: number): string {
  const text = iso(at);
  return `${text.slice(0, 10)} at ${text.slice(11, 16)} UTC`;
}
