import { isLoopbackHost } from "../loopback.ts";
import type { Settings } from "./settings.ts";

/** The issuer of OpenID Connect by which people sign in. */
export interface IssuerSettings {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  /** What people call it. */
  readonly name: string;
}

export function issuerSettings(s: Settings): IssuerSettings | undefined {
  const { OIDC_ISSUER: url, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name } = s;
  if (url === undefined || clientId === undefined) return undefined;
  return { url, clientId, clientSecret, name: name ?? new URL(url).host };
}

/** Settings of the issuer that contradict each other. */
export function issuerProblems(s: Settings, mode: "sandbox" | "live"): string[] {
  const wrong: string[] = [];
  const { OIDC_ISSUER: url, OIDC_CLIENT_ID: clientId } = s;
  if (url === undefined) {
    for (const name of ["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_NAME"] as const)
      if (s[name] !== undefined) wrong.push(`${name}: requires OIDC_ISSUER`);
    if (s.LOCAL_SIGN_IN === "off") wrong.push("LOCAL_SIGN_IN: off requires OIDC_ISSUER, or nobody could sign in");
    return wrong;
  }
  if (clientId === undefined) wrong.push("OIDC_ISSUER: requires OIDC_CLIENT_ID");
  const { protocol, hostname } = new URL(url);
  const isLocal = mode === "sandbox" && isLoopbackHost(hostname.replace(/^\[|\]$/g, ""));
  if (protocol !== "https:" && !isLocal)
    wrong.push("OIDC_ISSUER: must be https; only a sandbox may use plain http, on this machine");
  return wrong;
}
