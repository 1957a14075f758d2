import { createRemoteJWKSet, jwtVerify } from "jose";
import * as oauth from "oauth4webapi";
import { afterAll, describe, expect, test } from "vitest";
import { MINUTE, SECOND } from "../src/platform/clock.ts";
import { answerOf } from "./support/mcp/call-every-tool.ts";
import { CLIENTS } from "./support/mcp/clients.ts";
import { consent, signUp, typeCode } from "./support/oauth/consent.ts";
import { discover, INSECURE, StrictApp, tokensFor } from "./support/oauth/strict-app.ts";
import { testService } from "./support/service/service.ts";
import { signedIn, User } from "./support/website/user.ts";

const service = await testService({ publishUrl: true });
afterAll(() => service.close());
const issuer = new URL(service.url);

const CLAIM = "urn:beckon:agent-auth:grant-type:claim";
const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

async function account(token: string) {
  const answer = await service.request("GET", "/account", { key: token });
  return { status: answer.status, credential: answer.json?.credential };
}

/** What the token endpoint refuses with. */
async function refusal(tokens: Promise<unknown>): Promise<string> {
  const thrown = await tokens.then(
    () => new Error("tokens were issued"),
    (reason) => reason,
  );
  if (!(thrown instanceof oauth.ResponseBodyError)) throw thrown;
  return thrown.error;
}

describe("published metadata, as a strict client reads it", () => {
  test("200 authorization server metadata (RFC 8414): the issuer is the address, to the byte", async () => {
    const as = await discover(issuer);
    expect(as.issuer).toBe(service.url);
    expect(as.code_challenge_methods_supported).toEqual(["S256"]);
    expect(as.authorization_response_iss_parameter_supported).toBe(true);
    expect(as.grant_types_supported).toEqual(["authorization_code", "refresh_token", JWT_BEARER, CLAIM]);
  });

  for (const path of ["", "/api/v1", "/mcp", "/a2a"]) {
    test(`200 protected resource metadata of "${path}" (RFC 9728) leads to the authorization server`, async () => {
      const resource = new URL(`${service.url}${path}`);
      const response = await oauth.resourceDiscoveryRequest(resource, INSECURE);
      const found = await oauth.processResourceDiscoveryResponse(resource, response);
      expect(found.resource).toBe(`${service.url}${path}`);
      expect(found.authorization_servers).toEqual([service.url]);
    });
  }
});

describe("an app", () => {
  test("law: from nothing to a call: sign-up, verified address, consent with an unticked scope, REST and MCP", async () => {
    const app = await StrictApp.of(issuer);
    const { address, verifier, state } = await app.request({ scope: "read index" });
    const user = new User(service);
    const consentPage = await user.get(`${address}`);
    expect(consentPage.location).toMatch(/^\/sign-in\?return_to=/);
    const email = "ada@example.com";
    const page = await signUp(user, service.outbox, { email, from: consentPage.location! });
    expect(page.text).toContain("Strict app");
    const answer = await consent(user, address, { untick: ["index"] });
    const callback = oauth.validateAuthResponse(app.as, app.client, answer, state);
    const tokens = await app.exchange(callback, verifier);
    expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 3600, scope: "read" });

    const seen = await account(tokens.access_token);
    expect(seen).toMatchObject({ status: 200, credential: { type: "oauth", name: "Strict app", scopes: ["read"] } });
    const denied = await service.request("POST", "/checks", {
      key: tokens.access_token,
      body: { urls: ["https://example.com/"] },
    });
    expect(denied.json.error.code).toBe("insufficient_scope");

    const connect = Object.values(CLIENTS)[0]!;
    const client = await connect({ url: `${service.url}/mcp`, key: tokens.access_token });
    await client.list();
    expect(answerOf(await client.call("get_account"))).toMatchObject({ object: "account" });
    await client.close();
  });

  test("access_denied: a user who declines, with state and issuer", async () => {
    const app = await StrictApp.of(issuer);
    const { address, state } = await app.request({ scope: "read" });
    const { user } = await signedIn(service);
    const answer = await consent(user, address, { decision: "decline" });
    expect(() => oauth.validateAuthResponse(app.as, app.client, answer, state)).toThrow(
      expect.objectContaining({ error: "access_denied" }),
    );
  });

  test("401: a token for /mcp is valid nowhere else", async () => {
    const app = await StrictApp.of(issuer);
    const { user } = await signedIn(service);
    const tokens = await app.signIn(user, { scope: "read", resource: `${service.url}/mcp` });
    expect((await account(tokens.access_token)).status).toBe(401);
  });

  test("a refresh token is valid once: a second use disconnects the app", async () => {
    const app = await StrictApp.of(issuer);
    const { user } = await signedIn(service);
    const first = await app.signIn(user, { scope: "read index" });
    service.clock.pass(61 * MINUTE);
    expect((await account(first.access_token)).status).toBe(401);
    const second = await app.refresh(first.refresh_token!);
    expect(second).toMatchObject({ scope: "read index", expires_in: 3600 });
    expect((await account(second.access_token)).status).toBe(200);
    expect(second.refresh_token).not.toBe(first.refresh_token);

    expect(await refusal(app.refresh(first.refresh_token!))).toBe("invalid_grant");
    expect((await account(second.access_token)).status).toBe(401);
    expect(await refusal(app.refresh(second.refresh_token!))).toBe("invalid_grant");
  });

  test("invalid_grant: a reused code disconnects the app", async () => {
    const app = await StrictApp.of(issuer);
    const { address, verifier, state } = await app.request();
    const { user } = await signedIn(service);
    const answer = oauth.validateAuthResponse(app.as, app.client, await consent(user, address), state);
    const tokens = await app.exchange(answer, verifier);
    expect(await refusal(app.exchange(answer, verifier))).toBe("invalid_grant");
    expect((await account(tokens.access_token)).status).toBe(401);
  });

  test("invalid_grant: a code with the verifier of another request", async () => {
    const app = await StrictApp.of(issuer);
    const { address, state } = await app.request();
    const { user } = await signedIn(service);
    const answer = oauth.validateAuthResponse(app.as, app.client, await consent(user, address), state);
    expect(await refusal(app.exchange(answer, oauth.generateRandomCodeVerifier()))).toBe("invalid_grant");
  });
});

