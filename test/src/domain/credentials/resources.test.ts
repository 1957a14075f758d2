import { expect, test } from "vitest";
import { type Audience, audienceOf, covers, RESOURCES } from "../../../../src/domain/credentials/resources.ts";

const SITE = "https://beckon.test";

test.each<[string, Audience | null]>([
  [SITE, ""],
  [`${SITE}/`, ""],
  [`${SITE}/mcp`, "/mcp"],
  [`${SITE}/mcp/`, "/mcp"],
  [`${SITE}/api/v1`, "/api/v1"],
  [`${SITE}/a2a`, "/a2a"],
  [`${SITE}/api`, null],
  [`${SITE}/api/v1/projects`, null],
  [`${SITE}/mcp//`, null],
  [`${SITE}/mcp?toolsets=jobs,webhooks`, "/mcp"],
  [`${SITE}/mcp/?toolsets=jobs%2Cwebhooks`, "/mcp"],
  [`${SITE}/mcp?x=a@b/c?d`, "/mcp"],
  [`${SITE}/mcp?`, "/mcp"],
  ["HTTPS://BECKON.TEST/mcp", "/mcp"],
  ["https://Beckon.Test:443/mcp/", "/mcp"],
  ["https://beckon.test:443", ""],
  [`${SITE}/MCP`, null],
  [`${SITE}/api/v1?x=1`, null],
  [`${SITE}/a2a?x=1`, null],
  [`${SITE}?x=1`, null],
  [`${SITE}/mcp?x=1#y`, null],
  [`${SITE}/mcp#`, null],
  [`${SITE}/mcp?x= y`, null],
  [` ${SITE}/mcp`, null],
  [`${SITE}/mc\tp`, null],
  ["https:\\\\beckon.test\\mcp", null],
  ["https:beckon.test/mcp", null],
  [`${SITE}/mcp#x`, null],
  [`${SITE}.evil.example/mcp`, null],
  [`${SITE}:444/mcp`, null],
  ["http://beckon.test/mcp", null],
  ["https://user@beckon.test/mcp", null],
  ["https://@beckon.test/mcp", null],
  ["/mcp", null],
  ["", null],
])("%s is %j", (resource, audience) => {
  expect(audienceOf([SITE], resource)).toBe(audience);
});

test.each([
  ["http://localhost:80", "http://localhost/mcp"],
  ["http://[::1]:3000", "http://[::1]:3000/mcp"],
])("%s is called as %s", (site, resource) => {
  expect(audienceOf([site], resource)).toBe("/mcp");
});

test("a service that is called by several names is itself under each of them", () => {
  const sites = [SITE, "http://localhost:3000"];
  expect(audienceOf(sites, "http://localhost:3000/mcp")).toBe("/mcp");
  expect(audienceOf(sites, `${SITE}/mcp`)).toBe("/mcp");
  expect(audienceOf([], `${SITE}/mcp`)).toBeNull();
});

test("a token of the whole service is valid everywhere, one of a resource only there", () => {
  for (const one of RESOURCES) {
    expect(covers("", one)).toBe(true);
    expect(covers(one, "")).toBe(false);
    expect(RESOURCES.filter((other) => covers(one, other))).toEqual([one]);
  }
});
