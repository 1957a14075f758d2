import { expect, test } from "vitest";
import { createKey, revokeKeyOf } from "../../../../src/domain/credentials/keys.ts";
import { disconnect } from "../../../../src/domain/oauth/connections.ts";
import { createGrant } from "../../../../src/domain/oauth/grants.ts";
import { setLimits } from "../../../../src/domain/spending/budgets.ts";
import { NO_LIMITS } from "../../../../src/domain/spending/limits.ts";
import { pauseWatchesOfEnded } from "../../../../src/domain/watches/ended-makers.ts";
import { saveWatch } from "../../../../src/domain/watches/save-watch.ts";
import { DAY } from "../../../../src/platform/clock.ts";
import { type Principal, SCOPES } from "../../../../src/platform/principal.ts";
import { asOwner, ownerPrincipal } from "../../../support/database/people.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { sitemapOf } from "../../../support/watches/virtual-site.ts";
import { watchBed } from "../../../support/watches/watch-bed.ts";

const t = eachTest(watchBed);

function watchAs(principal: Principal, page: string) {
  const url = `https://example.com/${page}.xml`;
  t.site.serve(url, sitemapOf([{ url: `https://example.com/${page}` }]));
  return t.db.tx((tx) => saveWatch(tx, { principal, watchId: undefined, url, change: {}, ...t.times() }));
}

async function keyed(accountId: string, page: string, expiresAt: number | null = null) {
  const now = t.clock.now();
  await t.db.tx((tx) => createKey(tx, { accountId, name: page, expiresAt, mode: "sandbox", now }));
  const { apiKeys } = t.db.t;
  const keys = await t.db.q.select().from(apiKeys);
  const { id } = keys.find(({ name }) => name === page)!;
  const credential = { id, type: "api_key", name: page, scopes: SCOPES, holder: id } as const;
  return { keyId: id, watch: await watchAs({ ...(await asOwner(t.db, accountId)), role: "owner", credential }, page) };
}

async function granted(accountId: string, page: string) {
  const grant = { accountId, kind: "oauth", clientId: page, name: page, scopes: ["index"] } as const;
  const grantId = await t.db.tx((tx) => createGrant(tx, { ...grant, now: t.clock.now() }));
  const [row] = (await t.db.q.select().from(t.db.t.grants)).filter(({ id }) => id === grantId);
  const { holder } = row!;
  const credential = { id: grantId, type: "oauth", name: page, scopes: SCOPES, holder } as const;
  return {
    grantId,
    holder,
    watch: await watchAs({ ...(await asOwner(t.db, accountId)), role: "owner", credential }, page),
  };
}

const PAUSED = { status: "paused", reason: "credential_ended", nextRunAt: null, leaseUntil: null };

async function told(accountId: string) {
  const events = (await t.events(accountId)).filter(({ type }) => type === "watch.held");
  return events.map(({ data }) => [data.sitemap_url, data.status, data.reason]);
}

test("a revoked key and a disconnected app pause their watches at once, other watches go on, and the person is told", async () => {
  const account = await t.account(100);
  const key = await keyed(account, "key");
  const other = await keyed(account, "other");
  const app = await granted(account, "app");
  const own = await watchAs(await ownerPrincipal(t.db, account), "own");
  await t.watcher.drain();
  const now = t.clock.now();
  await t.db.tx((tx) => revokeKeyOf(tx, account, { keyId: key.keyId, now }));
  expect(await t.reload(key.watch)).toMatchObject(PAUSED);
  await t.db.tx((tx) => disconnect(tx, account, { grantId: app.grantId, now }));
  expect(await t.reload(app.watch)).toMatchObject(PAUSED);
  for (const { no } of [other.watch, own]) expect(await t.reload({ no })).toMatchObject({ status: "active" });
  const expected = [key, app].map(({ watch }) => [watch.sitemapUrl, "paused", "credential_ended"]);
  expect(await told(account)).toEqual(expected);
  // Nothing is read for them any more, and nobody is told again.
  t.clock.pass(2 * DAY);
  await t.watcher.drain();
  await pauseWatchesOfEnded(t.db, t.clock.now());
  expect(await told(account)).toEqual(expected);
  expect(await t.problems()).toEqual([]);
});

test("what is rolled back ends neither the key nor its watch", async () => {
  const account = await t.account(100);
  const { keyId, watch } = await keyed(account, "key");
  const revoked = t.db.tx(async (tx) => {
    await revokeKeyOf(tx, account, { keyId, now: t.clock.now() });
    throw new Error("undone");
  });
  await expect(revoked).rejects.toThrow("undone");
  expect(await t.reload(watch)).toMatchObject({ status: "active" });
  expect(await told(account)).toEqual([]);
});

test("the last day of a key, and of what an app may spend, is noticed without a run", async () => {
  const account = await t.account(100);
  const expiresAt = t.clock.now() + DAY;
  const key = await keyed(account, "key", expiresAt);
  const app = await granted(account, "app");
  await t.db.tx((tx) => setLimits(tx, { accountId: account, holder: app.holder }, { ...NO_LIMITS, expiresAt }));
  const other = await keyed(account, "other");
  await pauseWatchesOfEnded(t.db, expiresAt - 1);
  expect(await told(account)).toEqual([]);
  await pauseWatchesOfEnded(t.db, expiresAt);
  for (const { watch } of [key, app]) expect(await t.reload(watch)).toMatchObject(PAUSED);
  expect(await t.reload(other.watch)).toMatchObject({ status: "active" });
  expect(await told(account)).toHaveLength(2);
});
