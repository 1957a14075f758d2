/** Characters that programs take as the end of a cell, whatever a file says: whoever opens it chooses them. */
const SEPARATORS = ",;|\\t\\r\\n";

/** What programs skip at the start of a cell: blanks, characters that are not seen, quotation marks. */
const SKIPPED = '\\s\\p{Cc}\\p{Cf}\\p{DI}\\u2800"';

/** What begins a formula: the four characters, and their full-width and small forms, which programs take for them. */
const SIGNS = ["=+\\-@", "＝＋－＠", "﹦﹢﹣﹫"].join("");

const starts = new RegExp(`([${SEPARATORS}${SKIPPED}]+|^)([${SIGNS}]?)`, "gu");
const separator = new RegExp(`[${SEPARATORS}]`, "g");

/**
 * A line of CSV (RFC 4180), every cell in quotation marks. Where a spreadsheet would take a text for a formula, also when it
 * divides the line by other characters, an apostrophe stands in front.
 */
export function csvRow(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

function cell(value: string | number | null): string {
  const text = typeof value === "string" ? harmless(value) : String(value ?? "");
  return `"${text.replaceAll('"', '""')}"`;
}

function harmless(text: string): string {
  return text.replace(starts, (all, before: string, sign: string, at: number) => {
    if (sign === "") return at === 0 && /^[\t\r\n]/.test(before) ? `'${all}` : all;
    return `${at === 0 ? "'" : ""}${before.replace(separator, "$&'")}${sign}`;
  });
}
