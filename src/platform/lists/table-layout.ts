import { isAddress, withHttps } from "./addresses.ts";
import { cellItem } from "./line-items.ts";
import { type Row, RowReader } from "./rows.ts";

/** How a table is laid out, and which of its columns has the URLs. */
export interface Table {
  readonly delimiter: string;
  /** The column with the URLs, from 0. */
  readonly column: number;
  /** Its heading; null if the table has none. */
  readonly name: string | null;
  /** Number of columns. */
  readonly width: number;
  /** The line of the heading; 0 if the table has none. */
  readonly headingLine: number;
}

const DELIMITERS = ["\t", ",", ";", "|"] as const;

/**
 * Finds out whether a text is a table.
 * @param head its beginning, in whole lines
 * @param said the delimiter, if the text says it
 * @param line of the first row, from 1
 * @returns null for a list of lines
 */
export function tableIn(head: string, said: string | null, line: number): Table | null {
  const delimiters = DELIMITERS.filter((delimiter) => head.includes(delimiter));
  const found = (said === null ? delimiters : [said]).map((delimiter) =>
    layoutOf(new RowReader(delimiter, line).read(head, true), delimiter, said !== null),
  );
  return found.filter((layout) => layout !== null).sort(byFit)[0] ?? null;
}

/** Of two ways to read a table, the one that finds more URLs, then one with a heading that names them, then more columns. */
function byFit(a: Layout, b: Layout): number {
  const heading = ({ headingLine, name }: Layout) => Number(headingLine > 0) + Number(NAME.test(name ?? ""));
  return b.urls - a.urls || heading(b) - heading(a) || b.width - a.width;
}

interface Layout extends Table {
  /** How many rows have a URL in its column. */
  readonly urls: number;
}

function layoutOf(all: readonly Row[], delimiter: string, isSaid: boolean): Layout | null {
  const rows = all.filter(({ cells }) => !isBlank(cells) && !isComment(cells));
  const texts = rows.map(({ cells }) => cells.map((cell) => cellItem(cell).text));
  const first = texts.findIndex((cells) => cells.some(isUrl));
  if (first === -1) return null;
  const heading = headingOf(texts, first);
  const data = texts.slice(first);
  const width = heading === null ? mostCommon(data.map((cells) => cells.length)) : texts[heading]!.length;
  if (width < 2 && !isSaid) return null;
  const wide = data.filter((cells) => cells.length >= width);
  if (wide.length * 2 <= data.length && !isSaid) return null;
  if (heading === null && !isSaid && !looksLikeData(wide, delimiter)) return null;
  const names = heading === null ? null : texts[heading]!;
  const column = urlColumn(data, names, width);
  const urls = data.filter((cells) => isUrl(cells[column] ?? "")).length;
  const headingLine = heading === null ? 0 : rows[heading]!.line;
  return { delimiter, column, width, name: names?.[column] || null, headingLine, urls };
}

/** The row of headings, which stands before the first row with a URL and has as many cells; null: there is none. */
function headingOf(rows: readonly (readonly string[])[], first: number): number | null {
  const [heading, data] = [rows[first - 1], rows[first]!];
  const isOne = heading !== undefined && heading.length > 1 && heading.length === data.length;
  return isOne ? first - 1 : null;
}

/**
 * Whether the cells next to the URLs are data, and not parts of URLs that contain the delimiter. No URL contains a tab. Rows
 * that hold nothing but URLs are lists.
 */
function looksLikeData(rows: readonly (readonly string[])[], delimiter: string): boolean {
  const others = rows.flatMap((cells) => cells.filter((cell) => !isUrl(cell)));
  if (others.length === 0) return false;
  if (delimiter === "\t") return true;
  const firsts = new Set(rows.map(([cell]) => cell));
  const isDistinct = firsts.size === rows.length || !others.every((cell) => /^\d+$/.test(cell));
  return isDistinct && others.some((cell) => cell !== "") && others.every((cell) => DATA.test(cell));
}

/** Nothing, a number with its unit, a date, a time, or words with a space between them. */
const DATA =
  /^(?:|[-+(]?\p{Sc}?\d[\d.,' \u00a0]*\)?(?:%|\p{Sc}|[a-z]{1,2})?|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ].*)?|\d{1,2}:\d\d.*|.*\S\s\S.*|n\/a|true|false|yes|no|-)$/isu;

const NAME =
  /^(?:url|uri|address|adresse|page|pages|top pages|landing page|link|loc|location|site url|page url|full url)s?$/i;

function urlColumn(data: readonly (readonly string[])[], names: readonly string[] | null, width: number): number {
  const scores = Array.from({ length: width }, (_, column) => {
    const cells = data.map((row) => row[column] ?? "");
    const whole = cells.filter(isAddress).length;
    const meant = cells.filter((cell) => withHttps(cell) !== null).length;
    // Whole URLs come before names without a scheme, and of equal columns the one whose heading says it, then the first.
    return whole + meant / 1_000_000 + (NAME.test(names?.[column] ?? "") ? 1e-9 : 0);
  });
  return scores.indexOf(Math.max(...scores));
}

function isUrl(text: string): boolean {
  return isAddress(text) || withHttps(text) !== null;
}

export function isBlank(cells: Row["cells"]): boolean {
  return cells.every((cell) => cell.trim() === "");
}

export function isComment(cells: Row["cells"]): boolean {
  return cells[0]!.trimStart().startsWith("#");
}

function mostCommon(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a, one], [b, other]) => other - one || b - a)[0]?.[0] ?? 0;
}
