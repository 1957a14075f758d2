import { SaxesParser } from "saxes";
import { formatNumber } from "../../platform/format.ts";
import { DIALECTS, type Dialect } from "./dialects.ts";
import type { OnEntry, Reader } from "./format.ts";
import { lastModifiedOf } from "./last-modified.ts";
import { invalidSitemap, type SitemapLimits } from "./limits.ts";
import { Namespaces } from "./namespaces.ts";
import { END_OF_ENTRY, SCANNED, scanEntry } from "./scan.ts";

/**
 * Parses the XML formats. XML has to be well-formed, except that an undeclared prefix counts as a foreign namespace: half of
 * the sitemaps with images have one. A DOCTYPE is refused, so that there are no entities to expand.
 *
 * saxes parses the document. Between two entries, those in the common form are read by a scanner (scan.ts) instead, which
 * takes a tenth of the time; saxes does not see them.
 *
 * @param isDated whether it reads when pages were last modified: an address is then passed on at the end of its entry
 */
export function xmlReader(onEntry: OnEntry, limits: SitemapLimits, isDated = false): Reader {
  const parser = new Parser();
  const namespaces = new Namespaces();
  const path: string[] = [];
  let dialect: Dialect | undefined;
  let elements = 0;
  let emitted = 0;
  /** Text of the address or date being read, and the depth of its element. */
  let captured: string | null = null;
  let capturedDepth = 0;
  /** What was read of the entry that is open. */
  let pending: string[] = [];
  let modified: number | null = null;
  /** Characters given to the parser, and how many of them it had read at the last event and at the last end tag. */
  let fed = 0;
  let eventAt = 0;
  let closedAt = -1;

  const refuse = (what: string) => invalidSitemap(`${what} (after ${formatNumber(emitted)} addresses)`);
  const refuseLongToken = (position: number) => {
    if (position - eventAt > limits.token) throw refuse("a tag, a comment or a text is too long");
  };
  const onEvent = () => {
    refuseLongToken(parser.position);
    eventAt = parser.position;
  };
  const addText = (text: string) => {
    onEvent();
    if (captured === null || path.length !== capturedDepth) return;
    captured += text;
    if (captured.length > limits.address + 1024) throw refuse("an address is too long");
  };
  const checked = (text: string) => {
    const trimmed = text.trim();
    if (trimmed.length > limits.address) throw refuse("an address is too long");
    emitted += 1;
    return trimmed;
  };
  const emit = (text: string) => {
    const address = checked(text);
    if (isDated && dialect!.entry !== "") pending.push(address);
    else onEntry(address, null);
  };
  const endEntry = () => {
    for (const address of pending) onEntry(address, modified);
    pending = [];
    modified = null;
  };

  parser.on("doctype", () => {
    throw refuse("it has a DOCTYPE, which sitemaps do not need");
  });
  parser.on("comment", onEvent);
  parser.on("processinginstruction", onEvent);
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("opentag", ({ name, attributes }) => {
    onEvent();
    elements += 1;
    if (elements > limits.elements) throw refuse("it has too many elements");
    if (name.length > limits.name) throw refuse("an element has too long a name");
    if (path.length >= limits.depth) throw refuse("its elements are nested too deeply");
    const { local, namespace } = namespaces.enter(name, attributes);
    dialect ??= DIALECTS.find((one) => one.root === local && one.namespace(namespace));
    if (!dialect) throw refuse("its root element is none of urlset, sitemapindex, rss and feed");
    path.push(dialect.namespace(namespace) ? local : "");
    const joined = path.join("/");
    const isAddress = joined === dialect.address;
    if (isAddress && dialect.hrefOf) {
      const href = dialect.hrefOf(attributes);
      if (href !== null) emit(href);
    } else if (isAddress || (isDated && joined === dialect.modified)) {
      captured = "";
      capturedDepth = path.length;
    }
  });
  parser.on("closetag", () => {
    onEvent();
    closedAt = eventAt;
    if (captured !== null && path.length === capturedDepth) {
      if (path.join("/") === dialect!.address) emit(captured);
      else modified = lastModifiedOf(captured);
      captured = null;
    }
    if (isDated && path.join("/") === dialect!.entry) endEntry();
    path.pop();
    namespaces.leave();
  });

  function feed(text: string | null) {
    try {
      parser.write(text);
    } catch (thrown) {
      throw thrown instanceof NotWellFormed ? refuse("it is not well-formed XML") : thrown;
    }
    fed += text?.length ?? 0;
    refuseLongToken(fed);
  }

  /** Whether the parser's input ended with an end tag and only the root is open, so that nothing is buffered or half read. */
  const isBetweenEntries = () => path.length === 1 && closedAt === fed;
  const hasScannedEntries = () =>
    dialect?.format === "urlset" &&
    dialect.namespace(namespaces.default) &&
    limits.depth >= SCANNED.depth &&
    limits.name >= SCANNED.name;

  /** @returns the position where the parser has to go on */
  function scan(text: string, from: number): number {
    let at = from;
    for (let entry = scanEntry(text, at, isDated); entry !== null; entry = scanEntry(text, at, isDated)) {
      const isLong = entry.end - at > limits.token || entry.address.length > limits.address;
      if (isLong || elements + entry.elements > limits.elements) break;
      elements += entry.elements;
      onEntry(checked(entry.address), entry.modified === null ? null : lastModifiedOf(entry.modified));
      at = entry.end;
    }
    return at;
  }

  return {
    write(text) {
      for (let at = 0; at < text.length; ) {
        if (isBetweenEntries() && hasScannedEntries()) at = scan(text, at);
        const tag = text.indexOf(END_OF_ENTRY, at);
        const end = tag === -1 ? text.length : tag + END_OF_ENTRY.length;
        feed(text.slice(at, end));
        at = end;
      }
    },
    end() {
      feed(null);
      return dialect!.format;
    },
  };
}

/** Replaces the parser's errors, which quote the document. */
class NotWellFormed extends Error {}

/**
 * Throws errors without a handler of `error`. That would be the eighth handler, and with eight V8 keeps the parser's fields
 * in a hash table, which takes seven times as long.
 */
class Parser extends SaxesParser {
  override fail(): never {
    throw new NotWellFormed();
  }
}
