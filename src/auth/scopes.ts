import { SCOPES, type Scope } from "../context.ts";

/** The scopes named in a space-separated list (RFC 6749 section 3.3); unknown ones are left out. */
export function scopesIn(text: string): Scope[] {
  const named = new Set(text.split(" "));
  return SCOPES.filter((scope) => named.has(scope));
}

/** As OAuth writes them. */
export function scopeText(scopes: readonly Scope[]): string {
  return SCOPES.filter((scope) => scopes.includes(scope)).join(" ");
}

/** What each scope lets an app, an agent or a key do, in plain words (interface.md "Scopes"). */
export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  read: "See your balance, projects, links, orders and usage",
  index: "Create projects and checks, which spends your credits, and cancel links that were not sent",
  purchase: "Start purchases of credits: payment links for you, or direct payments where these are enabled",
};
