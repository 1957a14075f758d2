import { MCP_PATHS } from "../../domain/credentials/resources.ts";
import { OFFLINE_ACCESS } from "../../domain/credentials/scopes.ts";
import { currentKey, jwksOf } from "../../domain/oauth/signing-keys.ts";
import type { Config } from "../../platform/config/config.ts";
import { SCOPES } from "../../platform/principal.ts";
import type { Endpoint, OAuthRequest } from "./endpoint.ts";

export const GRANT_TYPES = [
  "authorization_code",
  "refresh_token",
  "urn:ietf:params:oauth:grant-type:jwt-bearer",
  "urn:beckon:agent-auth:grant-type:claim",
] as const;

/** Authorization server metadata (RFC 8414), with what auth.md adds for agents. */
export const authorizationServer = document(({ siteUrl, clientDocuments }) => ({
  issuer: siteUrl,
  authorization_endpoint: `${siteUrl}/oauth/authorize`,
  token_endpoint: `${siteUrl}/oauth/token`,
  registration_endpoint: `${siteUrl}/oauth/register`,
  revocation_endpoint: `${siteUrl}/oauth/revoke`,
  jwks_uri: `${siteUrl}/.well-known/jwks.json`,
  // Clients ask for a refresh token where it stands here, and it must not stand in the metadata of a resource (SEP-2207).
  scopes_supported: [...SCOPES, OFFLINE_ACCESS],
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: GRANT_TYPES,
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: clientDocuments,
  service_documentation: `${siteUrl}/auth.md`,
  op_policy_uri: `${siteUrl}/privacy`,
  op_tos_uri: `${siteUrl}/terms`,
  agent_auth: {
    skill: `${siteUrl}/auth.md`,
    identity_endpoint: `${siteUrl}/api/agent/identity`,
    claim_endpoint: `${siteUrl}/api/agent/identity/claim`,
    identity_types_supported: ["service_auth"],
  },
}));

/**
 * Protected resource metadata (RFC 9728). The resource is the address from which the document's own was made (section 3.3), with
 * its query.
 * @param path "" for the whole service
 */
export function protectedResource(path: string): Endpoint {
  return document(({ siteUrl }, { query }) => ({
    resource: `${siteUrl}${path}${MCP_PATHS.includes(path) ? query : ""}`,
    authorization_servers: [siteUrl],
    scopes_supported: SCOPES,
    bearer_methods_supported: ["header"],
    resource_name: "Beckon",
    resource_documentation: `${siteUrl}/auth.md`,
    resource_policy_uri: `${siteUrl}/privacy`,
    resource_tos_uri: `${siteUrl}/terms`,
  }));
}

/** The keys that identity assertions are signed with (RFC 7517). */
export const jwks: Endpoint = {
  method: "GET",
  errors: "object",
  async run({ db }, { now }) {
    // Creates the first key, so that the set is never empty.
    await currentKey(db, now);
    return { status: 200, body: await jwksOf(db, now), headers: { "Cache-Control": "public, max-age=300" } };
  },
};

function document(of: (config: Config, request: OAuthRequest) => object): Endpoint {
  return {
    method: "GET",
    errors: "object",
    async run({ config }, request) {
      return { status: 200, body: of(config, request), headers: { "Cache-Control": "public, max-age=300" } };
    },
  };
}
