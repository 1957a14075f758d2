import { expect, test } from "vitest";
import { csvRow } from "../../../../src/contract/shapes/csv-row.ts";

/** The cells of a line, as a reader takes them that divides it by this character. */
function cellsOf(line: string, separator: string): string[] {
  const cells = [""];
  let isQuoted = false;
  for (const sign of line) {
    if (sign === '"' && (isQuoted || cells.at(-1) === "")) isQuoted = !isQuoted;
    else if (!isQuoted && (sign === separator || sign === "\r" || sign === "\n")) cells.push("");
    else cells[cells.length - 1] += sign;
  }
  return cells;
}

const BLANKS = [
  "",
  " ",
  "\t",
  "\r",
  "\n",
  "\u00a0",
  "\u3000",
  "\u2003",
  "\ufeff",
  "\u200b",
  "\u0085",
  "\u2800",
  " \t\u00a0",
  '"',
  '""',
];
const SIGNS = ["=", "+", "-", "@", "＝", "＋", "－", "＠", "﹦", "﹢", "﹣", "﹫"];
const BEFORE = ["", "a;", "a,", "a\t", "a|", "a\n", "a\r", "a\r\n", ";", 'a";', ";;", "a;\t"];

test.each(BEFORE)("law: no reader finds a formula in a cell, whatever divides cells, behind %j", (before) => {
  for (const blank of BLANKS)
    for (const sign of SIGNS)
      for (const separator of [",", ";", "\t", "|"]) {
        const line = csvRow(["first", `${before}${blank}${sign}1+1`, "last"]);
        const formulas = cellsOf(line, separator).filter((cell) =>
          /^[\s\p{Cc}\p{Cf}\p{DI}\u2800"]*[=+\-@＝＋－＠﹦﹢﹣﹫]/u.test(cell),
        );
        expect(formulas, JSON.stringify([line, separator])).toEqual([]);
      }
});

test.each(["\ta", "\ra", "\na"])(
  "a cell that begins with a blank that programs drop is turned into text: %j",
  (text) => {
    expect(csvRow([text])).toBe(`"'${text}"\r\n`);
  },
);

test("every cell is quoted as RFC 4180 says; a text that is no formula and a number stay as they are", () => {
  const texts = ["plain", 'say "a", b', "two\nlines", "https://example.com/?a=b-c+d@e", "a - b = c"];
  expect(csvRow([...texts, -3, null])).toBe(
    '"plain","say ""a"", b","two\nlines","https://example.com/?a=b-c+d@e","a - b = c","-3",""\r\n',
  );
});

test("a long text takes time in proportion to its length", () => {
  const begun = performance.now();
  csvRow(["\t;".repeat(500_000)]);
  expect(performance.now() - begun).toBeLessThan(2_000);
});
