import type { InvalidReason } from "../urls/urls.ts";
import { isAddress, trimmed } from "./addresses.ts";
import { SITEMAP_LIMITS } from "./limits.ts";

/** An entry of a line: what should be a URL. */
export interface Item {
  readonly text: string;
  readonly problem?: InvalidReason | undefined;
}

/** Quotation marks, each with those that end it. */
const QUOTES: Readonly<Record<string, string>> = {
  ...{ '"': '"', "'": "'", "`": "`", "<": ">", "“": "”", "„": "“”", "”": "”", "‘": "’", "«": "»", "‹": "›" },
};
const OPENING = `["'\`<“„”‘«‹]`;
const ADDRESS = `${OPENING}?(?:https?:\\/\\/|www\\.)`;
const HOST = `${OPENING}?(?:[\\p{L}\\p{N}-]+\\.)+\\p{L}{2,}`;

/** Bullets, numbers, boxes, or the bracket of an array, where an address follows. */
const PREFIX = new RegExp(
  "^(?:(?:[-*+>•‣◦⁃∙·–—▪▫●○■□►✓✔☐☑]|\\(?\\d{1,20}(?!\\d)[.):]?|\\(?[a-z][.)]|\\[[ x]?\\])[\\s\\p{Default_Ignorable_Code_Point}]{0,32}){1,16}" +
    `(?:(?=${ADDRESS}|\\[[^\\]]*\\]\\(${ADDRESS})|(?<=\\s)(?=${HOST}))|^\\[\\s{0,32}(?=["'])`,
  "iu",
);
/** What stands between two addresses. */
const BETWEEN = new RegExp(`[,;|]\\s{0,32}(?=${ADDRESS})|\\s(?=${ADDRESS})`, "giu");
/** A URL without anything that could separate or quote it, as most lines are. */
const PLAIN = /^https?:\/\/[\w\-.~!$&()*+=:@/?%]+$/;
/** A link in Markdown. */
const LINK = /^\[[^\]]*\]\(<?([^\s<>]+?)>?(?:\s+"[^"]*")?\)$/;
/** What may follow a quoted address. */
const AFTER_QUOTE = /\s*(?:[,;|\])}.]\s*)*/uy;

/**
 * The entries of a line: none if it is empty or begins with `#`, several if separators or spaces stand between addresses. Bullets, numbers and
 * quotation marks are no part of them.
 */
export function* itemsOf(line: string): Generator<Item> {
  let text = trimmed(line);
  if (PLAIN.test(text)) return yield { text };
  if (text === "" || text.startsWith("#") || /^[[\](){},;|]+$/.test(text)) return;
  text = text.replace(PREFIX, "");
  for (let at = 0; at < text.length; ) {
    const { item, end } = itemAt(text, at);
    if (item.text !== "") yield item;
    at = end;
  }
}

/** The item that begins here, and where the next one does. */
function itemAt(text: string, at: number): { item: Item; end: number } {
  const quoted = quotedAt(text, at);
  if (quoted) return { item: { text: trimmed(quoted.text) }, end: quoted.end };
  BETWEEN.lastIndex = at + 1;
  const next = BETWEEN.exec(text);
  const item = unquoted(text.slice(at, next?.index));
  return { item, end: next === null ? text.length : BETWEEN.lastIndex };
}

/** The item in a cell of a table, where separators and spaces inside are part of it. */
export function cellItem(cell: string): Item {
  const text = trimmed(cell);
  const quoted = quotedAt(text, 0);
  return { text: quoted && quoted.end === text.length ? trimmed(quoted.text) : text };
}

/** A quoted text that begins here, and that a separator or the end of the line follows. */
function quotedAt(text: string, at: number): { text: string; end: number } | null {
  const closing = QUOTES[text[at]!];
  if (closing === undefined) return null;
  const near = text.slice(at + 1, at + 1 + SITEMAP_LIMITS.address);
  const [length] = [...closing].map((one) => near.indexOf(one)).filter((index) => index !== -1);
  if (length === undefined) return null;
  const to = at + 1 + length;
  AFTER_QUOTE.lastIndex = to + 1;
  const end = to + 1 + (AFTER_QUOTE.exec(text)?.[0].length ?? 0);
  const isSeparated = end > to + 1 || end === text.length;
  return isSeparated ? { text: text.slice(at + 1, to), end } : null;
}

function unquoted(raw: string): Item {
  let end = raw.length;
  while (/[\s,;|]/.test(raw.charAt(end - 1))) end -= 1;
  const text = trimmed(raw.slice(0, end));
  const link = LINK.exec(text)?.[1];
  if (link !== undefined) return { text: link };
  return { text, problem: isAddress(text) && /\s/.test(text) ? "space_inside" : undefined };
}
