import { SaxesParser } from "saxes";
import { formatNumber } from "../../platform/format.ts";
import { DIALECTS, type Dialect } from "./dialects.ts";
import type { Reader } from "./format.ts";
import { invalidSitemap, type SitemapLimits } from "./limits.ts";
import { Namespaces } from "./namespaces.ts";
import { END_OF_ENTRY, SCANNED, scanEntry } from "./scan.ts";

/**
 * The XML formats. Strict about XML itself, except that a prefix nobody declared is a foreign one: it stands
 * in half the sitemaps with images. A DOCTYPE is refused, so there are no entities to expand.
 *
 * What is said of a document is what saxes finds in it. Entries of the common shape are taken by a scanner,
 * at a tenth of the cost, and only where saxes stands directly behind an entry; it never hears of them.
 */
export function xmlReader(onEntry: (address: string) => void, limits: SitemapLimits): Reader {
  const parser = new Parser();
  const namespaces = new Namespaces();
  const path: string[] = [];
  let dialect: Dialect | undefined;
  let elements = 0;
  let told = 0;
  /** Text of the address being read, and the depth of its element. */
  let address: string | null = null;
  let addressDepth = 0;
  /** Characters the parser was given, and how many of them it had read at the last event and the last end tag. */
  let fed = 0;
  let eventAt = 0;
  let closedAt = -1;

  const refuse = (what: string) => invalidSitemap(`${what} (after ${formatNumber(told)} addresses)`);
  const holdLess = (position: number) => {
    if (position - eventAt > limits.token) throw refuse("a tag, a comment or a text is too long");
  };
  const mark = () => {
    holdLess(parser.position);
    eventAt = parser.position;
  };
  const addText = (text: string) => {
    mark();
    if (address === null || path.length !== addressDepth) return;
    address += text;
    if (address.length > limits.address + 1024) throw refuse("an address is too long");
  };
  const tell = (text: string) => {
    const trimmed = text.trim();
    if (trimmed.length > limits.address) throw refuse("an address is too long");
    told += 1;
    onEntry(trimmed);
  };

  parser.on("doctype", () => {
    throw refuse("it has a DOCTYPE, which sitemaps do not need");
  });
  parser.on("comment", mark);
  parser.on("processinginstruction", mark);
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("opentag", ({ name, attributes }) => {
    mark();
    elements += 1;
    if (elements > limits.elements) throw refuse("it has too many elements");
    if (name.length > limits.name) throw refuse("an element has too long a name");
    if (path.length >= limits.depth) throw refuse("its elements are nested too deeply");
    const { local, namespace } = namespaces.enter(name, attributes);
    dialect ??= DIALECTS.find((one) => one.root === local && one.namespace(namespace));
    if (!dialect) throw refuse("its root element is none of urlset, sitemapindex, rss and feed");
    path.push(dialect.namespace(namespace) ? local : "");
    if (path.join("/") !== dialect.address) return;
    if (dialect.hrefOf) {
      const href = dialect.hrefOf(attributes);
      if (href !== null) tell(href);
    } else {
      address = "";
      addressDepth = path.length;
    }
  });
  parser.on("closetag", () => {
    mark();
    closedAt = eventAt;
    if (address !== null && path.length === addressDepth) {
      tell(address);
      address = null;
    }
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
    holdLess(fed);
  }

  /** The last thing the parser read is an end tag, and only the root is open: nothing is held back or half read. */
  const isBetweenEntries = () => path.length === 1 && closedAt === fed;
  const hasScannedEntries = () =>
    dialect?.format === "urlset" &&
    dialect.namespace(namespaces.default) &&
    limits.depth >= SCANNED.depth &&
    limits.name >= SCANNED.name;

  /** @returns where it stopped: at what only the parser can judge */
  function scan(text: string, from: number): number {
    let at = from;
    for (let entry = scanEntry(text, at); entry !== null; entry = scanEntry(text, at)) {
      const isLong = entry.end - at > limits.token || entry.address.length > limits.address;
      if (isLong || elements + entry.elements > limits.elements) break;
      elements += entry.elements;
      tell(entry.address);
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

/** In our words: the parser's own quote the document. */
class NotWellFormed extends Error {}

/**
 * Complains without a handler of `error`, which would be the eighth: from there on V8 keeps the parser's fields in
 * a hash table, and it takes seven times as long.
 */
class Parser extends SaxesParser {
  override fail(): never {
    throw new NotWellFormed();
  }
}
