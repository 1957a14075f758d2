import { expect, test } from "vitest";
import { nextStep, type SiteFindings } from "../../../../src/indexing/sites/next-step.ts";
import type { SiteRow } from "../../../../src/indexing/sites/sites.ts";
import { readConfig } from "../../../../src/platform/config/config.ts";

const OPERATOR = readConfig({
  ENGINES: "live",
  BECKON_ALLOW_SANDBOX: "payment",
  SIGNUP: "off",
  SITE_URL: "https://beckon.test",
  MAIL: "file:./mail",
  SECRETS_KEY: Buffer.alloc(32).toString("base64"),
  GOOGLE_SERVICE_ACCOUNT: "{}",
});

const KEYS = { indexnowKey: "0123456789abcdef", keyUrl: "https://example.com/0123456789abcdef.txt" };

function stepOf(connections: object, more: Partial<SiteRow> = {}, findings?: SiteFindings): string {
  const site = { status: "verified", connections: JSON.stringify(connections), ...KEYS, ...more } as SiteRow;
  return nextStep(site, OPERATOR, findings);
}

test.each([
  ["sc-domain:example.com", "the site's pages now go by indexnow, search_console too."],
  ["https://example.com/", "the site's pages now go by indexnow, search_console too."],
  ["https://example.com/ http://example.com/", "the site's pages now go by indexnow, search_console too."],
  [
    "http://example.com/",
    "the site's pages now go by indexnow, search_console too, but by search_console only those below http://example.com/.",
  ],
  [
    "https://example.com/blog/",
    "the site's pages now go by indexnow, search_console too, but by search_console only those below https://example.com/blog/.",
  ],
  [
    "https://türkish.com/ç/ https://türkish.com/b/",
    "the site's pages now go by indexnow, search_console too, but by search_console only those below https://xn--trkish-3ya.com/%C3%A7/ and https://xn--trkish-3ya.com/b/.",
  ],
])("verified, with the property %s: %s", (search_console, words) => {
  expect(stepOf({ search_console })).toBe(`Verified: ${words} Leave the key file where it is.`);
});

test("verified, without a property: the site's pages go by IndexNow alone", () => {
  expect(stepOf({})).toContain("the site's pages now go by indexnow too.");
});

test("a property counts only where a provider that needs it is used", () => {
  const site = {
    status: "verified",
    connections: '{"search_console":"https://example.com/blog/"}',
    ...KEYS,
  } as SiteRow;
  expect(nextStep(site, { ...OPERATOR, engines: ["indexnow_bing"] })).toContain("now go by indexnow too.");
});

test("verified, and an engine refuses the key: a new one is offered", () => {
  const step = stepOf({}, {}, { result: "found", refusedBy: ["Bing"] });
  expect(step).toContain("Bing will not take this IndexNow key again, although its file is in place");
  expect(step).toContain("call add_site with rotate_key true for a new one.");
});

test("verified, with a new key: its file is to be placed, and the old one left until then", () => {
  const url = "https://example.com/fedcba9876543210.txt";
  expect(stepOf({}, { indexnowKey: "fedcba9876543210" })).toBe(
    `Place a text file with the indexnow_key and nothing else at ${url}, then call add_site with this host again. Until then the old key is used: leave its file where it is.`,
  );
});
