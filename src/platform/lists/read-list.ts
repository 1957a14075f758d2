import { SIZES } from "../limits.ts";
import { codePoints } from "../text.ts";
import { INVALID_REASONS, invalidReason, UrlListBuilder } from "../urls/urls.ts";
import { privateHost, withHttps } from "./addresses.ts";
import { decoded } from "./encoding.ts";
import type { Found, ListFormat, OnEntry, Reader } from "./format.ts";
import { SITEMAP_LIMITS, UnreadableList } from "./limits.ts";
import { TextReader } from "./text-reader.ts";
import { xmlReader } from "./xml/xml-reader.ts";

/** What a pasted text or a file comes to: urls + duplicates + refused + offered = entries. */
export interface List {
  /** An index lists sitemaps and not pages: it has no entries. */
  readonly format: ListFormat;
  /** The URLs as they are written, each once. */
  readonly urls: readonly string[];
  readonly duplicates: number;
  readonly refused: readonly Refused[];
  /** Addresses without a scheme, each with the URL that was probably meant. */
  readonly offered: readonly Offered[];
  /** The column that was read, if the list is a table or has a heading. */
  readonly column: Column | null;
  /** How many sitemaps an index lists. */
  readonly sitemaps: number;
}

export interface Refused {
  readonly line: number;
  readonly text: string;
  readonly reason: RefusalReason;
}

export interface Offered {
  readonly line: number;
  readonly text: string;
  readonly url: string;
}

export interface Column {
  /** Null if it has no heading. */
  readonly name: string | null;
  /** From 1. */
  readonly number: number;
  /** Number of columns. */
  readonly of: number;
}

/** Why an entry of a pasted text or a file is not taken. */
export const REFUSAL_REASONS = {
  ...INVALID_REASONS,
  not_absolute: "it does not begin with http:// or https://",
  more_cells: "it has more cells than the table has columns: put quotation marks around cells with the separator",
  item_too_long: "it is longer than 4,096 characters",
  private_host: "its host is in a private network",
  bare_host: "its host has no domain",
} as const;
export type RefusalReason = keyof typeof REFUSAL_REASONS;

/** Reads a text. @throws UnreadableList, which names the line */
export function readList(text: string): List {
  const body = text.replace(/^\ufeff/, "");
  if (isXml(body)) return readXml(body);
  const list = new ListBuilder();
  const reader = new TextReader((address, _, found) => list.add(address, found!), Number.POSITIVE_INFINITY);
  reader.write(body);
  return list.made(reader.end(), columnOf(reader));
}

/** Reads the bytes of a file. @throws UnreadableList */
export function readListFile(bytes: Uint8Array, contentType?: string): List {
  const kind = KINDS.find(({ signature }) => signature.every((byte, at) => bytes[at] === byte));
  if (kind) throw new UnreadableList(kind.what);
  const text = decoded(bytes, contentType);
  if (text === null) throw new UnreadableList("its encoding is not known");
  if (text.includes("\0")) throw new UnreadableList("it is no text file");
  return readList(text);
}

/** Files that are chosen by mistake, by what they begin with. */
const KINDS: readonly { readonly signature: readonly number[]; readonly what: string }[] = [
  { signature: [0x50, 0x4b, 3, 4], what: "it is a workbook or an archive; save the table as CSV" },
  { signature: [0xd0, 0xcf, 0x11, 0xe0], what: "it is a workbook; save the table as CSV" },
  { signature: [0x1f, 0x8b], what: "it is compressed; unpack it first" },
  { signature: [0x25, 0x50, 0x44, 0x46], what: "it is a PDF" },
];

/** Whether a text is XML, and not a line that begins with an address in angle brackets. */
export function isXml(text: string): boolean {
  return /^\s*<(?!\s*(?:https?:|www\.))/i.test(text);
}

/** Reads XML at once, and once more line by line if there is something whose line has to be said. */
function readXml(text: string): List {
  try {
    const list = readPieces([text.trimStart()]);
    if (list.refused.length + list.offered.length === 0) return list;
  } catch (thrown) {
    if (!(thrown instanceof UnreadableList)) throw thrown;
  }
  return readPieces(text.split(/(?<=\n)/));
}

function readPieces(pieces: readonly string[]): List {
  const list = new ListBuilder();
  let line = 0;
  const onEntry: OnEntry = (address) => list.add(address, { line });
  const reader: Reader = xmlReader(onEntry, SITEMAP_LIMITS);
  try {
    for (const piece of pieces) {
      line += 1;
      // Nothing may stand before the declaration.
      if (piece.trim() !== "" || list.entries > 0) reader.write(piece);
    }
    const format = reader.end();
    return format === "index" ? new ListBuilder().made(format, null, list.entries) : list.made(format, null);
  } catch (thrown) {
    throw thrown instanceof UnreadableList ? new UnreadableList(`${thrown.what}, in line ${line}`) : thrown;
  }
}

function columnOf({ table, heading }: TextReader): Column | null {
  if (table) return { name: table.name, number: table.column + 1, of: table.width };
  return heading === null ? null : { name: heading, number: 1, of: 1 };
}

/** Collects the entries of a list, and decides on each. */
class ListBuilder {
  readonly #builder = new UrlListBuilder();
  readonly #urls: string[] = [];
  readonly #refused: Refused[] = [];
  readonly #offered: Offered[] = [];
  entries = 0;

  add(text: string, { line, problem }: Found): void {
    this.entries += 1;
    const reason = problem ?? (text.includes("\ufffd") ? "not_decodable" : this.#take(text));
    if (reason === null) return;
    // The host before a port looks like a scheme.
    const url = reason === "not_absolute" || reason === "other_scheme" ? withHttps(text) : null;
    if (url === null) this.#refused.push({ line, text, reason });
    else this.#offered.push({ line, text, url });
  }

  made(format: ListFormat, column: Column | null, sitemaps = 0): List {
    const [urls, refused, offered] = [this.#urls, this.#refused, this.#offered];
    const duplicates = this.entries - urls.length - refused.length - offered.length;
    return { format, urls, duplicates, refused, offered, column, sitemaps };
  }

  /** @returns null for a URL */
  #take(text: string): RefusalReason | null {
    if (text.length > SIZES.urlLength && codePoints(text) > SIZES.urlLength) return "item_too_long";
    const { invalid } = this.#builder;
    const isNew = this.#builder.add(text);
    if (this.#builder.invalid > invalid) return invalidReason(text);
    const reason = privateHost(text);
    if (reason === null && isNew) this.#urls.push(text);
    return reason;
  }
}
