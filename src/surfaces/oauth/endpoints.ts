import { MCP_PATHS, RESOURCES } from "../../domain/credentials/resources.ts";
import { claim } from "./claim.ts";
import type { Endpoint } from "./endpoint.ts";
import { identity } from "./identity.ts";
import { authorizationServer, jwks, protectedResource } from "./metadata.ts";
import { register } from "./register.ts";
import { revoke } from "./revoke.ts";
import { token } from "./token.ts";

/** The endpoints of the authorization server by path. The authorization endpoint is a page: src/surfaces/website/sign-in/consent/. */
export const ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map([
  ["/.well-known/oauth-authorization-server", authorizationServer],
  ["/.well-known/jwks.json", jwks],
  ...["", ...RESOURCES, ...MCP_PATHS].map(
    (path) => [`/.well-known/oauth-protected-resource${path}`, protectedResource(path)] as const,
  ),
  ["/oauth/register", register],
  ["/oauth/token", token],
  ["/oauth/revoke", revoke],
  ["/api/agent/identity", identity],
  ["/api/agent/identity/claim", claim],
]);
