import { expect, test } from "vitest";
import {
  findSearchConsoleProperties,
  isOfProperty,
  permissionIn,
  propertyFor,
} from "../../../../../../src/indexing/engines/live/google/properties.ts";
import { MINUTE } from "../../../../../../src/platform/clock.ts";
import { failureIn, linesOf, SITE } from "../../../../../support/indexing/channel-call.ts";
import { startFakeProviders } from "../../../../../support/network/fake-providers.ts";
import { eachTest } from "../../../../../support/service/each-test.ts";
import { googleError } from "../../../../../support/upstreams/google-error.ts";

const providers = eachTest(startFakeProviders);

const find = (host: string) => findSearchConsoleProperties(providers.api, host);

/** The properties of the account, a host, and those of them that contain pages of the host. */
const PROPERTIES: readonly (readonly [properties: readonly string[], host: string, found: string | null])[] = [
  [["https://www.example.com/"], "www.example.com", "https://www.example.com/"],
  [["http://www.example.com/"], "www.example.com", "http://www.example.com/"],
  [
    ["http://www.example.com/", "https://www.example.com/"],
    "www.example.com",
    "https://www.example.com/ http://www.example.com/",
  ],
  [["https://www.example.com/", "sc-domain:example.com"], "www.example.com", "sc-domain:example.com"],
  [["sc-domain:example.com", "sc-domain:www.example.com"], "www.example.com", "sc-domain:www.example.com"],
  [["sc-domain:ample.com", "https://example.com/", "https://www.example.com.evil.example/"], "www.example.com", null],
  [[], "www.example.com", null],
  // With a path.
  [["https://www.example.com/blog/"], "www.example.com", "https://www.example.com/blog/"],
  [["https://www.example.com/blog/", "https://www.example.com/"], "www.example.com", "https://www.example.com/"],
  [
    ["https://www.example.com/shop/", "https://www.example.com/blog/2026/", "https://www.example.com/blog/"],
    "www.example.com",
    "https://www.example.com/blog/ https://www.example.com/shop/",
  ],
  [
    ["http://www.example.com/", "https://www.example.com/blog/"],
    "www.example.com",
    "https://www.example.com/blog/ http://www.example.com/",
  ],
  [["https://other.example/www.example.com/"], "www.example.com", null],
  // International names, as Google lists them.
  [["https://türkish.com/"], "xn--trkish-3ya.com", "https://türkish.com/"],
  [["https://xn--trkish-3ya.com/"], "xn--trkish-3ya.com", "https://xn--trkish-3ya.com/"],
  [["sc-domain:türkish.com"], "www.xn--trkish-3ya.com", "sc-domain:türkish.com"],
  [["sc-domain:TÜRKISH.com."], "xn--trkish-3ya.com", "sc-domain:TÜRKISH.com."],
  [["https://\u202bעברית.example\u202c/"], "xn--5dbqzzl.example", "https://עברית.example/"],
  [["\u200esc-domain:\u2067عربي.example\u2069"], "www.xn--ngbrx4e.example", "sc-domain:عربي.example"],
  [["https://例え.example/ブログ/"], "xn--r8jz45g.example", "https://例え.example/ブログ/"],
  [["https://TÜRKISH.com:443/"], "xn--trkish-3ya.com", "https://TÜRKISH.com:443/"],
  // No properties of web pages.
  [["android-app://com.example/", "sc-set:1", "sc-domain:", "", "https://", "undefined"], "example.com", null],
];

test.each(PROPERTIES)("of %j, those with pages of %s are %j", async (properties, host, expected) => {
  for (const property of properties) providers.world.properties.set(property, "siteFullUser");
  expect(await find(host)).toBe(expected);
  expect(linesOf(providers.fakes, "search_console")).toEqual(["GET /webmasters/v3/sites"]);
});

test.each(["siteUnverifiedUser", "siteRestrictedUser"])(
  "a property in which the account may not act does not count (%s)",
  async (permission) => {
    providers.world.properties.set("sc-domain:example.com", permission).set("https://example.com/", "siteOwner");
    expect(await find("example.com")).toBe("https://example.com/");
  },
);

test("a host with a port is covered by its own property, or by the domain's", async () => {
  providers.world.properties.set("http://127.0.0.1:4010/", "siteOwner").set("sc-domain:example.com", "siteOwner");
  expect(await find("127.0.0.1:4010")).toBe("http://127.0.0.1:4010/");
  expect(await find("www.example.com:8443")).toBe("sc-domain:example.com");
});

