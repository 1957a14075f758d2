import { expect, test } from "vitest";
import { formsInName, formsInUrl } from "../../../../src/domain/projects/search.ts";

test("a text of A–Z has one form, since the database takes A–Z and a–z for equal", () => {
  expect(formsInName("Blog")).toEqual(["blog"]);
  expect(formsInName("")).toEqual([]);
});

test("other letters are also tried small, capital, and with a capital at the beginning of each word", () => {
  expect(formsInName("моя ферма")).toEqual(["моя ферма", "МОЯ ФЕРМА", "Моя Ферма"]);
});

test("a text for URLs is also tried percent-encoded, and in Punycode", () => {
  const forms = formsInUrl("bücher");
  expect(forms).toEqual(expect.arrayContaining(["b%c3%bccher", "xn--bcher-kva"]));
});

test("a whole URL is also tried in its normal form", () => {
  expect(formsInUrl("HTTPS://Example.com:443/a/../b#top")).toContain("https://example.com/b");
});
