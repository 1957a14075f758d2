import { beforeEach, expect, test } from "vitest";
import { identify } from "../../../../src/domain/credentials/identify.ts";
import type { Audience } from "../../../../src/domain/credentials/resources.ts";
import { createGrant, revokeGrant } from "../../../../src/domain/oauth/grants.ts";
import { type RefreshRefusal, type RefreshRequest, rotateRefreshToken } from "../../../../src/domain/oauth/refresh.ts";
import { type IssuedTokens, issueRefreshToken } from "../../../../src/domain/oauth/tokens.ts";
import { setLimits } from "../../../../src/domain/spending/budgets.ts";
import { NO_LIMITS } from "../../../../src/domain/spending/limits.ts";
import { DAY, MINUTE } from "../../../../src/platform/clock.ts";
import { securityLogOf } from "../../../support/database/people.ts";
import { testStore } from "../../../support/database/store.ts";
import { NO_OVERLAP, overlapOf } from "../../../support/oauth/overlap.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
let accountId: string;
beforeEach(async () => {
  accountId = await store.account(10);
});

const connected = (audience: Audience = "") =>
  store.db.tx(async (tx) => {
    const now = store.clock.now();
    const app = { accountId, kind: "oauth", clientId: "cli_1", name: "Test app" } as const;
    const grantId = await createGrant(tx, { ...app, scopes: ["read", "index"], now });
    return { grantId, token: await issueRefreshToken(tx, { grantId, audience, now }) };
  });
const ask = (token: string, changes: Partial<RefreshRequest> = {}): Promise<IssuedTokens | RefreshRefusal> => {
  const plain = { clientId: undefined, scopes: undefined, audience: undefined, overlap: NO_OVERLAP, ip: "192.0.2.1" };
  return store.db.tx((tx) => rotateRefreshToken(tx, { ...plain, token, now: store.clock.now(), ...changes }));
};
const given = async (token: string, changes: Partial<RefreshRequest> = {}) => {
  const tokens = await ask(token, changes);
  if (typeof tokens === "string") throw new Error(tokens);
  return tokens;
};
const scopesOf = async ({ access }: IssuedTokens) => {
  const at = { resource: "/mcp", now: store.clock.now() } as const;
  return (await identify(store.db, { authorization: `Bearer ${access}` }, at))!.credential.scopes;
};
const grants = () => store.db.q.select().from(store.db.t.grants);

test("each refresh returns a new refresh token, valid for 30 days; earlier access tokens stay valid", async () => {
  const { token } = await connected();
  const first = await given(token);
  const second = await given(first.refresh);
  expect(new Set([token, first.refresh, second.refresh]).size).toBe(3);
  expect(await scopesOf(first)).toEqual(["read", "index"]);
  store.clock.pass(30 * DAY - 1);
  const third = await given(second.refresh);
  store.clock.pass(30 * DAY);
  expect(await ask(third.refresh)).toBe("expired");
});

test("reused: the app is disconnected, and the next refresh token is void too", async () => {
  const { token } = await connected();
  const thief = await given(token);
  expect(await ask(token, { ip: "203.0.113.9" })).toBe("reused");
  expect(await grants()).toMatchObject([{ endedBy: "refresh_reused", revokedAt: store.clock.now() }]);
  expect(await ask(thief.refresh)).toBe("disconnected");
  await expect(scopesOf(thief)).rejects.toMatchObject({ code: "unauthorized" });
  const { rows } = await securityLogOf(store.db, accountId, { limit: 1, offset: 0 });
  expect(rows[0]).toMatchObject({ kind: "token_reused", subject: "Test app", ip: "203.0.113.9" });
});

test.each<Partial<RefreshRequest>>([{ clientId: "cli_2" }, { scopes: ["purchase"] }, { audience: "" }])(
  "reused: also by who could not have renewed it: %j",
  async (changes) => {
    const { token } = await connected("/mcp");
    const next = await given(token);
    expect(await ask(token, changes)).toBe("reused");
    expect(await grants()).toMatchObject([{ endedBy: "refresh_reused", revokedAt: store.clock.now() }]);
    expect(await ask(next.refresh)).toBe("disconnected");
  },
);

