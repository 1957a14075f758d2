import { expect, test } from "vitest";
import {
  findSearchConsoleProperty,
  isOfProperty,
  permissionIn,
} from "../../../../../../src/indexing/engines/live/google/properties.ts";
import { MINUTE } from "../../../../../../src/platform/clock.ts";
import { failureIn, linesOf } from "../../../../../support/indexing/channel-call.ts";
import { startFakeProviders } from "../../../../../support/network/fake-providers.ts";
import { eachTest } from "../../../../../support/service/each-test.ts";
import { googleError } from "../../../../../support/upstreams/google-error.ts";

const providers = eachTest(startFakeProviders);

const find = (host: string) => findSearchConsoleProperty(providers.api, host);

test.each([
  [["https://www.example.com/"], "https://www.example.com/"],
  [["http://www.example.com/"], "http://www.example.com/"],
  [["http://www.example.com/", "https://www.example.com/"], "https://www.example.com/"],
  [["https://www.example.com/", "sc-domain:example.com"], "sc-domain:example.com"],
  [["sc-domain:example.com", "sc-domain:www.example.com"], "sc-domain:www.example.com"],
  [["sc-domain:ample.com", "https://example.com/", "https://www.example.com/blog/"], null],
  [[], null],
])("of %j, www.example.com is covered by %s", async (properties, expected) => {
  for (const property of properties) providers.world.properties.set(property, "siteFullUser");
  expect(await find("www.example.com")).toBe(expected);
  expect(linesOf(providers.fakes, "search_console")).toEqual(["GET /webmasters/v3/sites"]);
});

test("a property that the account has not verified does not count", async () => {
  providers.world.properties
    .set("sc-domain:example.com", "siteUnverifiedUser")
    .set("https://example.com/", "siteOwner");
  expect(await find("example.com")).toBe("https://example.com/");
});

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

test.each([
  ["https://www.example.com/", "https://www.example.com/a", true],
  ["https://www.example.com/", "http://www.example.com/a", false],
  ["https://www.example.com/", "https://www.example.com.evil.example/", false],
  ["sc-domain:example.com", "http://deep.www.example.com:8080/a", true],
  ["sc-domain:example.com", "https://example.com?a", true],
  ["sc-domain:Example.com", "https://www.example.com/", true],
  ["sc-domain:", "https://example.com/", false],
  ["sc-domain:example.com", "https://badexample.com/", false],
  ["sc-domain:example.com", "https://evil.example/?.example.com", false],
])("%s, %s: %s", (property, url, expected) => {
  expect(isOfProperty(url, property)).toBe(expected);
});
