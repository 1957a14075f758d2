import type { OnEntry, Reader } from "./format.ts";
import { UnreadableList } from "./limits.ts";
import { cellItem, type Item, itemsOf } from "./line-items.ts";
import { type Row, RowReader } from "./rows.ts";
import { atOnce, type Steps } from "./steps.ts";
import { isBlank, isComment, type Table, tableIn } from "./table-layout.ts";

/** Characters by which it is decided whether a text is a table. */
const HEAD = 64 * 1024;

/** Lines, entries or rows that are read in one step. */
const STEP = 64;

/** `sep=;` in the first line, by which Excel is told the delimiter. */
const SEP = /^[\s\ufeff]*sep=(\t|[^\w\s"])\s*\n/i;

/** Headings of a list with one column. */
const HEADING = /^(?:urls?|uris?|address(?:es)?|pages?|top pages|links?|loc|location)$/i;

/** Characters of a line with a heading and what may surround it. */
const LONGEST_HEADING = 256;

/** The heading of a list with one column, where a line is nothing else. */
function headingIn(line: string): string | null {
  if (line.length > LONGEST_HEADING) return null;
  const [item, ...others] = itemsOf(line);
  return item && others.length === 0 && HEADING.test(item.text) ? item.text : null;
}

/** Reads a table with a URL in each row, or a list of lines, from text that comes in pieces. */
export class TextReader implements Reader {
  readonly #onEntry: OnEntry;
  readonly #maxLine: number;
  /** What is not read yet: the beginning until the layout is known, then the last line. */
  #rest = "";
  /** A carriage return at the end of what came, which may be the first half of a line end. */
  #half = "";
  #line = 0;
  #isHeadRead = false;
  #table: Table | null = null;
  #rows: RowReader | null = null;
  #heading: string | null = null;
  /** Whether no entry was found yet. */
  #isFirst = true;
  /** Lines, entries and rows that were read. */
  #taken = 0;

  /** @param maxLine most characters of a line */
  constructor(onEntry: OnEntry, maxLine: number) {
    this.#onEntry = onEntry;
    this.#maxLine = maxLine;
  }

  /** Known at the end; null for a list of lines. */
  get table(): Table | null {
    return this.#table;
  }

  /** The heading of a list with one column; null if it has none. */
  get heading(): string | null {
    return this.#heading;
  }

  write(text: string): void {
    atOnce(this.writing(text));
  }

  *writing(text: string): Steps<void> {
    const whole = this.#half + text;
    this.#half = whole.endsWith("\r") ? "\r" : "";
    const added = (this.#half ? whole.slice(0, -1) : whole).replace(/\r\n?/g, "\n");
    this.#rest += added;
    if (!this.#isHeadRead && this.#rest.length >= HEAD) this.#readHead(this.#rest.slice(0, HEAD).lastIndexOf("\n") + 1);
    if (this.#isHeadRead) yield* this.#read(this.#endOfLines(added));
  }

  end(): "text" {
    atOnce(this.ending());
    return "text";
  }

  *ending(): Steps<void> {
    this.#rest += "\n";
    if (!this.#isHeadRead) this.#readHead(this.#rest.length);
    yield* this.#read(this.#rest.length);
    yield* this.#takeRows("", true);
  }

  #readHead(to: number): void {
    this.#isHeadRead = true;
    const [line = "", delimiter = null] = SEP.exec(this.#rest.slice(0, to)) ?? [];
    this.#rest = this.#rest.slice(line.length);
    this.#line = line === "" ? 0 : 1;
    this.#table = tableIn(this.#rest.slice(0, to - line.length), delimiter, this.#line + 1);
    if (this.#table) this.#rows = new RowReader(this.#table.delimiter, this.#line + 1);
  }

  *#read(to: number): Steps<void> {
    const text = this.#rest.slice(0, to);
    this.#rest = this.#rest.slice(to);
    if (this.#rows) yield* this.#takeRows(text, false);
    else if (to > 0) for (const line of text.slice(0, -1).split("\n")) yield* this.#takeLine(line);
    if (this.#rest.length > this.#maxLine) throw new UnreadableList(`line ${this.#line + 1} is too long`);
  }

  *#takeLine(line: string): Steps<void> {
    this.#line += 1;
    if (this.#isStep()) yield;
    if (this.#isFirst && this.#heading === null) {
      this.#heading = headingIn(line);
      if (this.#heading !== null) return;
    }
    for (const item of itemsOf(line)) {
      this.#isFirst = false;
      this.#emit(item, this.#line);
      if (this.#isStep()) yield;
    }
  }

  *#takeRows(text: string, isLast: boolean): Steps<void> {
    for (const row of this.#rows?.read(text, isLast) ?? []) {
      yield* this.#takeRow(row);
      if (this.#isStep()) yield;
    }
  }

  /** @param added the end of what is not read: only the beginning of a text can have lines before it */
  #endOfLines(added: string): number {
    if (this.#line === 0 && !this.#rows) return this.#rest.lastIndexOf("\n") + 1;
    const end = added.lastIndexOf("\n") + 1;
    return end === 0 ? 0 : this.#rest.length - added.length + end;
  }

  #isStep(): boolean {
    return ++this.#taken % STEP === 0;
  }

  *#takeRow({ cells, line }: Row): Steps<void> {
    const { column, width, delimiter, headingLine } = this.#table!;
    if (isBlank(cells) || isComment(cells) || line === headingLine) return;
    if (cells.length === 1) {
      for (const item of itemsOf(cells[0]!)) {
        this.#emit(item, line);
        if (this.#isStep()) yield;
      }
      return;
    }
    const item = cellItem(cells[column] ?? "");
    // Where a cell with the delimiter is not quoted, nobody knows where the URL ends.
    const isTorn = cells.length > width && delimiter !== "\t" && !isBlank(cells.slice(width));
    const problem = isTorn ? "more_cells" : item.text === "" ? "empty_cell" : undefined;
    const row = () => cells.join(delimiter).replace(/\s+/g, " ").trim();
    this.#emit(problem ? { text: row(), problem } : item, line);
  }

  #emit({ text, problem }: Item, line: number): void {
    this.#onEntry(text, null, { line, problem: text.includes("\ufffd") ? "not_decodable" : problem });
  }
}
