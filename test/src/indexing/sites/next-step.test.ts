import { expect, test } from "vitest";
import { nextStep } from "../../../../src/indexing/sites/next-step.ts";
import type { SiteRow } from "../../../../src/indexing/sites/sites.ts";
import { readConfig } from "../../../../src/platform/config/config.ts";

const OPERATOR = readConfig({
  ENGINES: "live",
  BECKON_ALLOW_SANDBOX: "payment",
  SITE_URL: "https://beckon.test",
  MAIL: "file:./mail",
  SECRETS_KEY: Buffer.alloc(32).toString("base64"),
  GOOGLE_SERVICE_ACCOUNT: "{}",
});

function stepOf(connections: object): string {
  return nextStep({ status: "verified", connections: JSON.stringify(connections) } as SiteRow, OPERATOR);
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
  const site = { status: "verified", connections: '{"search_console":"https://example.com/blog/"}' } as SiteRow;
  expect(nextStep(site, { ...OPERATOR, engines: ["indexnow_bing"] })).toContain("now go by indexnow too.");
});
