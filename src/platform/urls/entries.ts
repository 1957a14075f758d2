/** Texts and files that people give as a list of URLs. This module runs in browsers too. */

/** An entry of a text, which should be a URL, and its line, counted from 1. */
export interface Entry {
  readonly text: string;
  readonly line: number;
}

/** How a text is to be read: one URL per line, a table with one URL per row, or a sitemap. */
export type ListFormat = "lines" | "csv" | "xml";

export function formatOf(fileName: string): ListFormat {
  const [, ending = ""] = /\.(csv|xml)$/i.exec(fileName) ?? [];
  return ending === "" ? "lines" : (ending.toLowerCase() as ListFormat);
}

/** The entries of a text. Empty lines are none. */
export function entriesOf(text: string, format: ListFormat = "lines"): Entry[] {
  const plain = text.startsWith("\uFEFF") ? text.slice(1) : text;
  if (format === "xml" || /^\s*<(?:\?xml|urlset|sitemapindex)\b/.test(plain)) return locationsIn(plain);
  return format === "csv" ? rowsOf(plain) : linesOf(plain);
}

/** The entries as text with one per line, for a field that a user can edit. */
export function linesText(entries: readonly Entry[]): string {
  return entries.map(({ text }) => text).join("\n");
}

function linesOf(text: string): Entry[] {
  const entries: Entry[] = [];
  let line = 0;
  for (const raw of text.split(LINE_END)) {
    line += 1;
    // Rows pasted from a spreadsheet have tabs between their cells, and no URL contains a tab.
    const entry = raw.includes("\t") ? (urlIn(raw.split("\t")) ?? raw.trim()) : raw.trim();
    if (entry !== "") entries.push({ text: entry, line });
  }
  return entries;
}

const LINE_END = /\r\n|\n|\r/;

/** The first URL of each row. A first row without one is the heading. */
function rowsOf(text: string): Entry[] {
  const lines = text.split(LINE_END);
  const separator = separatorOf(lines[0]!);
  const entries: Entry[] = [];
  lines.forEach((raw, at) => {
    const url = urlIn(cellsOf(raw, separator));
    if (url === undefined && (at === 0 || raw.trim() === "")) return;
    entries.push({ text: url ?? raw.trim(), line: at + 1 });
  });
  return entries;
}

function separatorOf(heading: string): string {
  return [";", "\t"].find((one) => heading.split(one).length > heading.split(",").length) ?? ",";
}

/** RFC 4180, but a quoted cell ends with its line. */
function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) {
      cells.push(cell);
      cell = "";
    } else cell += character;
  }
  return [...cells, cell];
}

function urlIn(cells: readonly string[]): string | undefined {
  return cells.map((cell) => cell.trim()).find((cell) => /^https?:\/\//i.test(cell));
}

/** The contents of the `loc` elements of a sitemap (sitemaps.org/protocol.html). */
function locationsIn(xml: string): Entry[] {
  const entries: Entry[] = [];
  let line = 1;
  let counted = 0;
  for (const match of xml.matchAll(/<loc>\s*(?:<!\[CDATA\[)?([^<]*?)(?:\]\]>)?\s*<\/loc>/g)) {
    line += xml.slice(counted, match.index).split("\n").length - 1;
    counted = match.index;
    entries.push({ text: match[1]!.trim().replace(/&(amp|lt|gt|quot|apos);/g, (_, name) => ENTITIES[name]!), line });
  }
  return entries;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
