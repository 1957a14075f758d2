/** A whole `<url>` element in the common form. */
export interface Entry {
  /** Position after its end tag. */
  readonly end: number;
  /** As written, with entities decoded and not trimmed. */
  readonly address: string;
  /** The text of its `<lastmod>`; null if it has none. */
  readonly modified: string | null;
  /** Number of elements, itself included. */
  readonly elements: number;
}

/**
 * The greatest depth of an entry, counted with the root, and the greatest length of its names. If the limits are
 * lower, a parser has to read the entry.
 */
export const SCANNED = { depth: 4, name: 41 } as const;

export const END_OF_ENTRY = "</url>";

const SPACE = "[ \\t\\r\\n]";
/**
 * Characters without a special meaning in XML 1.0 and 1.1. The carriage return is left out, because XML turns it into
 * a line feed. Surrogates are left out, because they would have to be checked in pairs.
 */
const PLAIN = "[^<>&\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u2028\\ud800-\\udfff\\ufffe\\uffff]";
const QUOTED = PLAIN.replace("<", '<"');
const UNESCAPED = PLAIN.replace("&", "");

const escaped = (plain: string) => `${plain}*(?:&amp;${plain}*)*`;
const CDATA = `<!\\[CDATA\\[${UNESCAPED}*\\]\\]>`;
const TEXT = `${escaped(PLAIN)}(?:${CDATA}${escaped(PLAIN)})?`;
const NAME = "[A-Za-z_]{1,20}(?::[A-Za-z_]{1,20})?";

/** One, two or three attributes with different names. */
const attribute = (name: string) => `${SPACE}+${name}="${escaped(QUOTED)}"`;
const SECOND_AND_THIRD = `${attribute("(?!\\3=)([a-z]+)")}(?:${attribute("(?!\\3=|\\4=)([a-z]+)")})?`;
const ATTRIBUTES = `${attribute("([a-z]+)")}(?:${SECOND_AND_THIRD})?`;

/**
 * Any other child of `<url>`: well-formed text, with or without child elements of text, or attributes only. An
 * element named `loc`, with any prefix, is excluded, because it might be another address. Deeper elements cannot be
 * one.
 */
const OTHER =
  `<(?!(?:[A-Za-z_]+:)?loc(?:${SPACE}|>))(${NAME})` +
  `(?:>${TEXT}(?:<(${NAME})>${TEXT}</\\2>${TEXT})*</\\1>|${ATTRIBUTES}${SPACE}*/>)`;

const ENTRY = new RegExp(
  `${SPACE}*<url>${SPACE}*<loc>(?:${escaped(PLAIN)}|${CDATA})</loc>${SPACE}*(?:${OTHER}${SPACE}*)*${END_OF_ENTRY}`,
  "y",
);

/**
 * Scans an entry that directly follows another one. Unprefixed elements of the document must be in the sitemap
 * namespace.
 * @param isDated whether to read the date too
 * @returns null for an entry that a parser has to read, which need not be invalid
 */
export function scanEntry(text: string, at: number, isDated = false): Entry | null {
  ENTRY.lastIndex = at;
  if (!ENTRY.test(text)) return null;
  const end = ENTRY.lastIndex;
  const from = text.indexOf("<loc>", at) + "<loc>".length;
  const to = text.indexOf("</loc>", from);
  return {
    end,
    address: addressIn(text.slice(from, to)),
    modified: isDated ? modifiedIn(text.slice(to, end)) : null,
    elements: 2 + countTags(text, to + "</loc>".length, end - END_OF_ENTRY.length),
  };
}

function addressIn(content: string): string {
  if (content.startsWith("<![CDATA[")) return content.slice("<![CDATA[".length, -"]]>".length);
  return content.includes("&") ? content.replaceAll("&amp;", "&") : content;
}

/** The text of the `<lastmod>` among the elements after an address. */
function modifiedIn(content: string): string | null {
  const at = content.indexOf("<lastmod>");
  if (at === -1) return null;
  const from = at + "<lastmod>".length;
  return addressIn(content.slice(from, content.indexOf("</lastmod>", from)));
}

/** Counts start tags: every `<` that begins neither an end tag nor CDATA. */
function countTags(text: string, from: number, to: number): number {
  let tags = 0;
  for (let at = text.indexOf("<", from); at < to; at = text.indexOf("<", at + 1)) {
    const next = text.charCodeAt(at + 1);
    if (next !== SLASH && next !== EXCLAMATION_MARK) tags += 1;
  }
  return tags;
}

const SLASH = 0x2f;
const EXCLAMATION_MARK = 0x21;
