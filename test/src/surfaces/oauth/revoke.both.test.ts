import { eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { registerAgent } from "../../../../src/domain/agents/registrations.ts";
import { signAssertion } from "../../../../src/domain/oauth/assertion.ts";
import { createGrant } from "../../../../src/domain/oauth/grants.ts";
import { issueAccessToken } from "../../../../src/domain/oauth/tokens.ts";
import { MINUTE } from "../../../../src/platform/clock.ts";
import { securityLogOf } from "../../../support/database/people.ts";
import { appOf, CLIENT } from "../../../support/oauth/app.ts";
import { testService } from "../../../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());
const { clock, db } = service;
const app = appOf(service);
beforeEach(() => clock.pass(MINUTE));

const endedBy = async (accountId: string) => {
  const rows = await db.q.select().from(db.t.grants);
  return rows.find((row) => row.accountId === accountId)!.endedBy;
};
const gone = { rest: 401, mcp: 401 };

test("200: revoking an access token disconnects the app from its next call on every surface; the answer is empty", async () => {
  const { accountId, access, refresh } = await app.connected();
  expect(await app.statuses(access)).toEqual({ rest: 200, mcp: 200 });
  const { status, text, headers } = await app.revoke(access);
  expect([status, text, headers.get("cache-control")]).toEqual([200, "", "no-store"]);
  expect(await app.statuses(access)).toEqual(gone);
  expect((await app.refresh(refresh)).json.error).toBe("invalid_grant");
  expect(await endedBy(accountId)).toBe("token_revoked");
  const { rows } = await securityLogOf(db, accountId, { limit: 1, offset: 0 });
  expect(rows[0]).toMatchObject({ kind: "disconnected", subject: "Test app" });
});

test("200: revoking a refresh token disconnects the app with all its access tokens; other apps stay connected", async () => {
  const one = await app.connected();
  const other = await app.connected();
  const renewed = (await app.refresh(one.refresh)).json;
  await app.revoke(renewed.refresh_token);
  for (const token of [one.access, renewed.access_token]) expect(await app.statuses(token)).toEqual(gone);
  expect((await app.statuses(other.access)).rest).toBe(200);
});

test("200: revoking a used refresh token or an expired access token still disconnects the app", async () => {
  const used = await app.connected();
  const { access_token } = (await app.refresh(used.refresh)).json;
  await app.revoke(used.refresh);
  expect([await app.statuses(access_token), await endedBy(used.accountId)]).toEqual([gone, "token_revoked"]);
  const late = await app.connected();
  clock.pass(61 * MINUTE);
  await app.revoke(late.access);
  expect(await endedBy(late.accountId)).toBe("token_revoked");
});

test("200: a repeated revocation, which is logged once", async () => {
  const { accountId, access } = await app.connected();
  const all = await Promise.all(Array.from({ length: 5 }, () => app.revoke(access)));
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const { rows } = await securityLogOf(db, accountId, { limit: 10, offset: 0 });
  expect(rows.filter(({ kind }) => kind === "disconnected")).toHaveLength(1);
});

/** An agent that was claimed and has come for its token. */
async function agent() {
  const { id: accountId } = await service.account();
  const now = clock.now();
  const registration = {
    email: "ann@example.com",
    agentName: "Agent",
    scopes: ["read"],
    ip: "192.0.2.1",
    now,
  } as const;
  const { registrationId, claimToken } = await registerAgent(db, registration);
  const { grantId, access } = await db.tx(async (tx) => {
    const named = { accountId, kind: "agent", clientId: null, name: "Agent" } as const;
    const id = await createGrant(tx, { ...named, scopes: ["read"], now });
    return { grantId: id, access: await issueAccessToken(tx, { grantId: id, audience: "", scopes: ["read"], now }) };
  });
  const { assertion, jtiHash } = await signAssertion(db, {
    siteUrl: "http://beckon.test",
    registrationId,
    grantId,
    now,
  });
  await db.tx(async (tx) => {
    const { grants, registrations } = tx.t;
    await tx.q.update(grants).set({ assertionHash: jtiHash }).where(eq(grants.id, grantId));
    const claimed = { status: "claimed", grantId, deliveredAt: now };
    await tx.q.update(registrations).set(claimed).where(eq(registrations.id, registrationId));
  });
  return { accountId, access, assertion, claimToken };
}

test.each(["access", "assertion", "claimToken"] as const)(
  "200: revoking any token of an agent disconnects it: its %s",
  async (kind) => {
    const one = await agent();
    expect(await app.statuses(one.access)).toEqual({ rest: 200, mcp: 200 });
    const other = await app.revoke(one[kind], { client_id: CLIENT });
    expect([other.status, other.json.error]).toEqual([401, "invalid_client"]);
    expect((await app.statuses(one.access)).rest).toBe(200);

    const { status, text } = await app.revoke(one[kind]);
    expect([status, text]).toEqual([200, ""]);
    expect(await app.statuses(one.access)).toEqual(gone);
    expect(await endedBy(one.accountId)).toBe("token_revoked");
    const grant_type = "urn:ietf:params:oauth:grant-type:jwt-bearer";
    const renewed = await app.post("/oauth/token", { grant_type, assertion: one.assertion });
    expect([renewed.status, renewed.json.error]).toEqual([400, "invalid_grant"]);
  },
);

test("200: revoking a claim token withdraws a registration that nobody has claimed yet", async () => {
  const registration = { email: "bob@example.com", agentName: "Agent", scopes: ["read"], ip: "192.0.2.1" } as const;
  const { registrationId, claimToken } = await registerAgent(db, { ...registration, now: clock.now() });
  expect((await app.revoke(claimToken)).status).toBe(200);
  const rows = await db.q.select().from(db.t.registrations).where(eq(db.t.registrations.id, registrationId));
  expect(rows).toMatchObject([{ status: "withdrawn" }]);
  const grant_type = "urn:beckon:agent-auth:grant-type:claim";
  const polled = await app.post("/oauth/token", { grant_type, claim_token: claimToken });
  expect([polled.status, polled.json.error]).toEqual([400, "access_denied"]);
});

test.each(["access_token", "refresh_token", "nonsense"])("200: token_type_hint=%s changes nothing", async (hint) => {
  const { access } = await app.connected();
  expect((await app.revoke(access, { token_type_hint: hint })).status).toBe(200);
  expect(await app.statuses(access)).toEqual(gone);
});

test("200: the app may send its own client_id; with another it is 401 invalid_client, and nothing is revoked", async () => {
  const { access, refresh } = await app.connected();
  for (const token of [access, refresh]) {
    const { status, json } = await app.revoke(token, { client_id: "cli_other" });
    expect([status, json.error]).toEqual([401, "invalid_client"]);
  }
  expect((await app.statuses(access)).rest).toBe(200);
  expect((await app.revoke(refresh, { client_id: CLIENT })).status).toBe(200);
  expect(await app.statuses(access)).toEqual(gone);
});

test.each([
  "nonsense",
  `beckon_at_${"A".repeat(43)}`,
  `beckon_rt_${"A".repeat(43)}`,
  `clm_${"A".repeat(43)}`,
  "eyJhbGciOiJub25lIn0.eyJncmFudCI6ImdydF8xIn0.AAAA",
  "__proto__",
])("200: an unknown token is answered like a known one, with an empty body: %s", async (token) => {
  const { access } = await app.connected();
  const { status, text } = await app.revoke(token);
  expect([status, text]).toEqual([200, ""]);
  expect((await app.statuses(access)).rest).toBe(200);
});

test("200: an API key cannot be revoked here, and stays valid", async () => {
  const { key } = await service.account();
  expect((await app.revoke(key)).status).toBe(200);
  expect((await app.statuses(key)).rest).toBe(200);
});

test("200: an authorization code cannot be revoked here, and stays valid", async () => {
  const { id: accountId } = await service.account();
  const code = await app.code({ accountId });
  expect((await app.revoke(code)).status).toBe(200);
  expect((await app.exchange(code)).status).toBe(200);
});

test("400 invalid_request: no token, or two tokens", async () => {
  const { access } = await app.connected();
  for (const body of ["", "token=", `token=${access}&token=${access}`, `access_token=${access}`]) {
    const { status, json } = await app.post("/oauth/revoke", body);
    expect([status, json.error], body).toEqual([400, "invalid_request"]);
  }
  expect((await app.statuses(access)).rest).toBe(200);
});

test("401 invalid_client: a client that has a secret", async () => {
  const { access } = await app.connected();
  const { status, json } = await app.revoke(access, { client_secret: "s" });
  expect([status, json.error]).toEqual([401, "invalid_client"]);
  expect((await app.statuses(access)).rest).toBe(200);
});

test("429: guesses count as requests without a credential; revocations do not", async () => {
  const tokens = [];
  for (let n = 0; n < 3; n++) tokens.push((await app.connected()).access);
  for (let n = 0; n < 60; n++) expect((await app.revoke(`beckon_at_${"A".repeat(43)}`)).status).toBe(200);
  for (const token of tokens) expect((await app.revoke(token)).status).toBe(200);
  const { status, json, headers } = await app.revoke("nonsense");
  expect([status, json.error, headers.get("retry-after")]).toEqual([429, "rate_limited", "60"]);
});

test("429: guesses at claim tokens count too; a withdrawal does not", async () => {
  const registration = { email: "eve@example.com", agentName: "Agent", scopes: ["read"], ip: "192.0.2.1" } as const;
  const { claimToken } = await registerAgent(db, { ...registration, now: clock.now() });
  const guess = `clm_${"A".repeat(43)}`;
  for (let n = 0; n < 60; n++) expect((await app.revoke(guess)).status).toBe(200);
  expect((await app.revoke(claimToken)).status).toBe(200);
  const { status, json, headers } = await app.revoke(guess);
  expect([status, json.error, headers.get("retry-after")]).toEqual([429, "rate_limited", "60"]);
});