describe("an agent", () => {
  async function register(email: string) {
    const response = await fetch(`${service.url}/api/agent/identity`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        type: "service_auth",
        login_hint: email,
        agent_name: "Test agent",
        scope: "read index purchase",
      }),
    });
    expect(response.status).toBe(200);
    // biome-ignore lint/suspicious/noExplicitAny: what came, whatever it is
    return (await response.json()) as any;
  }

  test("law: registered, claimed by its user, polled, renewed, revoked", async () => {
    const as = await discover(issuer);
    const email = "grace@example.com";
    const registration = await register(email);
    const { claim, claim_token } = registration;
    expect(registration.post_claim_scopes).toEqual(["read", "index", "purchase"]);
    expect(claim.user_code).toMatch(/^\S{6}$/);
    expect(claim.verification_uri).not.toContain(claim.user_code);
    const poll = () => tokensFor(as, CLAIM, { claim_token });
    expect(await refusal(poll())).toBe("authorization_pending");
    expect(await refusal(poll())).toBe("slow_down");

    const user = new User(service);
    const claimPage = await user.get(claim.verification_uri);
    const page = await signUp(user, service.outbox, { email, from: claimPage.location! });
    expect(page.text).toContain("Test agent");
    await typeCode(user, page, claim.user_code, { untick: ["purchase"] });

    service.clock.pass(10 * SECOND);
    const tokens = await poll();
    expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 3600, scope: "read index" });
    expect(await account(tokens.access_token)).toMatchObject({
      status: 200,
      credential: { type: "agent", name: "Test agent", scopes: ["read", "index"] },
    });
    expect(await refusal(poll())).toBe("invalid_grant");

    const assertion = tokens.identity_assertion as string;
    const keys = createRemoteJWKSet(new URL(as.jwks_uri!));
    const currentDate = new Date(service.clock.now());
    const expected = { issuer: service.url, audience: service.url, algorithms: ["ES256"], currentDate };
    const { payload } = await jwtVerify(assertion, keys, expected);
    expect(payload.exp! - payload.iat!).toBe(30 * 86_400);

    service.clock.pass(61 * MINUTE);
    expect((await account(tokens.access_token)).status).toBe(401);
    const renewed = await tokensFor(as, JWT_BEARER, { assertion });
    expect(renewed.refresh_token).toBeUndefined();
    expect(renewed).toMatchObject({ scope: "read index" });
    expect((await account(renewed.access_token)).status).toBe(200);

    const nobody = { client_id: "nobody" };
    const revoked = await oauth.revocationRequest(as, nobody, () => undefined, assertion, INSECURE);
    await oauth.processRevocationResponse(revoked);
    expect((await account(renewed.access_token)).status).toBe(401);
    expect(await refusal(tokensFor(as, JWT_BEARER, { assertion }))).toBe("invalid_grant");
  });
});
