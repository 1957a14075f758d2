import { decodeJwt } from "jose";
import { beforeEach, expect, test } from "vitest";
import { rotateKeys } from "../../../../src/domain/oauth/signing-keys.ts";
import { DAY, MINUTE, SECOND } from "../../../../src/platform/clock.ts";
import { GRANT_TYPES } from "../../../../src/surfaces/oauth/metadata.ts";
import { Agent, allowAgent, connectedAgent, type OAuthResponse } from "../../../support/oauth/agent.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { testService } from "../../../support/service/service.ts";
import { signedIn } from "../../../support/website/user.ts";

const service = eachTest(testService);
let agent: Agent;
beforeEach(async () => {
  agent = new Agent(service);
});

const codeOf = ({ status, body }: OAuthResponse) => [status, body.error];

test("200: an agent registers, is claimed, gets its tokens once, uses them and renews them", async () => {
  const { user, email, accountId } = await signedIn(service);
  const { body: registered } = await agent.register(email, { scope: "read index" });
  expect(codeOf(await agent.poll(registered.claim_token))).toEqual([400, "authorization_pending"]);
  await allowAgent(user, registered, { scope: ["read", "index"] });
  const { status, headers, body } = await agent.poll(registered.claim_token);
  expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(body).toEqual({
    access_token: expect.stringMatching(/^beckon_at_[\w-]{43}$/),
    token_type: "Bearer",
    expires_in: 3600,
    scope: "read index",
    identity_assertion: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    assertion_expires: new Date(service.clock.now() + 30 * DAY).toISOString(),
  });
  expect(codeOf(await agent.poll(registered.claim_token))).toEqual([400, "invalid_grant"]);

  const account = await agent.call(body.access_token);
  expect(account.body).toMatchObject({ id: accountId, credential: { type: "agent", name: "Release helper" } });
  service.clock.pass(60 * MINUTE);
  expect((await agent.call(body.access_token)).status).toBe(401);
  const renewed = await agent.renew(body.identity_assertion);
  expect(renewed.body).toEqual({
    access_token: expect.stringMatching(/^beckon_at_[\w-]{43}$/),
    token_type: "Bearer",
    expires_in: 3600,
    scope: "read index",
  });
  expect((await agent.call(renewed.body.access_token)).status).toBe(200);
});

test("an unticked scope is not granted, and the answer says so", async () => {
  const { user, email } = await signedIn(service);
  const { body: registered } = await agent.register(email);
  await allowAgent(user, registered, { scope: ["purchase"] });
  const { body } = await agent.poll(registered.claim_token);
  expect(body.scope).toBe("purchase");
  expect((await agent.call(body.access_token)).status).toBe(200);
  const refused = await agent.call(body.access_token, "/api/v1/projects");
  expect([refused.status, refused.body.error.code]).toEqual([403, "insufficient_scope"]);
  expect((await agent.renew(body.identity_assertion)).body.scope).toBe("purchase");
});

test("400: a poll that is too fast, or whose code has expired, was declined or is locked", async () => {
  const { user, email } = await signedIn(service);
  const { claim_token: slow } = (await agent.register(email)).body;
  const answers = [];
  for (const seconds of [0, 4, 10, 9, 15]) {
    service.clock.pass(seconds * SECOND);
    answers.push(codeOf(await agent.poll(slow))[1]);
  }
  expect(answers).toEqual([
    "authorization_pending",
    "slow_down",
    "authorization_pending",
    "slow_down",
    "authorization_pending",
  ]);
  service.clock.pass(10 * MINUTE);
  expect(codeOf(await agent.poll(slow))).toEqual([400, "expired_token"]);
  const again = (await agent.reissue(slow)).body;
  expect(again.claim.interval).toBe(15);
  expect(codeOf(await agent.poll(slow))).toEqual([400, "authorization_pending"]);
  await allowAgent(user, again);
  expect((await agent.poll(slow)).status).toBe(200);

  const [declined, locked] = [(await agent.register(email)).body, (await agent.register(email)).body];
  await allowAgent(user, declined, { decision: "decline" });
  for (let i = 0; i < 5; i++) await allowAgent(user, locked, { user_code: "000000" });
  for (const { claim_token } of [declined, locked])
    expect(codeOf(await agent.poll(claim_token))).toEqual([400, "access_denied"]);
});

