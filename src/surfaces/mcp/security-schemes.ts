import type { Access } from "../../contract/operation.ts";

/** How a tool may be called: without a credential, or with an access token of these scopes. */
export type SecurityScheme =
  | { readonly type: "noauth" }
  | { readonly type: "oauth2"; readonly scopes: readonly string[] };

/**
 * The ways to call a tool, as ChatGPT reads them before its user has signed in (SEP-1488). Both: it may be called at once, and
 * does more for somebody who has signed in.
 */
export function securitySchemesOf(access: Access): SecurityScheme[] {
  const scopes = access.kind === "scope" ? [access.scope] : [];
  const signedIn: SecurityScheme[] = [{ type: "oauth2", scopes }];
  if (access.kind === "public") return access.saysMore ? [NOBODY, ...signedIn] : [NOBODY];
  return access.kind === "scope" && access.anonymous ? [NOBODY, ...signedIn] : signedIn;
}

const NOBODY: SecurityScheme = { type: "noauth" };
