import { SCOPES, type Scope } from "../../platform/principal.ts";

/** The scopes named in a space-separated list (RFC 6749 section 3.3); unknown ones are ignored. */
export function scopesIn(text: string): Scope[] {
  const named: readonly string[] = text.split(" ");
  return SCOPES.filter((scope) => named.includes(scope));
}

/** Scopes as a space-separated list, in a fixed order. */
export function scopeText(scopes: readonly Scope[]): string {
  return SCOPES.filter((scope) => scopes.includes(scope)).join(" ");
}
