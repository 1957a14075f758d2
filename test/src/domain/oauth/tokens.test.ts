import { expect, test } from "vitest";
import { issueAccessToken, issueRefreshToken, LIFETIMES } from "../../../../src/domain/oauth/tokens.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);

test("lifetimes equal the specification's", () => {
  const seconds = Object.fromEntries(Object.entries(LIFETIMES).map(([name, life]) => [name, life / 1000]));
  expect(seconds).toEqual({
    code: 60,
    access: 3600,
    refresh: 30 * 86_400,
    assertion: 30 * 86_400,
    userCode: 600,
    registration: 86_400,
    collection: 600,
  });
});

test("tokens are stored as hashes, with their audience, scopes and expiry", async () => {
  const issue = { grantId: "grt_1", audience: "/mcp", now: store.clock.now() } as const;
  const { access, refresh } = await store.db.tx(async (tx) => ({
    access: await issueAccessToken(tx, { ...issue, scopes: ["index", "read"] }),
    refresh: await issueRefreshToken(tx, issue),
  }));
  expect([access, refresh]).toEqual([
    expect.stringMatching(/^beckon_at_[\w-]{43}$/),
    expect.stringMatching(/^beckon_rt_[\w-]{43}$/),
  ]);
  const rows = [
    await store.db.q.select().from(store.db.t.accessTokens),
    await store.db.q.select().from(store.db.t.refreshTokens),
  ];
  const kept = { grantId: "grt_1", audience: "/mcp", hash: expect.stringMatching(/^[0-9a-f]{64}$/) };
  expect(rows).toEqual([
    [{ ...kept, scopes: "read index", expiresAt: issue.now + LIFETIMES.access }],
    [{ ...kept, expiresAt: issue.now + LIFETIMES.refresh, usedAt: null, sealedSuccessor: null }],
  ]);
});
