import { SCOPES, type Scope } from "../../platform/principal.ts";

/** The scopes named in a space-separated list (RFC 6749 section 3.3); unknown ones are ignored. */
export function scopesIn(text: string): Scope[] {
  const named: readonly string[] = text.split(" ");
  return SCOPES.filter((scope) => named.includes(scope));
}

/** Asks for a refresh token (OpenID Connect Core section 11). Every app gets one, whether it asks or not. */
export const OFFLINE_ACCESS = "offline_access";

/** The scopes that a request names; undefined where it leaves them open: without any, or with `offline_access` alone. */
export function requestedScopes(text: string | null | undefined): Scope[] | undefined {
  const named = (text ?? "").split(" ").filter((scope) => scope !== "" && scope !== OFFLINE_ACCESS);
  return named.length === 0 ? undefined : scopesIn(named.join(" "));
}

/** Scopes as a space-separated list, in a fixed order. */
export function scopeText(scopes: readonly Scope[]): string {
  return SCOPES.filter((scope) => scopes.includes(scope)).join(" ");
}
