import { beforeEach, expect, test } from "vitest";
import { identify } from "../../../../src/domain/credentials/identify.ts";
import { type CodeExchange, type CodeRefusal, redeemCode, voidCodes } from "../../../../src/domain/oauth/codes.ts";
import { grantsOf } from "../../../../src/domain/oauth/grants.ts";
import { isCodeVerifier, matchesChallenge } from "../../../../src/domain/oauth/pkce.ts";
import type { IssuedTokens } from "../../../../src/domain/oauth/tokens.ts";
import { SECOND } from "../../../../src/platform/clock.ts";
import { asOwner, securityLogOf } from "../../../support/database/people.ts";
import { testStore } from "../../../support/database/store.ts";
import {
  CHALLENGE,
  CLIENT,
  type ConsentOptions,
  codeFor,
  REDIRECT,
  s256,
  VERIFIER,
} from "../../../support/oauth/app.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
let accountId: string;
beforeEach(async () => {
  accountId = await store.account(10);
});

const issue = (allowed: Partial<ConsentOptions> = {}) =>
  codeFor(store.db, store.clock.now(), { accountId, ...allowed });
const redeem = (code: string, changes: Partial<CodeExchange> = {}): Promise<IssuedTokens | CodeRefusal> => {
  const right = { clientId: CLIENT, redirectUri: REDIRECT, verifier: VERIFIER, audience: undefined, ip: "192.0.2.1" };
  return store.db.tx((tx) => redeemCode(tx, { ...right, code, now: store.clock.now(), ...changes }));
};
const grants = () => store.db.q.select().from(store.db.t.grants);

