import { expect, test } from "vitest";
import { csvRow } from "../../../../src/contract/shapes/whole-list.ts";

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])(
  "a cell that a spreadsheet would run as a formula is turned into text: %j",
  (text) => {
    expect(csvRow([text]).replaceAll('"', "")).toBe(`'${text}\r\n`);
  },
);

test("cells are quoted as RFC 4180 says; numbers and empty cells stay as they are", () => {
  expect(csvRow(["plain", 'say "a", b', "two\nlines", -3, null])).toBe('plain,"say ""a"", b","two\nlines",-3,\r\n');
});
