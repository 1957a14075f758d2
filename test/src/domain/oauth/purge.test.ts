import { beforeEach, expect, test } from "vitest";
import { createGrant, revokeGrant } from "../../../../src/domain/oauth/grants.ts";
import { purgeAuth } from "../../../../src/domain/oauth/purge.ts";
import { rotateRefreshToken } from "../../../../src/domain/oauth/refresh.ts";
import { currentKey, jwksOf, rotateKeys } from "../../../../src/domain/oauth/signing-keys.ts";
import { issueAccessToken, issueRefreshToken } from "../../../../src/domain/oauth/tokens.ts";
import { DAY, MINUTE, SECOND } from "../../../../src/platform/clock.ts";
import { rowsPerTransaction } from "../../../support/database/rows-per-transaction.ts";
import { testStore } from "../../../support/database/store.ts";
import { codeFor } from "../../../support/oauth/app.ts";
import { NO_OVERLAP } from "../../../support/oauth/overlap.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
let accountId: string;
beforeEach(async () => {
  accountId = await store.account(10);
});

const now = () => store.clock.now();
const purge = () => purgeAuth(store.db, now());
type Table = "codes" | "accessTokens" | "refreshTokens" | "clients";
const count = async (table: Table) => (await store.db.q.select().from(store.db.t[table] as never)).length;
const grant = (clientId = "cli_1") =>
  store.db.tx((tx) => createGrant(tx, { accountId, kind: "oauth", clientId, name: "x", scopes: ["read"], now: now() }));
test("codes and tokens are deleted when they expire, to the millisecond", async () => {
  const grantId = await grant();
  const issue = { grantId, audience: "", now: now() } as const;
  await codeFor(store.db, now(), { accountId });
  await store.db.tx(async (tx) => {
    await issueAccessToken(tx, { ...issue, scopes: ["read"] });
    await issueRefreshToken(tx, issue);
  });
  const left = async () => [await count("codes"), await count("accessTokens"), await count("refreshTokens")];
  const seen = [];
  for (const life of [60 * SECOND, 60 * MINUTE, 30 * DAY]) {
    store.clock.pass(issue.now + life - 1 - now());
    await purge();
    seen.push(await left());
    store.clock.pass(1);
    await purge();
    seen.push(await left());
  }
  expect(seen).toEqual([
    [1, 1, 1],
    [0, 1, 1],
    [0, 1, 1],
    [0, 0, 1],
    [0, 0, 1],
    [0, 0, 0],
  ]);
});

test("a used refresh token is kept, so that its reuse is detected", async () => {
  const grantId = await grant();
  const token = await store.db.tx((tx) => issueRefreshToken(tx, { grantId, audience: "", now: now() }));
  const request = {
    token,
    clientId: undefined,
    scopes: undefined,
    audience: undefined,
    overlap: NO_OVERLAP,
    ip: "192.0.2.1",
  };
  await store.db.tx((tx) => rotateRefreshToken(tx, { ...request, now: now() }));
  store.clock.pass(29 * DAY);
  await purge();
  expect(await store.db.tx((tx) => rotateRefreshToken(tx, { ...request, now: now() }))).toBe("reused");
});

test("clients: one that is 90 days old is deleted, unless it has an active grant or an open code", async () => {
  const ids = ["cli_used", "cli_ended", "cli_never", "cli_code"];
  await store.db.tx(async (tx) => {
    const rows = ids.map((id) => ({ id, name: "x", redirectUris: "[]", createdAt: now() }));
    await tx.q.insert(tx.t.clients).values(rows);
  });
  await grant("cli_used");
  const ended = await grant("cli_ended");
  await store.db.tx((tx) => revokeGrant(tx, { grantId: ended, by: "owner", now: now() }));
  store.clock.pass(90 * DAY);
  await purge();
  expect(await count("clients")).toBe(4);
  store.clock.pass(1);
  await codeFor(store.db, now(), { accountId, clientId: "cli_code" });
  await purge();
  const left = await store.db.q.select().from(store.db.t.clients);
  expect(left.map(({ id }) => id).sort()).toEqual(["cli_code", "cli_used"]);
});

test("signing keys are deleted 31 days after they retired; the current one is replaced after 90 days", async () => {
  const first = await currentKey(store.db, now());
  const second = await rotateKeys(store.db, now());
  store.clock.pass(31 * DAY - 1);
  await purge();
  const rows = async () => (await store.db.q.select().from(store.db.t.signingKeys)).map(({ kid }) => kid);
  expect((await rows()).sort()).toEqual([first.kid, second.kid].sort());
  store.clock.pass(1);
  await purge();
  expect(await rows()).toEqual([second.kid]);
  store.clock.pass(59 * DAY);
  await purge();
  expect((await currentKey(store.db, now())).kid).not.toBe(second.kid);
  expect((await jwksOf(store.db, now())).keys).toHaveLength(2);
});

test("thousands of expired rows are all deleted, no more than 500 in a transaction", async () => {
  const grantId = await grant("cli_kept");
  const expired = Array.from({ length: 1_250 }, (_, n) => ({ hash: `${n}`, grantId, expiresAt: now() }));
  await store.db.tx(async (tx) => {
    await tx.q.insert(tx.t.accessTokens).values(expired.map((row) => ({ ...row, scopes: "read", audience: "" })));
    const clients = expired.map(({ hash }) => ({ id: `cli_${hash}`, name: "x", redirectUris: "[]", createdAt: 0 }));
    await tx.q.insert(tx.t.clients).values(clients);
  });
  const all = async () => (await count("accessTokens")) + (await count("clients"));
  const { watched, sizes } = rowsPerTransaction(store.db, all);
  await purgeAuth(watched, now());
  expect(Math.max(...sizes)).toBe(500);
  expect(await all()).toBe(0);
});
