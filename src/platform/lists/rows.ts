import Papa from "papaparse";

/** A row of a table. */
export interface Row {
  readonly cells: readonly string[];
  /** The line on which it begins, from 1. */
  readonly line: number;
}

/** Most characters of a row. A quotation mark that is not closed within them is a character like any other. */
const MOST = 64 * 1024;
/** After so many rows whose quotation marks do not fit together, quotation marks mean nothing in this table. */
const MOST_TORN = 500;

/**
 * Reads the rows of a table (RFC 4180) from text that comes in pieces. A row whose quotation marks do not fit together ends with its line,
 * so that it takes no other row with it.
 */
export class RowReader {
  readonly #delimiter: string;
  readonly #wholeRow: RegExp;
  #rest = "";
  #line: number;
  #torn = 0;

  /** @param line of the first row */
  constructor(delimiter: string, line = 1) {
    this.#delimiter = delimiter;
    this.#wholeRow = wholeRow(delimiter);
    this.#line = line;
  }

  /**
   * @param text whose lines end with a line feed
   * @param isLast whether no more comes
   */
  read(text: string, isLast: boolean): Row[] {
    this.#rest += text;
    const rows: Row[] = [];
    let at = 0;
    while (at < this.#rest.length && (isLast || this.#rest.length - at > MOST)) {
      const piece = this.#rest.slice(at, at + MOST);
      const parsed = this.#parse(piece, isLast && at + MOST >= this.#rest.length);
      for (const cells of parsed.rows) {
        rows.push({ cells, line: this.#line });
        this.#line += 1 + lineEndsIn(cells);
      }
      at += parsed.length;
      if (parsed.isWhole) continue;
      const end = this.#rest.indexOf("\n", at);
      const line = this.#rest.slice(at, end === -1 ? undefined : end);
      if (end === -1 && !isLast) break;
      rows.push({ cells: line.split(this.#delimiter), line: this.#line });
      this.#torn += 1;
      this.#line += 1;
      at += line.length + 1;
    }
    this.#rest = this.#rest.slice(at);
    return rows;
  }

  /** The whole rows that a piece begins with, how long they are, and whether the row after them may be whole as well. */
  #parse(piece: string, isEnd: boolean): { rows: string[][]; length: number; isWhole: boolean } {
    const rows: string[][] = [];
    let length = 0;
    let isWhole = true;
    // The parser reads a torn row to the end of the piece. Where one was torn others follow, so they are kept from it.
    const end = this.#torn === 0 ? piece.length : this.#endOfWholeRows(piece);
    if (end === 0) return { rows, length, isWhole: false };
    const parser = new Papa.Parser({
      delimiter: this.#delimiter,
      newline: "\n",
      fastMode: false,
      step: ({ data, errors, meta }: Papa.ParseStepResult<string[]>) => {
        if (errors.length > 0) {
          isWhole = false;
          parser.abort();
          return;
        }
        rows.push(...(data as unknown as string[][]));
        length = meta.cursor;
      },
    });
    parser.parse(piece.slice(0, end), 0, !isEnd || end < piece.length);
    return { rows, length, isWhole: isWhole && (length > 0 || isEnd) };
  }

  #endOfWholeRows(piece: string): number {
    if (this.#torn >= MOST_TORN) return 0;
    let end = 0;
    for (this.#wholeRow.lastIndex = 0; this.#wholeRow.test(piece); ) end = this.#wholeRow.lastIndex;
    return end;
  }
}

/** A row whose quotation marks fit together. */
function wholeRow(delimiter: string): RegExp {
  const d = `\\u${delimiter.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const cell = `(?:"(?:[^"]|"")*"\\s*(?=[${d}\\n])|(?!")[^${d}\\n]*)`;
  return new RegExp(`${cell}(?:${d}${cell})*\\n`, "y");
}

function lineEndsIn(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + cell.split("\n").length - 1, 0);
}
