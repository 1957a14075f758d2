import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import {
  hashOfPresented,
  identify,
  type PresentedCredentials,
  principalOfKey,
} from "../../../../src/domain/credentials/identify.ts";
import { createKey } from "../../../../src/domain/credentials/keys.ts";
import { type Audience, RESOURCES, type Resource } from "../../../../src/domain/credentials/resources.ts";
import { hashOf, newSecret, PREFIXES } from "../../../../src/domain/credentials/secrets.ts";
import { createGrant, revokeGrant } from "../../../../src/domain/oauth/grants.ts";
import { issueAccessToken, issueRefreshToken } from "../../../../src/domain/oauth/tokens.ts";
import { MINUTE } from "../../../../src/platform/clock.ts";
import type { Refusal } from "../../../../src/platform/errors/errors.ts";
import { asOwner } from "../../../support/database/people.ts";
import { testStore } from "../../../support/database/store.ts";
import { codeFor } from "../../../support/oauth/app.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
let accountId: string;
beforeEach(async () => {
  accountId = await store.account(10);
});

const now = () => store.clock.now();
const makeKey = () => store.db.tx((tx) => createKey(tx, { accountId, name: "ci", mode: "sandbox", now: now() }));
const makeToken = (audience: Audience = "", kind: "oauth" | "agent" = "oauth") =>
  store.db.tx(async (tx) => {
    const scopes = ["read", "index"] as const;
    const grantId = await createGrant(tx, { accountId, kind, clientId: null, name: "app", scopes, now: now() });
    return { grantId, token: await issueAccessToken(tx, { grantId, audience, scopes: ["read"], now: now() }) };
  });
const who = (presented: PresentedCredentials, resource: Resource = "/api/v1") =>
  identify(store.db, presented, { resource, now: now() }).catch((thrown: Refusal) => thrown.code);
const bearer = (secret: string): PresentedCredentials => ({ authorization: `Bearer ${secret}` });

test("null when no credential is presented", async () => {
  expect(await who({})).toBeNull();
});

test("an API key in either header or in both, also with spaces around it", async () => {
  const key = await makeKey();
  const principal = {
    ...(await asOwner(store.db, accountId)),
    role: "owner",
    credential: {
      id: expect.stringMatching(/^key_/),
      type: "api_key",
      name: "ci",
      scopes: ["read", "index", "purchase"],
      holder: expect.stringMatching(/^key_/),
    },
  };
  for (const presented of [
    { authorization: `Bearer ${key}` },
    { authorization: `bearer  ${key} ` },
    { apiKey: key },
    { apiKey: ` ${key} ` },
    { authorization: `BEARER ${key}`, apiKey: key },
    { authorization: `Bearer ${key}`, apiKey: ` ${key} ` },
  ])
    expect(await who(presented), JSON.stringify(presented)).toEqual(principal);
});

test.each(["oauth", "agent"] as const)("an access token of an %s grant has the token's own scopes", async (type) => {
  const { grantId, token } = await makeToken("", type);
  expect(await who(bearer(token))).toEqual({
    ...(await asOwner(store.db, accountId)),
    role: "owner",
    credential: { id: grantId, type, name: "app", scopes: ["read"], holder: "agent:app", token: hashOf(token) },
  });
});

test("a token is valid for its resource only, one of the whole service for every resource", async () => {
  for (const audience of ["", ...RESOURCES] as const) {
    const { token } = await makeToken(audience);
    for (const resource of RESOURCES) {
      const isGood = audience === "" || audience === resource;
      const seen = await who(bearer(token), resource);
      expect(seen !== "unauthorized", `${audience} at ${resource}`).toBe(isGood);
    }
  }
});

test("unauthorized: an access token after 60 minutes", async () => {
  const { token } = await makeToken();
  store.clock.pass(60 * MINUTE - 1);
  expect(await who(bearer(token))).toHaveProperty("credential");
  store.clock.pass(1);
  expect(await who(bearer(token))).toBe("unauthorized");
});

test("unauthorized: a disconnected app and a revoked key, at the next call", async () => {
  const { grantId, token } = await makeToken();
  const key = await makeKey();
  expect(await who(bearer(token))).toHaveProperty("credential");
  await store.db.tx(async (tx) => {
    await revokeGrant(tx, { grantId, by: "owner", now: now() });
    await tx.q.update(tx.t.apiKeys).set({ revokedAt: now() }).where(eq(tx.t.apiKeys.accountId, accountId));
  });
  expect(await who(bearer(token))).toBe("unauthorized");
  expect(await who(bearer(key))).toBe("unauthorized");
});