test.each([
  ["403: the API is switched off", googleError(403, "PERMISSION_DENIED", "disabled"), "unauthorized"],
  ["429: 200 a minute", googleError(429, "RESOURCE_EXHAUSTED", "Quota exceeded, per minute"), "rate_limited"],
  ["200 with an error in it", googleError(500, "INTERNAL", "x"), "server_error"],
  ["200 that is no list", { status: 200, body: { siteEntry: {} } }, "bad_answer"],
  ["200 in HTML", { status: 200, body: "<html></html>" }, "bad_answer"],
])("%s is not an answer about the host", async (_, answer, kind) => {
  providers.world.answer("search_console", answer);
  expect((await failureIn(find("example.com"))).kind).toBe(kind);
});

test("200 with an error in its body is not a list of properties", async () => {
  const { body } = googleError(500, "INTERNAL", "x");
  providers.world.answer("search_console", { status: 200, body });
  expect((await failureIn(find("example.com"))).kind).toBe("bad_answer");
});

test("permissions in properties are requested every ten minutes, and once a minute while there is no answer", async () => {
  const { api, world, clock, fakes } = providers;
  const ask = () => permissionIn(api, "sc-domain:example.com");
  world.properties.set("sc-domain:example.com", "siteOwner");
  world.answer("search_console", { status: 503 }, 1);
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([undefined, undefined, undefined]);
  expect(await ask()).toBeUndefined();
  clock.pass(MINUTE);
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(["siteOwner", "siteOwner", "siteOwner"]);
  world.properties.clear();
  clock.pass(10 * MINUTE - 1);
  expect(await ask()).toBe("siteOwner");
  clock.pass(1);
  expect(await ask()).toBeNull();
  expect(fakes.callsTo("search_console")).toHaveLength(3);
});

test("the permission in a property is the same, however its name is written", async () => {
  providers.world.properties.set("https://\u202bעברית.example\u202c/", "siteOwner");
  for (const name of ["https://עברית.example/", "https://xn--5dbqzzl.example/", "https://xn--5dbqzzl.example"])
    expect(await permissionIn(providers.api, name)).toBe("siteOwner");
});

test.each([
  ["https://www.example.com/", "https://www.example.com/a", true],
  ["https://www.example.com/", "http://www.example.com/a", false],
  ["https://www.example.com/", "https://www.example.com.evil.example/", false],
  ["https://www.example.com", "https://www.example.com/a", true],
  ["https://www.example.com", "https://www.example.com.evil.example/", false],
  ["https://www.example.com/blog/", "https://www.example.com/blog/a", true],
  ["https://www.example.com/blog/", "https://www.example.com/blog/?page=2", true],
  ["https://www.example.com/blog/", "https://www.example.com/blog", false],
  ["https://www.example.com/blog/", "https://www.example.com/blogger/a", false],
  ["https://www.example.com/blog", "https://www.example.com/blogger/a", false],
  ["https://www.example.com/blog", "https://www.example.com/blog/a", true],
  ["https://www.example.com/Blog/", "https://www.example.com/blog/a", false],
  ["https://www.example.com/%7ejoe/caf%c3%a9/", "https://www.example.com/~joe/caf%C3%A9/a", true],
  ["https://www.example.com/café/", "https://www.example.com/caf%C3%A9/a", true],
  ["https://türkish.com/", "https://xn--trkish-3ya.com/a", true],
  ["https://\u202bעברית.example\u202c/", "https://xn--5dbqzzl.example/a", true],
  ["sc-domain:türkish.com", "https://www.xn--trkish-3ya.com/a", true],
  ["sc-domain:\u200fעברית.example\u200f", "https://www.xn--5dbqzzl.example/a", true],
  ["sc-domain:example.com", "http://deep.www.example.com:8080/a", true],
  ["sc-domain:example.com", "https://example.com?a", true],
  ["sc-domain:Example.com", "https://www.example.com/", true],
  ["sc-domain:", "https://example.com/", false],
  ["sc-domain:example.com", "https://badexample.com/", false],
  ["sc-domain:example.com", "https://evil.example/?.example.com", false],
  ["android-app://com.example/", "https://com.example/", false],
])("%s, %s: %s", (property, url, expected) => {
  expect(isOfProperty(url, property)).toBe(expected);
});

test("each page of a host belongs to the property below whose address it is", () => {
  const names = "https://www.example.com/blog/ https://www.example.com/shop/ http://www.example.com/";
  const site = { ...SITE, connections: { search_console: names } };
  expect(propertyFor("https://www.example.com/shop/a", site)).toBe("https://www.example.com/shop/");
  expect(propertyFor("http://www.example.com/shop/a", site)).toBe("http://www.example.com/");
  expect(propertyFor("https://www.example.com/about", site)).toBeNull();
  expect(propertyFor("https://www.example.com/shop/a", { ...SITE, connections: {} })).toBeNull();
});