test("polls at the given interval never count against the IP address, however long they last", async () => {
  const { claim_token } = (await agent.register("person@example.com")).body;
  for (let i = 0; i < 70; i++) {
    service.clock.pass(5 * SECOND);
    expect(codeOf(await agent.poll(claim_token))).toEqual([400, "authorization_pending"]);
  }
});

test("429: polls without a pause count as requests without a credential; the interval grows up to 60 s", async () => {
  const { claim_token } = (await agent.register("person@example.com")).body;
  await agent.poll(claim_token);
  for (let i = 0; i < 60; i++) expect(codeOf(await agent.poll(claim_token))).toEqual([400, "slow_down"]);
  expect(codeOf(await agent.poll(claim_token))).toEqual([429, "rate_limited"]);
  service.clock.pass(MINUTE);
  expect((await agent.reissue(claim_token)).body.claim.interval).toBe(60);
});

test("429: an agent that renews its token more than 120 times in a minute", async () => {
  const { tokens } = await connectedAgent(service, await signedIn(service));
  for (let i = 0; i < 120; i++) expect((await agent.renew(tokens.identity_assertion)).status).toBe(200);
  expect(codeOf(await agent.renew(tokens.identity_assertion))).toEqual([429, "rate_limited"]);
  service.clock.pass(MINUTE);
  expect((await agent.renew(tokens.identity_assertion)).status).toBe(200);
});

test("a renewal with a scope returns a token for that scope only, and never more than was granted", async () => {
  const { tokens } = await connectedAgent(service, await signedIn(service));
  const { scope } = (await agent.renew(tokens.identity_assertion, { scope: "read" })).body;
  expect(scope).toBe("read");
  expect(codeOf(await agent.renew(tokens.identity_assertion, { scope: "admin" }))).toEqual([400, "invalid_scope"]);
});

test("429: guessing claim tokens or assertions counts as requests without a credential", async () => {
  for (let i = 0; i < 30; i++) {
    expect(codeOf(await agent.poll(`clm_${"a".repeat(43)}`))).toEqual([400, "invalid_grant"]);
    expect(codeOf(await agent.renew("a.b.c"))).toEqual([400, "invalid_grant"]);
  }
  expect(codeOf(await agent.poll(`clm_${"a".repeat(43)}`))).toEqual([429, "rate_limited"]);
});

test("a renewal with a resource returns a token that is valid there only", async () => {
  const one = await signedIn(service);
  const { tokens } = await connectedAgent(service, one);
  const { siteUrl } = service.config;
  const statuses = async (token: string) => [
    (await agent.call(token)).status,
    (await agent.call(token, "/mcp")).status,
  ];
  const renew = async (resource: string) => (await agent.renew(tokens.identity_assertion, { resource })).body;
  expect(await statuses(tokens.access_token)).toEqual([200, 200]);
  expect(await statuses((await renew(siteUrl)).access_token)).toEqual([200, 200]);
  expect(await statuses((await renew(`${siteUrl}/mcp`)).access_token)).toEqual([401, 200]);
  expect(await statuses((await renew(`${siteUrl}/api/v1/`)).access_token)).toEqual([200, 401]);
  expect((await renew("https://evil.test/mcp")).error).toBe("invalid_target");
});

test("a poll with an unknown resource does not use up the tokens", async () => {
  const { user, email } = await signedIn(service);
  const { body: registered } = await agent.register(email);
  await allowAgent(user, registered);
  expect((await agent.poll(registered.claim_token, { resource: "https://evil.test" })).body.error).toBe(
    "invalid_target",
  );
  const { body } = await agent.poll(registered.claim_token, { resource: `${service.config.siteUrl}/mcp` });
  expect((await agent.call(body.access_token)).status).toBe(401);
  expect((await agent.call(body.access_token, "/mcp")).status).toBe(200);
});

test.each(["access_token", "identity_assertion", "claim_token"])(
  "revoking the %s disconnects the agent at once",
  async (name) => {
    const { tokens, registered } = await connectedAgent(service, await signedIn(service));
    const second = (await agent.renew(tokens.identity_assertion)).body;
    expect((await agent.revoke({ ...registered, ...tokens }[name])).status).toBe(200);
    for (const { access_token } of [tokens, second]) {
      const { status, headers } = await agent.call(access_token);
      expect([status, headers.get("www-authenticate")]).toEqual([
        401,
        expect.stringContaining('error="invalid_token"'),
      ]);
    }
    expect(codeOf(await agent.renew(tokens.identity_assertion))).toEqual([400, "invalid_grant"]);
    expect(codeOf(await agent.poll(registered.claim_token))).toEqual([400, "invalid_grant"]);
  },
);

