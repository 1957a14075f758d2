import { beforeEach, describe, expect, test } from "vitest";
import {
  createSite,
  ownedSites,
  recordSiteCheck,
  type SiteCheck,
  type SiteRow,
  siteOf,
  sitesOf,
} from "../../../../src/indexing/sites/sites.ts";
import { KEY_FILE_PROBLEMS } from "../../../../src/indexing/sites/verify.ts";
import { MINUTE } from "../../../../src/platform/clock.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
let accountId: string;
beforeEach(async () => {
  accountId = await store.account(1);
});

const add = (host: string, owner = accountId) =>
  store.db.tx((tx) => createSite(tx, { accountId: owner, host, now: store.clock.now() }));

const record = (site: SiteRow, result: SiteCheck["keyFile"]["result"], more: Partial<SiteCheck> = {}) => {
  const keyUrl = `https://${site.host}/${site.indexnowKey}.txt`;
  const keyFile = result === "found" ? { result, keyUrl } : { result };
  const finding = { keyFile, checkedAt: store.clock.now(), connections: {}, ...more };
  return store.db.tx((tx) => recordSiteCheck(tx, site, finding));
};

test("a site is created once, with a random key of 32 hex digits", async () => {
  const [one, same] = await Promise.all([add("example.com"), add("example.com")]);
  expect(same).toEqual(one);
  expect(one.id).toMatch(/^site_[0-9a-z]{20}$/);
  expect(one.indexnowKey).toMatch(/^[0-9a-f]{32}$/);
  expect(one).toMatchObject({ status: "pending", keyUrl: `https://example.com/${one.indexnowKey}.txt` });
  const others = [await add("www.example.com"), await add("example.com", await store.account(1))];
  expect(new Set([one, ...others].map(({ indexnowKey }) => indexnowKey)).size).toBe(3);
});

test("400 invalid_request: the 101st site of an account; existing ones can still be requested", async () => {
  for (let i = 0; i < 100; i++) await add(`${i}.example.com`);
  await expect(add("100.example.com")).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringContaining("100 sites"),
    fields: { issues: [{ path: "host", message: expect.stringContaining("100 sites") }] },
  });
  expect((await add("7.example.com")).host).toBe("7.example.com");
  expect((await add("100.example.com", await store.account(1))).host).toBe("100.example.com");
});

test("a page of sites: the newest first, and only the account's", async () => {
  await add("other.example", await store.account(1));
  for (const name of ["a", "b", "c"]) {
    await add(`${name}.example`);
    store.clock.pass(MINUTE);
  }
  const hosts = async (limit: number, offset: number) => {
    const { rows, hasMore } = await sitesOf(store.db, accountId, { limit, offset });
    return [rows.map(({ host }) => host), hasMore];
  };
  expect(await hosts(2, 0)).toEqual([["c.example", "b.example"], true]);
  expect(await hosts(2, 2)).toEqual([["a.example"], false]);
  expect(await siteOf(store.db, accountId, "other.example")).toBeNull();
});

describe("findings", () => {
  test("found: the site is verified, with its connections", async () => {
    const row = await record(await add("example.com"), "found", { connections: { bing_webmaster: "x" } });
    expect(row).toMatchObject({
      status: "verified",
      verifiedAt: store.clock.now(),
      connections: '{"bing_webmaster":"x"}',
    });
  });

  test.each(KEY_FILE_PROBLEMS)("%s: a pending site fails", async (result) => {
    expect(await record(await add("example.com"), result)).toMatchObject({ status: "failed", verifiedAt: null });
  });

  test.each(KEY_FILE_PROBLEMS.filter((one) => one !== "no_answer"))(
    "%s: a verified site fails, and loses its connections",
    async (result) => {
      const site = await record(await add("example.com"), "found", { connections: { search_console: "x" } });
      store.clock.pass(MINUTE);
      expect(await record(site, result)).toMatchObject({ status: "failed", verifiedAt: null, connections: "{}" });
    },
  );

  test("no_answer: the site stays as it is, verified or failed", async () => {
    const site = await record(await add("example.com"), "found", { connections: { search_console: "x" } });
    store.clock.pass(MINUTE);
    expect(await record(site, "no_answer")).toEqual(site);
    const failed = await record(site, "file_not_found");
    expect(await record(failed, "no_answer")).toEqual(failed);
  });

  test("a check that begins before a successful one and ends after it changes nothing", async () => {
    const site = await add("example.com");
    const before = store.clock.now();
    store.clock.pass(MINUTE);
    const verified = await record(site, "found");
    expect(await record(site, "file_not_found", { checkedAt: before })).toEqual(verified);
    expect(await record(site, "found", { checkedAt: before })).toEqual(verified);
  });
});

describe("the sites of URLs", () => {
  test("only verified sites are found, by the host and port of a stored URL", async () => {
    const one = await record(await add("example.com"), "found", {
      connections: { bing_webmaster: "https://example.com/" },
    });
    const two = await record(await add("example.com:8443"), "found");
    await add("pending.example");
    await record(await add("failed.example"), "file_not_found");
    const stranger = await store.account(1);
    await record(await add("stranger.example", stranger), "found");

    const site = await ownedSites(store.db, accountId);
    const owned = {
      host: "example.com",
      indexnowKey: one.indexnowKey,
      keyUrl: one.keyUrl,
      connections: { bing_webmaster: "https://example.com/" },
    };
    for (const url of ["https://example.com/", "http://example.com/a/b?c=//d/e", "https://example.com/@x:8443/"])
      expect(site(url), url).toEqual(owned);
    expect(site("https://example.com:8443/a")?.indexnowKey).toBe(two.indexnowKey);
    for (const url of [
      "https://www.example.com/",
      "https://example.com:8080/",
      "https://example.com.evil.example/",
      "https://evil.example/example.com/",
      "https://evil.example/?//example.com/",
      "https://pending.example/",
      "https://failed.example/",
      "https://stranger.example/",
    ])
      expect(site(url), url).toBeNull();
    expect((await ownedSites(store.db, stranger))("https://example.com/")).toBeNull();
  });
});
