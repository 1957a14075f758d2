import { SaxesParser } from "saxes";
import { Refusal } from "../errors.ts";
import { DIALECTS, type Dialect } from "./dialects.ts";
import type { Reader } from "./format.ts";
import { invalidSitemap, type SitemapLimits } from "./limits.ts";
import { Namespaces } from "./namespaces.ts";

/**
 * The XML formats. Strict about XML itself, except that a prefix nobody declared is a foreign one: it stands
 * in half the sitemaps with images. A DOCTYPE is refused, so there are no entities to expand.
 */
export function xmlReader(onEntry: (address: string) => void, limits: SitemapLimits): Reader {
  const parser = new SaxesParser();
  const namespaces = new Namespaces();
  const path: string[] = [];
  let dialect: Dialect | undefined;
  let elements = 0;
  /** Text of the address being read, and the depth of its element. */
  let address: string | null = null;
  let addressDepth = 0;
  let written = 0;
  let lastEvent = 0;

  const refuse = (what: string) => invalidSitemap(`${what} (line ${parser.line})`);
  const mark = () => {
    lastEvent = written;
  };
  const addText = (text: string) => {
    mark();
    if (address === null || path.length !== addressDepth) return;
    address += text;
    if (address.length > limits.address + 1024) throw refuse("an address is too long");
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
    if (address !== null && path.length === addressDepth) {
      tell(address);
      address = null;
    }
    path.pop();
    namespaces.leave();
  });

  function tell(text: string) {
    const trimmed = text.trim();
    if (trimmed.length > limits.address) throw refuse("an address is too long");
    onEntry(trimmed);
  }

  /** The parser's own complaints quote the document, so only the line is kept. */
  function guarded(work: () => void) {
    try {
      work();
    } catch (thrown) {
      throw thrown instanceof Refusal ? thrown : refuse("it is not well-formed XML");
    }
  }

  return {
    write(text) {
      guarded(() => parser.write(text));
      written += text.length;
      if (written - lastEvent > limits.token) throw refuse("a tag, a comment or a text is too long");
    },
    end() {
      guarded(() => parser.close());
      return dialect!.format;
    },
  };
}
