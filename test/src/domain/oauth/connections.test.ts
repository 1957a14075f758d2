import { beforeEach, expect, test } from "vitest";
import { connectionsOf, disconnect } from "../../../../src/domain/oauth/connections.ts";
import { createGrant, grantOf } from "../../../../src/domain/oauth/grants.ts";
import { purgeAuth } from "../../../../src/domain/oauth/purge.ts";
import { rotateRefreshToken } from "../../../../src/domain/oauth/refresh.ts";
import { issueAccessToken, issueRefreshToken, LIFETIMES } from "../../../../src/domain/oauth/tokens.ts";
import { MINUTE } from "../../../../src/platform/clock.ts";
import type { Scope } from "../../../../src/platform/principal.ts";
import { securityLogOf } from "../../../support/database/people.ts";
import { testStore } from "../../../support/database/store.ts";
import { NO_OVERLAP } from "../../../support/oauth/overlap.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
let accountId: string;
beforeEach(async () => {
  accountId = await store.account(10);
});

const now = () => store.clock.now();
const connections = () => connectionsOf(store.db, accountId, now());

/** Connects an app, as exchanging a code does. @returns its grant and its refresh token */
async function connect(clientId: string, name = clientId, scopes: readonly Scope[] = ["read"]) {
  return store.db.tx(async (tx) => {
    const grantId = await createGrant(tx, { accountId, kind: "oauth", clientId, name, scopes, now: now() });
    const issue = { grantId, audience: "", now: now() } as const;
    await issueAccessToken(tx, { ...issue, scopes });
    return { grantId, refresh: await issueRefreshToken(tx, issue) };
  });
}

test("an app that is connected again is one connection, with all that it may do and its last use", async () => {
  const first = await connect("cli_a", "Old name");
  store.clock.pass(MINUTE);
  await connect("cli_b");
  store.clock.pass(MINUTE);
  const second = await connect("cli_a", "New name", ["read", "index"]);
  const { grants } = store.db.t;
  await store.db.tx((tx) =>
    tx.q
      .update(grants)
      .set({ lastUsedAt: now() - 1 })
      .returning(),
  );
  expect(await connections()).toMatchObject([
    { id: second.grantId, name: "New name", scopes: ["read", "index"], connectedAt: [now(), now() - 2 * MINUTE] },
    { name: "cli_b", scopes: ["read"], connectedAt: [now() - MINUTE], lastUsedAt: now() - 1 },
  ]);
  const end = (whose: string) =>
    store.db.tx((tx) => disconnect(tx, whose, { grantId: second.grantId, ip: "192.0.2.1", now: now() }));
  expect(await end(await store.account(10))).toBe(false);
  expect([await end(accountId), await end(accountId)]).toEqual([true, false]);
  expect((await connections()).map(({ name }) => name)).toEqual(["cli_b"]);
  for (const { grantId } of [first, second]) expect(await grantOf(store.db, grantId)).toBeNull();
});

test("agents are connections of their own, and one that has yet to collect its tokens is connected", async () => {
  for (let n = 0; n < 2; n++)
    await store.db.tx((tx) =>
      createGrant(tx, { accountId, kind: "agent", clientId: null, name: "robin", scopes: ["read"], now: now() }),
    );
  expect(await connections()).toMatchObject([{ name: "robin" }, { name: "robin" }]);
});

test("a connection ends with the last of its tokens; using them goes on", async () => {
  const app = await connect("cli_a");
  store.clock.pass(LIFETIMES.refresh - 1);
  expect(await connections()).toHaveLength(1);
  const renewal = {
    token: app.refresh,
    clientId: "cli_a",
    scopes: undefined,
    audience: undefined,
    overlap: NO_OVERLAP,
    ip: "192.0.2.1",
  };
  const renewed = await store.db.tx((tx) => rotateRefreshToken(tx, { ...renewal, now: now() }));
  store.clock.pass(LIFETIMES.refresh - 1);
  expect(await connections()).toHaveLength(1);
  store.clock.pass(1);
  expect(await connections()).toEqual([]);
  expect(
    await store.db.tx((tx) =>
      rotateRefreshToken(tx, { ...renewal, token: (renewed as { refresh: string }).refresh, now: now() }),
    ),
  ).toBe("expired");
});

test("the purge ends grants whose tokens have all expired, once, and the log says why", async () => {
  const { grantId } = await connect("cli_a");
  store.clock.pass(LIFETIMES.refresh - 1);
  await purgeAuth(store.db, now());
  expect(await grantOf(store.db, grantId)).not.toBeNull();
  store.clock.pass(1);
  await Promise.all([purgeAuth(store.db, now()), purgeAuth(store.db, now())]);
  expect((await store.db.q.select().from(store.db.t.grants))[0]).toMatchObject({
    endedBy: "expired",
    revokedAt: now(),
  });
  const { rows } = await securityLogOf(store.db, accountId, { limit: 10, offset: 0 });
  expect(rows.map(({ kind }) => kind)).toEqual(["access_expired", "app_connected"]);
});
