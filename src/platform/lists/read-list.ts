import { formatNumber } from "../format.ts";
import { ENCODING_BYTES, encodingOf } from "../text-encoding.ts";
import { SITEMAP_LIMITS, UnreadableList } from "./limits.ts";
import { type Column, type List, ListBuilder } from "./list.ts";
import { piecesOf } from "./pieces.ts";
import { atOnce, type Pauses, type Steps, withPauses } from "./steps.ts";
import { TextReader } from "./text-reader.ts";
import { isXml, readXml, XML_CHARACTERS } from "./xml/xml-list.ts";

/** Reads a text. @throws UnreadableList */
export function readList(text: string): List {
  return atOnce(readingList(text));
}

/** Reads the bytes of a file. @throws UnreadableList */
export function readListFile(bytes: Uint8Array): List {
  return readList(textOfFile(bytes));
}

/** Reads a text or the bytes of a file, and pauses in between. @throws UnreadableList */
export async function readListWithPauses(source: string | Uint8Array, pauses: Pauses): Promise<List> {
  return withPauses(readingList(typeof source === "string" ? source : textOfFile(source)), pauses);
}

/** Reads a text in steps. @throws UnreadableList */
export function* readingList(text: string): Steps<List> {
  const reader = new ListReader(Number.POSITIVE_INFINITY);
  for (const piece of piecesOf(text.replace(/^\ufeff/, ""))) {
    yield* reader.writing(piece);
    yield;
  }
  return yield* reader.ending();
}

function textOfFile(bytes: Uint8Array): string {
  return decoderOf(bytes).decode(bytes);
}

/**
 * Reads a list whose bytes come in pieces, and no more of them than it needs.
 * @param most entries that it may have
 * @throws UnreadableList
 */
export async function readListStream(chunks: AsyncIterable<Uint8Array>, most: number): Promise<List> {
  const reader = new ListReader(most);
  let decoder: TextDecoder | null = null;
  let head = new Uint8Array();
  for await (const chunk of chunks) {
    if (decoder) reader.write(decoder.decode(chunk, { stream: true }));
    else {
      head = joined(head, chunk);
      if (head.length < ENCODING_BYTES) continue;
      decoder = decoderOf(head);
      reader.write(decoder.decode(head, { stream: true }));
    }
  }
  reader.write(decoder ? decoder.decode() : decoderOf(head).decode(head));
  return reader.end();
}

/** Reads a text that comes in pieces: XML as a whole, lines and tables as they come. */
class ListReader {
  readonly #most: number;
  readonly #list = new ListBuilder();
  /** The beginning, until it is known whether it is XML; then the XML. */
  #unread = "";
  /** Characters that have come, without blanks at the beginning. */
  #begun = 0;
  #isXml = false;
  #text: TextReader | null = null;

  constructor(most: number) {
    this.#most = most;
  }

  write(piece: string): void {
    atOnce(this.writing(piece));
  }

  *writing(piece: string): Steps<void> {
    if (piece.includes("\0")) throw new UnreadableList("it is no text file");
    if (this.#text) yield* this.#text.writing(piece);
    else {
      this.#unread += piece;
      this.#begun += this.#begun === 0 ? piece.trimStart().length : piece.length;
      if (!this.#isXml && this.#begun >= XML_CHARACTERS) yield* this.#begin();
    }
    if (this.#list.entries > this.#most)
      throw new UnreadableList(`it has more than ${formatNumber(this.#most)} URLs; split it into several files`);
    if (this.#unread.length > SITEMAP_LIMITS.bytes) throw new UnreadableList("it is too large");
  }

  end(): List {
    return atOnce(this.ending());
  }

  *ending(): Steps<List> {
    if (!this.#isXml && !this.#text) yield* this.#begin();
    if (this.#text) {
      yield* this.#text.ending();
      return this.#list.made("text", columnOf(this.#text));
    }
    const list = yield* readXml(this.#unread);
    if (list.urls.length > this.#most)
      throw new UnreadableList(`it has more than ${formatNumber(this.#most)} URLs; split it into several files`);
    return list;
  }

  *#begin(): Steps<void> {
    this.#isXml = isXml(this.#unread);
    if (this.#isXml) return;
    this.#text = new TextReader((address, _, found) => this.#list.add(address, found!), SITEMAP_LIMITS.token);
    for (const piece of piecesOf(this.#unread)) {
      yield* this.#text.writing(piece);
      yield;
    }
    this.#unread = "";
  }
}

/** Files that are chosen by mistake, by what they begin with. */
const KINDS: readonly { readonly signature: readonly number[]; readonly what: string }[] = [
  { signature: [0x50, 0x4b, 3, 4], what: "it is a workbook or an archive; save the table as CSV" },
  { signature: [0xd0, 0xcf, 0x11, 0xe0], what: "it is a workbook; save the table as CSV" },
  { signature: [0x1f, 0x8b], what: "it is compressed; unpack it first" },
  { signature: [0x25, 0x50, 0x44, 0x46], what: "it is a PDF" },
];

/** @throws UnreadableList for what is no text */
function decoderOf(bytes: Uint8Array): TextDecoder {
  const kind = KINDS.find(({ signature }) => signature.every((byte, at) => bytes[at] === byte));
  if (kind) throw new UnreadableList(kind.what);
  const encoding = encodingOf(bytes.subarray(0, ENCODING_BYTES));
  if (encoding === null) throw new UnreadableList("its encoding is not known");
  return new TextDecoder(encoding);
}

function columnOf({ table, heading }: TextReader): Column | null {
  if (table) return { name: table.name, number: table.column + 1, of: table.width };
  return heading === null ? null : { name: heading, number: 1, of: 1 };
}

function joined(one: Uint8Array<ArrayBuffer>, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
