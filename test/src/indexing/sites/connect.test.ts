import { expect, test } from "vitest";
import { UpstreamFailure } from "../../../../src/indexing/providers/failure.ts";
import {
  type ConnectionFinder,
  type ConnectionName,
  configured,
  connect,
  connectionsOf,
} from "../../../../src/indexing/sites/connect.ts";
import type { SiteRow } from "../../../../src/indexing/sites/sites.ts";
import { readConfig } from "../../../../src/platform/config/config.ts";

const finder = (name: ConnectionName, find: ConnectionFinder["find"]): ConnectionFinder => ({ name, find });
const silent = new UpstreamFailure("bing_webmaster", "timeout");

test("lists what each provider calls the host, without the providers that do not have it", async () => {
  const finders = [
    finder("search_console", async (host) => `sc-domain:${host}`),
    finder("bing_webmaster", async () => null),
    finder("yandex_webmaster", async (host) => `https:${host}:443`),
  ];
  expect(await connect(finders, "example.com", {})).toEqual({
    search_console: "sc-domain:example.com",
    yandex_webmaster: "https:example.com:443",
  });
});

test("a provider that does not answer keeps its connection, and one that says no loses it", async () => {
  const known = { search_console: "old", bing_webmaster: "old", yandex_webmaster: "old" };
  const finders = [
    finder("search_console", async () => null),
    finder("bing_webmaster", async () => Promise.reject(silent)),
    finder("yandex_webmaster", async () => "new"),
  ];
  expect(await connect(finders, "example.com", known)).toEqual({ bing_webmaster: "old", yandex_webmaster: "new" });
  expect(await connect(finders, "example.com", {})).toEqual({ yandex_webmaster: "new" });
});

test("a provider that is no longer configured is not asked, and loses its connection", async () => {
  expect(await connect([], "example.com", { bing_webmaster: "old" })).toEqual({});
});

test("a provider that never answers delays neither the result nor the others", async () => {
  const finders = [
    finder("search_console", () => new Promise(() => undefined)),
    finder("bing_webmaster", async () => "b"),
  ];
  expect(await connect(finders, "example.com", { search_console: "old" }, 20)).toEqual({
    search_console: "old",
    bing_webmaster: "b",
  });
});

test("an error in our code is thrown, and not treated as a provider that does not answer", async () => {
  const broken = finder("search_console", async () => Promise.reject(new TypeError("ours")));
  await expect(connect([broken], "example.com", {})).rejects.toThrow(TypeError);
});

const LIVE = {
  ENGINES: "live",
  BECKON_ALLOW_SANDBOX: "payment",
  SIGNUP: "off",
  SITE_URL: "https://beckon.test",
  MAIL: "file:./mail",
  SECRETS_KEY: Buffer.alloc(32).toString("base64"),
};
const KEYS = { BING_WEBMASTER_KEY: "k", YANDEX_WEBMASTER_TOKEN: "t", GOOGLE_SERVICE_ACCOUNT: "{}" };

test("only providers with credentials are asked, and none in a sandbox", () => {
  expect(configured(readConfig({ ...LIVE }))).toEqual([]);
  expect(configured(readConfig({ ...LIVE, BING_WEBMASTER_KEY: "k" }))).toEqual(["bing_webmaster"]);
  expect(configured(readConfig({ ...LIVE, ...KEYS }))).toEqual([
    "search_console",
    "bing_webmaster",
    "yandex_webmaster",
  ]);
  expect(configured(readConfig({ ...KEYS }))).toEqual([]);
});

test("if ENGINES lists providers, the others are not asked", () => {
  const named = (engines: string) => readConfig({ ...LIVE, ...KEYS, SERPER_KEY: "k", ENGINES: engines });
  expect(configured(named("bing_webmaster,serper"))).toEqual(["bing_webmaster"]);
  expect(configured(named("url_inspection"))).toEqual(["search_console"]);
  const site = { status: "verified", connections: '{"search_console":"s","bing_webmaster":"b"}' } as SiteRow;
  expect(connectionsOf(site, named("bing_webmaster"))).toEqual(["bing_webmaster"]);
  expect(connectionsOf(site, named("indexnow_yandex,search_console"))).toEqual(["indexnow", "search_console"]);
});

test("the answer of a verified site in a live service lists IndexNow and the configured providers that have it", () => {
  const site = { status: "verified", connections: '{"yandex_webmaster":"y","bing_webmaster":"b"}' } as SiteRow;
  const live = readConfig({ ...LIVE, ...KEYS });
  expect(connectionsOf(site, live)).toEqual(["indexnow", "bing_webmaster", "yandex_webmaster"]);
  expect(connectionsOf(site, readConfig({ ...LIVE, INDEXNOW: "off", BING_WEBMASTER_KEY: "k" }))).toEqual([
    "bing_webmaster",
  ]);
  expect(connectionsOf({ ...site, status: "failed" }, live)).toEqual([]);
  expect(connectionsOf(site, readConfig({ ...KEYS }))).toEqual([]);
});
