import { afterAll, expect, test } from "vitest";
import { RESOURCES } from "../../../../src/domain/credentials/resources.ts";
import { currentKey } from "../../../../src/domain/oauth/signing-keys.ts";
import { testService } from "../../../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());
const SITE = "http://beckon.test";

async function get(path: string) {
  const response = await fetch(`${service.url}${path}`);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
}

test("authorization server: the document is exactly this, and the issuer has no trailing slash", async () => {
  const { status, headers, json, text } = await get("/.well-known/oauth-authorization-server");
  expect([status, headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
  expect(text).toContain(`{"issuer":"${SITE}",`);
  expect(json).toEqual({
    issuer: SITE,
    authorization_endpoint: `${SITE}/oauth/authorize`,
    token_endpoint: `${SITE}/oauth/token`,
    registration_endpoint: `${SITE}/oauth/register`,
    revocation_endpoint: `${SITE}/oauth/revoke`,
    jwks_uri: `${SITE}/.well-known/jwks.json`,
    scopes_supported: ["read", "index", "purchase", "offline_access"],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: [
      "authorization_code",
      "refresh_token",
      "urn:ietf:params:oauth:grant-type:jwt-bearer",
      "urn:beckon:agent-auth:grant-type:claim",
    ],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: service.config.clientDocuments,
    service_documentation: `${SITE}/auth.md`,
    op_policy_uri: `${SITE}/privacy`,
    op_tos_uri: `${SITE}/terms`,
    agent_auth: {
      skill: `${SITE}/auth.md`,
      identity_endpoint: `${SITE}/api/agent/identity`,
      claim_endpoint: `${SITE}/api/agent/identity/claim`,
      identity_types_supported: ["service_auth"],
    },
  });
});

test.each([true, false])(
  "support of client metadata documents is announced if they are accepted: %s",
  async (clientDocuments) => {
    const other = await testService({ config: { clientDocuments } });
    const response = await fetch(`${other.url}/.well-known/oauth-authorization-server`);
    expect(await response.json()).toMatchObject({ client_id_metadata_document_supported: clientDocuments });
    await other.close();
  },
);

test.each(["", ...RESOURCES])(
  "protected resource %j: its resource is the URL to which the metadata belongs",
  async (path) => {
    const { status, headers, json } = await get(`/.well-known/oauth-protected-resource${path}`);
    expect([status, headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    expect(json).toEqual({
      resource: `${SITE}${path}`,
      authorization_servers: [SITE],
      scopes_supported: ["read", "index", "purchase"],
      bearer_methods_supported: ["header"],
      resource_name: "Beckon",
      resource_documentation: `${SITE}/auth.md`,
      resource_policy_uri: `${SITE}/privacy`,
      resource_tos_uri: `${SITE}/terms`,
    });
  },
);

test.each(["127.0.0.1", "localhost"])(
  "a sandbox on this machine describes itself by the name it is called by: %s",
  async (name) => {
    const here = await testService({ publishUrl: true });
    const { port } = new URL(here.url);
    const site = `http://${name}:${port}`;
    const read = async (path: string) => (await fetch(`${site}/.well-known/${path}`)).json();
    expect(await read("oauth-protected-resource/mcp")).toMatchObject({
      resource: `${site}/mcp`,
      authorization_servers: [site],
    });
    expect(await read("oauth-authorization-server")).toMatchObject({
      issuer: site,
      authorization_endpoint: `${site}/oauth/authorize`,
    });
    const { headers } = await fetch(`${site}/api/v1/account`);
    expect(headers.get("www-authenticate")).toContain(`"${site}/.well-known/oauth-protected-resource/api/v1"`);
    await here.close();
  },
);

test("JWKS: has one key before anything was signed, with its public members only", async () => {
  const { headers, json, text } = await get("/.well-known/jwks.json");
  const { kid, jwk } = await currentKey(service.db, service.clock.now());
  expect(json.keys.map((key: object) => Object.keys(key).sort())).toEqual([
    ["alg", "crv", "kid", "kty", "use", "x", "y"],
  ]);
  expect(json.keys[0]).toMatchObject({ kid, kty: "EC", crv: "P-256", alg: "ES256", use: "sig" });
  expect(text).not.toContain(jwk.d!);
  expect(headers.get("cache-control")).toBe("public, max-age=300");
});