test("a code is exchanged for a grant of the app, with the approved scopes", async () => {
  const tokens = (await redeem(await issue({ scopes: ["read", "index"] }))) as IssuedTokens;
  expect(tokens.scopes).toEqual(["read", "index"]);
  const [grant] = await grantsOf(store.db, accountId);
  expect(grant).toMatchObject({ kind: "oauth", clientId: CLIENT, name: "Test app", scopes: "read index" });
  const { rows } = await securityLogOf(store.db, accountId, { limit: 1, offset: 0 });
  expect(rows[0]).toMatchObject({ kind: "app_connected", subject: "Test app", ip: "192.0.2.1" });
  const at = { resource: "/mcp", now: store.clock.now() } as const;
  expect(await identify(store.db, { authorization: `Bearer ${tokens.access}` }, at)).toEqual({
    ...(await asOwner(store.db, accountId)),
    role: "owner",
    credential: {
      ...{ id: grant!.id, type: "oauth", name: "Test app", scopes: ["read", "index"], holder: grant!.clientId! },
      token: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  });
});

test("codes and tokens are stored as hashes only", async () => {
  const code = await issue();
  const tokens = (await redeem(code)) as IssuedTokens;
  const { codes, accessTokens, refreshTokens } = store.db.t;
  for (const table of [codes, accessTokens, refreshTokens] as (typeof codes)[]) {
    const rows = await store.db.q.select().from(table);
    expect(rows).toHaveLength(1);
    for (const secret of [code, tokens.access, tokens.refresh]) expect(JSON.stringify(rows)).not.toContain(secret);
  }
});

test.each<[CodeRefusal, Partial<CodeExchange>]>([
  ["other_client", { clientId: "cli_other" }],
  ["other_redirect", { redirectUri: "http://127.0.0.1:7778/callback" }],
  ["other_redirect", { redirectUri: `${REDIRECT}/` }],
  ["wrong_verifier", { verifier: `${VERIFIER}x` }],
  ["wrong_verifier", { verifier: CHALLENGE }],
])("%s: refused, and the code is used up", async (refusal, changes) => {
  const code = await issue();
  expect(await redeem(code, changes)).toBe(refusal);
  expect(await redeem(code)).toBe("reused");
  expect(await grants()).toEqual([]);
});

test("wrong_verifier: a plain challenge is never accepted", async () => {
  expect(await redeem(await issue({ challenge: VERIFIER }))).toBe("wrong_verifier");
});

test("expired: after 60 seconds, and not a moment before", async () => {
  const [early, late] = [await issue(), await issue()];
  store.clock.pass(60 * SECOND - 1);
  expect(await redeem(early)).toHaveProperty("access");
  store.clock.pass(1);
  expect(await redeem(late)).toBe("expired");
});

test.each(["", "nonsense", "beckon_ac_", `beckon_ac_${"A".repeat(43)}`, `beckon_at_${"A".repeat(43)}`])(
  "unknown: %j",
  async (code) => {
    await issue();
    expect(await redeem(code)).toBe("unknown");
  },
);

test("reused: its grant is revoked at once, and the security log says so", async () => {
  const code = await issue();
  const tokens = (await redeem(code)) as IssuedTokens;
  expect(await redeem(code, { ip: "203.0.113.9" })).toBe("reused");
  expect(await grants()).toMatchObject([{ endedBy: "code_reused", revokedAt: store.clock.now() }]);
  const at = { resource: "/mcp", now: store.clock.now() } as const;
  const next = identify(store.db, { authorization: `Bearer ${tokens.access}` }, at);
  await expect(next).rejects.toMatchObject({ code: "unauthorized" });
  const { rows } = await securityLogOf(store.db, accountId, { limit: 1, offset: 0 });
  expect(rows[0]).toMatchObject({ kind: "token_reused", subject: "Test app", ip: "203.0.113.9" });
});

test("reused: its grant is revoked even if the second request has a wrong verifier and comes too late", async () => {
  const code = await issue();
  await redeem(code);
  store.clock.pass(61 * SECOND);
  expect(await redeem(code, { clientId: "cli_other", verifier: "x".repeat(43) })).toBe("reused");
  expect(await grants()).toMatchObject([{ endedBy: "code_reused" }]);
});

test("voidCodes: voids the codes of one account, and none of another", async () => {
  const [mine, other] = [await issue(), await issue({ accountId: await store.account(10) })];
  await store.db.tx((tx) => voidCodes(tx, { accountId }, store.clock.now()));
  expect(await redeem(mine)).toBe("reused");
  expect(await grants()).toEqual([]);
  expect(await redeem(other)).toHaveProperty("access");
});

test("of ten simultaneous exchanges exactly one succeeds, and the others revoke its grant", async () => {
  const code = await issue();
  const all = await Promise.all(Array.from({ length: 10 }, () => redeem(code)));
  expect(all.filter((one) => typeof one !== "string")).toHaveLength(1);
  expect(all.filter((one) => one === "reused")).toHaveLength(9);
  expect(await grants()).toMatchObject([{ endedBy: "code_reused" }]);
});

test("a narrower resource applies to the access token only; a wider one is refused", async () => {
  await redeem(await issue(), { audience: "/mcp" });
  expect(await store.db.q.select().from(store.db.t.accessTokens)).toMatchObject([{ audience: "/mcp" }]);
  expect(await store.db.q.select().from(store.db.t.refreshTokens)).toMatchObject([{ audience: "" }]);
  for (const audience of ["", "/api/v1", "/a2a"] as const)
    expect(await redeem(await issue({ audience: "/mcp" }), { audience })).toBe("wider_resource");
});

test("PKCE: the pair that RFC 7636 appendix B shows", () => {
  const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
  const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
  expect(matchesChallenge(challenge, verifier)).toBe(true);
  expect(s256(verifier)).toBe(challenge);
  for (const other of [challenge, `${verifier}=`, verifier.slice(1), ""])
    expect(matchesChallenge(challenge, other)).toBe(false);
});

test.each([
  ["a".repeat(42), false],
  ["a".repeat(43), true],
  ["-._~".repeat(32), true],
  ["a".repeat(129), false],
  [`${"a".repeat(43)}\n`, false],
  [`${"a".repeat(43)}+`, false],
  ["é".repeat(43), false],
])("a verifier is 43 to 128 unreserved characters: %j is %s", (verifier, is) => {
  expect(isCodeVerifier(verifier)).toBe(is);
});