test("reused: also long after, as long as the token is stored", async () => {
  const { token } = await connected();
  const next = await given(token);
  store.clock.pass(29 * DAY);
  await given(next.refresh);
  store.clock.pass(2 * DAY);
  expect(await ask(token)).toBe("reused");
  expect(await grants()).toMatchObject([{ endedBy: "refresh_reused" }]);
});

test("of five simultaneous refreshes exactly one succeeds, and the others revoke its grant", async () => {
  const { token } = await connected();
  const all = await Promise.all(Array.from({ length: 5 }, () => ask(token)));
  const won = all.filter((one) => typeof one !== "string") as IssuedTokens[];
  expect(won).toHaveLength(1);
  expect(await grants()).toMatchObject([{ endedBy: "refresh_reused" }]);
  expect(await ask(won[0]!.refresh)).toBe("disconnected");
});

test("disconnected: the owner has ended the grant", async () => {
  const { grantId, token } = await connected();
  await store.db.tx((tx) => revokeGrant(tx, { grantId, by: "owner", now: store.clock.now() }));
  expect(await ask(token)).toBe("disconnected");
});

test("expired: an app whose person has set it a last day, from its end on, and also within the overlap", async () => {
  const [{ token }, { token: other }] = [await connected(), await connected()];
  const end = store.clock.now() + DAY;
  const key = { accountId, holder: "cli_1" };
  await store.db.tx((tx) => setLimits(tx, key, { ...NO_LIMITS, expiresAt: end }));
  const overlap = overlapOf(MINUTE);
  store.clock.pass(DAY - 1);
  const { refresh } = await given(token, { overlap });
  store.clock.pass(1);
  expect(await ask(refresh)).toBe("expired");
  expect(await ask(other)).toBe("expired");
  expect(await ask(token, { overlap })).toBe("expired");
  await store.db.tx((tx) => setLimits(tx, key, { ...NO_LIMITS, expiresAt: end + 1 }));
  expect(await ask(other)).toHaveProperty("access");
});

test("the access token is for the audience that was approved, and so is the next one", async () => {
  const first = await given((await connected("/api/v1")).token);
  await expect(scopesOf(first)).rejects.toMatchObject({ code: "unauthorized" });
  await expect(scopesOf(await given(first.refresh))).rejects.toMatchObject({ code: "unauthorized" });
});

test("fewer scopes apply to the access token only: the next refresh has all of them", async () => {
  const narrow = await given((await connected()).token, { scopes: ["read"] });
  expect(narrow.scopes).toEqual(["read"]);
  expect(await scopesOf(narrow)).toEqual(["read"]);
  const wide = await given(narrow.refresh);
  expect(await scopesOf(wide)).toEqual(["read", "index"]);
});

test.each<[RefreshRefusal, Partial<RefreshRequest>]>([
  ["wider_scope", { scopes: ["read", "purchase"] }],
  ["wider_scope", { scopes: [] }],
  ["wider_resource", { audience: "" }],
  ["wider_resource", { audience: "/api/v1" }],
  ["other_client", { clientId: "cli_2" }],
])("%s: refused, and the token stays valid: %j", async (refusal, changes) => {
  const { token } = await connected("/mcp");
  expect(await ask(token, changes)).toBe(refusal);
  expect(await given(token, { clientId: "cli_1" })).toHaveProperty("access");
});

test("a narrower resource applies to the access token only", async () => {
  const narrow = await given((await connected()).token, { audience: "/api/v1" });
  await expect(scopesOf(narrow)).rejects.toMatchObject({ code: "unauthorized" });
  expect(await scopesOf(await given(narrow.refresh))).toEqual(["read", "index"]);
});

test.each(["", "nonsense", `beckon_rt_${"A".repeat(43)}`, `beckon_at_${"A".repeat(43)}`])(
  "unknown: %j",
  async (token) => {
    await connected();
    expect(await ask(token)).toBe("unknown");
  },
);
