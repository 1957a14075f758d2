/** Most bytes of a record. A longer one is not kept in memory. */
const MAX_RECORD = 64 * 1024;

const NOTHING = Buffer.alloc(0);
const BLANK = 0x20;
const [NEWLINE, QUOTE, BACKSLASH, OPEN, CLOSE, LIST] = [...'\n"\\{}['].map((mark) => mark.charCodeAt(0));

/**
 * Divides a log into its records as it comes: lines, or the objects of one JSON list, as some services send it.
 * @param take gets each record; null for one that is too long
 */
export class RecordSplitter {
  readonly #take: (record: string | null) => void;
  /** Decided by the first two bytes that are not blank. */
  #isList: boolean | null = null;
  #head: Buffer = NOTHING;
  /** The record under way, in pieces. */
  #pieces: Buffer[] = [];
  #size = 0;
  /** Of a list: how many objects are open, and whether a text is. */
  #depth = 0;
  #isText = false;
  #isEscaped = false;

  constructor(take: (record: string | null) => void) {
    this.#take = take;
  }

  write(chunk: Buffer): void {
    if (this.#isList === null) this.#begin(chunk);
    else this.#divide(chunk);
  }

  /** The last record needs no end of its line. */
  end(): void {
    if (this.#isList === null) this.#writeLines(this.#head);
    this.#cut();
  }

  /** A line may begin with a bracket, too, where the beginning of a log is cut off: a list has an object in it. */
  #begin(chunk: Buffer): void {
    const bytes = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    const first = bytes.findIndex((byte) => byte > BLANK);
    const second = first === -1 ? -1 : bytes.subarray(first + 1).findIndex((byte) => byte > BLANK);
    const mayBeList = bytes[first] === LIST;
    this.#head = mayBeList && second === -1 ? bytes.subarray(first, first + 1) : NOTHING;
    if (first === -1 || this.#head.length > 0) return;
    this.#isList = mayBeList && bytes[first + 1 + second] === OPEN;
    this.#divide(bytes);
  }

  #divide(chunk: Buffer): void {
    if (this.#isList) this.#writeList(chunk);
    else this.#writeLines(chunk);
  }

  #writeLines(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE!); at !== -1; at = chunk.indexOf(NEWLINE!, from)) {
      this.#keep(chunk.subarray(from, at));
      this.#cut();
      from = at + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  #writeList(chunk: Buffer): void {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (this.#isText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#isText = false;
      } else if (byte === QUOTE) this.#isText = this.#depth > 0;
      else if (byte === OPEN) {
        if (this.#depth++ === 0) from = at;
      } else if (byte === CLOSE && this.#depth > 0 && --this.#depth === 0) {
        this.#keep(chunk.subarray(from, at + 1));
        this.#cut();
      }
    }
    if (this.#depth > 0) this.#keep(chunk.subarray(from));
  }

  #keep(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#size <= MAX_RECORD) this.#pieces.push(piece);
    else this.#pieces = [];
  }

  #cut(): void {
    const [only, ...more] = this.#pieces;
    const record = more.length === 0 ? only : Buffer.concat(this.#pieces);
    if (this.#size > MAX_RECORD) this.#take(null);
    else if (record) {
      const text = record.toString("utf8").trim();
      if (text !== "") this.#take(text);
    }
    this.#pieces = [];
    this.#size = 0;
  }
}
