import { afterAll, beforeEach, expect, test } from "vitest";
import { ProviderBook } from "../../../../src/indexing/providers/book.ts";
import { UpstreamFailure } from "../../../../src/indexing/providers/failure.ts";
import { findKeyFile, keyRefusals, rotateKey } from "../../../../src/indexing/sites/replace-key.ts";
import { isReplaced, keyFileUrl } from "../../../../src/indexing/sites/site-keys.ts";
import { createSite, ownedSites, recordSiteCheck, type SiteRow } from "../../../../src/indexing/sites/sites.ts";
import { readConfig } from "../../../../src/platform/config/config.ts";
import { createHttpClient } from "../../../../src/platform/http-client/http-client.ts";
import { testStore } from "../../../support/database/store.ts";
import { anyQuota } from "../../../support/indexing/any-quota.ts";
import { keyHost } from "../../../support/network/key-host.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const website = await keyHost();
const http = createHttpClient(
  readConfig({ FETCH_ALLOW_CIDRS: "127.0.0.0/8", FETCH_ALLOW_PORTS: String(website.port) }),
);
afterAll(() => Promise.all([http.close(), website.close()]));

const store = eachTest(testStore);
let files: Set<string>;
let site: SiteRow;

/** Verifies the site by the files that are there. */
async function verify(): Promise<SiteRow> {
  const keyFile = await findKeyFile(http, site);
  site = await store.db.tx((tx) =>
    recordSiteCheck(tx, site, { keyFile, checkedAt: store.clock.now(), connections: {} }),
  );
  store.clock.pass(1);
  return site;
}

const rotate = async () => {
  site = await store.db.tx((tx) => rotateKey(tx, site));
  return site;
};
const owned = async () => (await ownedSites(store.db, site.accountId))(`http://${website.host}/page`);

beforeEach(async () => {
  files = new Set();
  website.answer = (req, res) => {
    const key = /^\/(\w+)\.txt$/.exec(req.url!)?.[1];
    res.writeHead(key && files.has(key) ? 200 : 404, { "Content-Type": "text/plain" }).end(key);
  };
  const accountId = await store.account(1);
  const now = store.clock.now();
  site = await store.db.tx((tx) => createSite(tx, { accountId, host: website.host, now }));
  files.add(site.indexnowKey);
  await verify();
});

test("a verified site with a new key is submitted with the old one, until the new file is found", async () => {
  const old = site.indexnowKey;
  await rotate();
  expect([site.status, site.indexnowKey === old, isReplaced(site)]).toEqual(["verified", false, true]);
  expect(keyFileUrl(site)).toBe(`http://${website.host}/${site.indexnowKey}.txt`);
  expect(await owned()).toMatchObject({ indexnowKey: old, keyUrl: `http://${website.host}/${old}.txt` });
  await verify();
  expect([site.status, isReplaced(site), (await owned())!.indexnowKey]).toEqual(["verified", true, old]);
  files.add(site.indexnowKey);
  await verify();
  expect([site.status, isReplaced(site)]).toEqual(["verified", false]);
  expect(await owned()).toMatchObject({ indexnowKey: site.indexnowKey, keyUrl: keyFileUrl(site) });
});

test("a second call while the key is replaced gives the same new key, and one after it another", async () => {
  const { indexnowKey: first } = await rotate();
  expect((await rotate()).indexnowKey).toBe(first);
  files.add(first);
  await verify();
  expect((await rotate()).indexnowKey).not.toBe(first);
});

test("a site without either file fails, and either file verifies it again", async () => {
  const old = site.indexnowKey;
  const { indexnowKey: key } = await rotate();
  files.clear();
  expect((await verify()).status).toBe("failed");
  files.add(old);
  expect([(await verify()).status, (await owned())!.indexnowKey]).toEqual(["verified", old]);
  files.clear();
  files.add(key);
  expect([(await verify()).status, (await owned())!.indexnowKey]).toEqual(["verified", key]);
});

test("a site that is not verified has one key: the new one", async () => {
  files.clear();
  const { indexnowKey: old } = await verify();
  await rotate();
  expect([isReplaced(site), site.indexnowKey === old]).toEqual([false, false]);
  files.add(old);
  expect((await verify()).status).toBe("failed");
});

test("the engines that refuse the key in use are named, and those that refuse an old one are not", async () => {
  const book = new ProviderBook(store.db, store.clock);
  const refuse = (provider: string, kind: "key_refused" | "key_pending") => {
    const quota = anyQuota(provider, { site: site.keyUrl.replace("http://", "") });
    return store.db.tx((tx) => book.note(tx, quota, {}, new UpstreamFailure(provider, kind)));
  };
  await refuse("indexnow_bing", "key_refused");
  await refuse("indexnow_yandex", "key_pending");
  const refusals = async () => [...(await keyRefusals(store.db, [site]))];
  expect(await refusals()).toEqual([[site.id, ["Bing"]]]);
  await rotate();
  expect(await refusals()).toEqual([[site.id, ["Bing"]]]);
  files.add(site.indexnowKey);
  await verify();
  expect(await refusals()).toEqual([[site.id, []]]);
});