test("an agent disconnected in the dashboard is refused at its next call; another one is not", async () => {
  const one = await signedIn(service);
  const [gone, kept] = [await connectedAgent(service, one), await connectedAgent(service, one, { agent_name: "Kept" })];
  const { grants } = service.db.t;
  const [row] = (await service.db.q.select().from(grants)).filter(({ name }) => name === "Release helper");
  const { revokeGrant } = await import("../../../../src/domain/oauth/grants.ts");
  await service.db.tx((tx) => revokeGrant(tx, { grantId: row!.id, by: "owner", now: service.clock.now() }));
  expect((await agent.call(gone.tokens.access_token)).status).toBe(401);
  expect(codeOf(await agent.renew(gone.tokens.identity_assertion))).toEqual([400, "invalid_grant"]);
  expect((await agent.call(kept.tokens.access_token)).status).toBe(200);
  expect((await agent.renew(kept.tokens.identity_assertion)).status).toBe(200);
});

test("an assertion used as an access token is 401, and an access token used as an assertion is invalid_grant", async () => {
  const { tokens, registered } = await connectedAgent(service, await signedIn(service));
  for (const token of [tokens.identity_assertion, registered.claim_token]) {
    expect((await agent.call(token)).status).toBe(401);
    expect((await agent.call(token, "/mcp")).status).toBe(401);
  }
  for (const token of [tokens.access_token, registered.claim_token])
    expect(codeOf(await agent.renew(token))).toEqual([400, "invalid_grant"]);
  for (const token of [tokens.access_token, tokens.identity_assertion])
    expect(codeOf(await agent.poll(token))).toEqual([400, "invalid_grant"]);
});

test("the assertion is valid for 30 days, also after a key rotation", async () => {
  const { tokens } = await connectedAgent(service, await signedIn(service));
  await rotateKeys(service.db, service.clock.now());
  service.clock.pass(30 * DAY - SECOND);
  expect((await agent.renew(tokens.identity_assertion)).status).toBe(200);
  service.clock.pass(SECOND);
  expect(codeOf(await agent.renew(tokens.identity_assertion))).toEqual([400, "invalid_grant"]);
});

test("400 invalid_request: a required parameter is missing or repeated", async () => {
  for (const grant_type of GRANT_TYPES.slice(2))
    expect(codeOf(await agent.form("/oauth/token", { grant_type }))).toEqual([400, "invalid_request"]);
  const twice = await fetch(`${service.url}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams([
      ["grant_type", GRANT_TYPES[3]],
      ["claim_token", "a"],
      ["claim_token", "b"],
    ]),
  });
  expect(((await twice.json()) as { error: string }).error).toBe("invalid_request");
});

test.each(["127.0.0.1", "localhost"])(
  "a sandbox on this machine answers an agent by the name it is called by, and renews by either: %s",
  async (name) => {
    const here = await testService({ publishUrl: true });
    const { port } = new URL(here.url);
    const site = `http://${name}:${port}`;
    const other = `http://${name === "localhost" ? "127.0.0.1" : "localhost"}:${port}`;
    const caller = new Agent({ url: site });
    const { user, email } = await signedIn(here);
    const { body: registered } = await caller.register(email);
    expect(registered.claim_url).toBe(`${site}/api/agent/identity/claim`);
    expect(registered.claim.verification_uri).toMatch(`${site}/claim?attempt=`);
    const { body: reissued } = await caller.reissue(registered.claim_token);
    expect(reissued.claim.verification_uri).toMatch(`${site}/claim?attempt=`);
    await allowAgent(user, reissued);
    const { body } = await caller.poll(registered.claim_token, { resource: `${site}/mcp` });
    const { iss, aud } = decodeJwt(body.identity_assertion);
    expect([iss, aud]).toEqual([site, site]);
    for (const one of [site, other]) {
      const renewed = await new Agent({ url: one }).renew(body.identity_assertion, { resource: `${one}/mcp` });
      expect([one, (await caller.call(renewed.body.access_token, "/mcp")).status]).toEqual([one, 200]);
    }
    const { body: refused } = await caller.renew("a.b.c");
    expect(refused.error_uri ?? site).toContain(site);
    await new Agent({ url: other }).revoke(body.identity_assertion);
    expect(codeOf(await caller.renew(body.identity_assertion))).toEqual([400, "invalid_grant"]);
    await here.close();
  },
);
