import type { ListFormat, OnEntry, Reader } from "../format.ts";
import type { SitemapLimits } from "../limits.ts";
import { EntryOutput } from "./entry-output.ts";
import { lastModifiedOf } from "./last-modified.ts";
import { OpenElements } from "./open-elements.ts";
import { END_OF_ENTRY, scanEntry } from "./scan.ts";
import { type XmlHandler, XmlParser } from "./xml-parser.ts";

/**
 * Parses the XML formats. XML has to be well-formed, except that an undeclared prefix counts as a foreign namespace, since
 * many sitemaps with images have one. A DOCTYPE is refused, so that there are no entities to expand.
 *
 * Entries in the common form are read by a scanner (scan.ts), which is much faster than the parser. The parser reads
 * everything else, and does not see the entries that were scanned.
 *
 * @param isDated whether it also reads when pages were last modified
 */
export function xmlReader(onEntry: OnEntry, limits: SitemapLimits, isDated = false): Reader {
  return new XmlReader(onEntry, limits, isDated);
}

class XmlReader implements Reader, XmlHandler {
  readonly #limits: SitemapLimits;
  readonly #isDated: boolean;
  readonly #output: EntryOutput;
  readonly #open: OpenElements;
  readonly #parser: XmlParser;
  /** The text of the open element, if it holds an address or a date. Texts of elements inside of it are left out. */
  #captured: { text: string; readonly depth: number } | null = null;
  /** Of the open entry, for formats that have a substitute. */
  #addresses: string[] = [];
  /** Elements with an address in the open entry. */
  #addressCount = 0;
  #substitute: string | null = null;

  constructor(onEntry: OnEntry, limits: SitemapLimits, isDated: boolean) {
    this.#limits = limits;
    this.#isDated = isDated;
    this.#output = new EntryOutput(onEntry, limits.address);
    this.#open = new OpenElements(limits, (what) => this.refusal(what));
    this.#parser = new XmlParser(this, limits);
  }

  write(text: string): void {
    for (let at = 0; at < text.length; ) {
      if (this.#parser.isAfterEndTag && this.#open.takesScannedEntries) at = this.#scan(text, at);
      const tag = text.indexOf(END_OF_ENTRY, at);
      const end = tag === -1 ? text.length : tag + END_OF_ENTRY.length;
      this.#parser.write(text.slice(at, end));
      at = end;
    }
  }

  end(): ListFormat {
    this.#parser.end();
    return this.#open.dialect!.format;
  }

  refusal(what: string): Error {
    return this.#output.refusal(what);
  }

  onDoctype(): void {
    throw this.refusal("it has a DOCTYPE, which sitemaps do not need");
  }

  onOpenTag(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#open.enter(name, attributes);
    const { path, depth } = this.#open;
    const { address, modified, hrefOf, substitute } = this.#open.dialect!;
    if (path === address) this.#countAddress();
    if (path === address && hrefOf) {
      const href = hrefOf(attributes);
      if (href !== null) this.#emit(href);
    } else if (
      path === address ||
      (this.#isDated && path === modified) ||
      (path === substitute?.path && substitute.isAddress(attributes))
    ) {
      this.#captured = { text: "", depth };
    }
  }

  onText(text: string): void {
    if (this.#captured?.depth !== this.#open.depth) return;
    this.#captured.text += text;
    if (this.#captured.text.length > this.#limits.address + 1024) throw this.refusal("an address is too long");
  }

  onCloseTag(): void {
    const { path, depth } = this.#open;
    const { address, entry, substitute } = this.#open.dialect!;
    if (this.#captured?.depth === depth) {
      const { text } = this.#captured;
      if (path === address && substitute) this.#addresses.push(text);
      else if (path === address) this.#emit(text);
      else if (path === substitute?.path) this.#substitute = text;
      else this.#output.setModified(lastModifiedOf(text));
      this.#captured = null;
    }
    if (path === entry) this.#endEntry();
    this.#open.leave();
  }

  /** Its addresses are kept until it ends. */
  #countAddress(): void {
    if (this.#open.dialect!.entry === "") return;
    this.#addressCount += 1;
    if (this.#addressCount > this.#limits.addresses) throw this.refusal("an entry has too many addresses");
  }

  #endEntry(): void {
    const isMissing = this.#addresses.every((address) => address.trim() === "");
    const hasSubstitute = this.#substitute !== null && /^\s*https?:\/\//i.test(this.#substitute);
    for (const address of isMissing && hasSubstitute ? [this.#substitute!] : this.#addresses) this.#emit(address);
    this.#addresses = [];
    this.#addressCount = 0;
    this.#substitute = null;
    if (this.#isDated) this.#output.endEntry();
  }

  #emit(text: string): void {
    const isInEntry = this.#open.dialect!.entry !== "";
    if (this.#isDated && isInEntry) this.#output.keep(text);
    else this.#output.pass(text, null);
  }

  /** Reads entries in the common form. @returns the position where the parser has to go on */
  #scan(text: string, from: number): number {
    const { address, token } = this.#limits;
    let at = from;
    for (let entry = scanEntry(text, at, this.#isDated); entry !== null; entry = scanEntry(text, at, this.#isDated)) {
      const isLong = entry.end - at > token || entry.address.length > address;
      if (isLong || !this.#open.hasRoomFor(entry.elements)) break;
      this.#open.count(entry.elements);
      this.#output.pass(entry.address, entry.modified === null ? null : lastModifiedOf(entry.modified));
      at = entry.end;
    }
    return at;
  }
}