test("unauthorized: only a key that has ended is told of its end", async () => {
  const [ended, revoked] = [await makeKey(), await makeKey()];
  const { token } = await makeToken();
  const messageOf = (secret: string) =>
    identify(store.db, bearer(secret), { resource: "/mcp", now: now() }).catch((thrown: Refusal) => thrown.message);
  await store.db.tx(async (tx) => {
    const { apiKeys } = tx.t;
    await tx.q
      .update(apiKeys)
      .set({ expiresAt: now() })
      .where(eq(apiKeys.hash, hashOf(ended)));
    await tx.q
      .update(apiKeys)
      .set({ revokedAt: now() })
      .where(eq(apiKeys.hash, hashOf(revoked)));
  });
  expect(await messageOf(ended)).toContain("This API key ended at 20");
  store.clock.pass(60 * MINUTE);
  for (const secret of [revoked, token, "nonsense"])
    expect(await messageOf(secret)).toContain("unknown, revoked or expired");
});

test("unauthorized: a valid key in a header that has more than it", async () => {
  const key = await makeKey();
  for (const authorization of [`Basic Bearer ${key}`, `Bearer ${key} more`, `Bearer ${key},`])
    expect(await who({ authorization }), authorization).toBe("unauthorized");
});

test("a key alone has a principal, as long as it is valid; an access token has none", async () => {
  const [key, { token }] = [await makeKey(), await makeToken()];
  expect(await principalOfKey(store.db, key, now())).toMatchObject({ accountId });
  expect(await principalOfKey(store.db, token, now())).toBeNull();
  await store.db.tx((tx) => tx.q.update(tx.t.apiKeys).set({ expiresAt: now() }).returning());
  expect(await principalOfKey(store.db, key, now() - 1)).toMatchObject({ accountId });
  expect(await principalOfKey(store.db, key, now())).toBeNull();
});

test("the hash of what is presented is the one that is stored, in whichever header", () => {
  const hash = hashOf("secret");
  for (const presented of [
    { authorization: "Bearer secret" },
    { authorization: "bearer   secret " },
    { authorization: "secret", apiKey: "other" },
    { apiKey: " secret " },
  ])
    expect(hashOfPresented(presented)).toBe(hash);
  expect(hashOfPresented({ authorization: "x Bearer secret" })).toBe(hashOf("x Bearer secret"));
  expect(hashOfPresented({})).toBeNull();
});

test("unauthorized: an access token in X-API-Key", async () => {
  const { token } = await makeToken();
  expect(await who({ apiKey: token })).toBe("unauthorized");
});

test("unauthorized: codes, refresh tokens, other secrets, and the hash of an access token", async () => {
  const { grantId } = await makeToken();
  const refresh = await store.db.tx((tx) => issueRefreshToken(tx, { grantId, audience: "", now: now() }));
  const code = await codeFor(store.db, now(), { accountId });
  const [row] = await store.db.q.select().from(store.db.t.accessTokens);
  const others = (Object.keys(PREFIXES) as (keyof typeof PREFIXES)[]).map((kind) => newSecret(kind).secret);
  for (const secret of [refresh, code, row!.hash, grantId, ...others])
    expect(await who(bearer(secret)), secret).toBe("unauthorized");
});

test.each([
  "",
  "Bearer",
  "Bearer ",
  "Basic dXNlcjpwYXNz",
  "Bearer two tokens",
  "Bearertoken",
  "Bearer \u00e9",
  "Bearer bk_test_0000000000000000000000000000000",
  "Bearer ' OR 1=1 --",
  `Bearer ${"x".repeat(10_000)}`,
  "DPoP token",
])("unauthorized: %j, with a challenge that says invalid_token", async (authorization) => {
  await makeKey();
  const refusal = await identify(store.db, { authorization }, { resource: "/mcp", now: now() }).catch((it) => it);
  expect(refusal).toMatchObject({ code: "unauthorized", headers: { "WWW-Authenticate": 'error="invalid_token"' } });
});

test("invalid_request: two different credentials, even if one of them is valid", async () => {
  const [one, other] = [await makeKey(), await makeKey()];
  for (const apiKey of [other, "nonsense", ""])
    expect(await who({ authorization: `Bearer ${one}`, apiKey })).toBe("invalid_request");
  const both = { authorization: `Bearer ${one}`, apiKey: other };
  const refusal = await identify(store.db, both, { resource: "/mcp", now: now() }).catch((thrown: Refusal) => thrown);
  const issues = [{ path: "X-API-Key", message: "differs from the Authorization header" }];
  expect(refusal).toMatchObject({ fields: { issues } });
});
