import { plain } from "./safe-terminal.ts";

/** A row of a table: the text of each column. */
export type Row = Readonly<Record<string, string | number | null>>;

const GAP = 2;

/**
 * A table of rows, its numbers on the right. Where the terminal is too narrow for it, each row is a block of lines, so that
 * nothing is cut off.
 */
export function table(rows: readonly Row[], width: number): string {
  const names = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => names.map((name) => plain(String(row[name] ?? "–"))));
  const widths = names.map((name, at) => Math.max(name.length, ...cells.map((line) => line[at]!.length)));
  if (widths.reduce((sum, one) => sum + one + GAP, -GAP) > width) return blocks(names, cells);
  const isNumber = names.map((name) => rows.every((row) => typeof row[name] === "number" || row[name] === null));
  const line = (texts: readonly string[]) =>
    texts
      .map((text, at) => (isNumber[at] ? text.padStart(widths[at]!) : text.padEnd(widths[at]!)))
      .join(" ".repeat(GAP))
      .trimEnd();
  return [line(names), ...cells.map(line)].join("\n");
}

/** Names and values, a line each. */
export function list(row: Row): string {
  const width = Math.max(...Object.keys(row).map((name) => name.length));
  return Object.entries(row)
    .map(([name, value]) => `${name.padEnd(width)}  ${plain(String(value ?? "–"))}`)
    .join("\n");
}

/** Breaks a text into lines at spaces. */
export function wrapped(text: string, width: number, indent = ""): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${lines.length === 0 ? "" : indent}${word}`);
  }
  return lines.join("\n");
}

function blocks(names: readonly string[], cells: readonly (readonly string[])[]): string {
  const rows = cells.map((line) => names.map((name, at) => `${name}: ${line[at]}`).join("\n"));
  return rows.join("\n\n");
}
