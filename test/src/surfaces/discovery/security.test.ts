import { expect, test } from "vitest";
import { DAY } from "../../../../src/platform/clock.ts";
import { isReachable, securityText } from "../../../../src/surfaces/discovery/security.ts";

const NOW = Date.UTC(2026, 0, 5, 12);
const written = (contact: string, now = NOW) => securityText({ siteUrl: "https://beckon.example", contact }, now);
const expiry = (text: string) => Date.parse(text.match(/^Expires: (.+)$/m)![1]!);

test.each([
  ["operator@example.com", "mailto:operator@example.com"],
  ["mailto:operator@example.com", "mailto:operator@example.com"],
  ["https://example.com/contact", "https://example.com/contact"],
])("%s is written as %s", (contact, uri) => {
  expect(isReachable(contact)).toBe(true);
  expect(written(contact)).toContain(`Contact: ${uri}\n`);
});

test.each([undefined, "", "@operator", "http://example.com/", "example.com"])(
  "%s is no way to be reached",
  (contact) => {
    expect(isReachable(contact)).toBe(false);
  },
);

test("expires within a year, and changes once a day", () => {
  expect(expiry(written("a@example.com"))).toBe(Date.UTC(2026, 0, 5) + 180 * DAY);
  expect(written("a@example.com", NOW + DAY / 3)).toBe(written("a@example.com"));
  expect(expiry(written("a@example.com", NOW + DAY))).toBe(expiry(written("a@example.com")) + DAY);
});
