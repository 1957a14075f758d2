import { expect, test } from "vitest";
import { hasValidLabels } from "../../../../src/platform/urls/a-labels.ts";

test.each([
  "example.com",
  "xn--bcher-kva.example",
  "a.xn--ls8h.example",
  "xn--80ak6aa92e.com",
  "xn--zca.example",
  "[::1]",
])("valid: %s", (host) => {
  expect(hasValidLabels(host)).toBe(true);
});

// Some of them are accepted by some versions of Node.js: a name of ASCII alone, and one that has a joiner alone.
test.each(["xn--a", "xn--", "xn--abc-", "a.xn--a.example", "xn--1ug", "xn--99999999", "xn--xn---epa"])(
  "invalid: %s",
  (host) => {
    expect(hasValidLabels(host)).toBe(false);
  },
);
