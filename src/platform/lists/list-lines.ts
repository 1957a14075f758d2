import { normaliseUrl } from "../urls/urls.ts";
import type { List } from "./list.ts";
import { readList } from "./read-list.ts";
import { isXml } from "./xml/xml-list.ts";

/** The URLs of a list and what it offers, one on each line, which is read as the same list again. */
export function linesOf({ urls, offered }: Pick<List, "urls" | "offered">): string {
  return [...urls.map(quoted), ...offered.map(({ text }) => text)].join("\n");
}

/** A URL as a line. In quotation marks its commas separate nothing. */
function quoted(url: string): string {
  if (!/[\s,;|"]/.test(url)) return url;
  return `"${url.includes('"') ? normaliseUrl(url) : url}"`;
}

/** A text in which the addresses without a scheme have got one. */
export function withSchemes(text: string, offered: List["offered"]): string {
  const lines = text.split(/\r\n|\n|\r/);
  for (const { line, text: address, url } of offered) {
    const at = line - 1;
    // A function, since a URL may have signs that `replace` reads.
    lines[at] = lines[at]!.replace(address, () => url);
  }
  return lines.join("\n");
}

/** A typed text with the lines of a list below it. */
export function withList(typed: string, list: Pick<List, "urls" | "offered">): string {
  if (list.urls.length + list.offered.length === 0) return typed;
  const above = isXml(typed) ? linesOf(readList(typed)) : typed;
  return `${above}${/(^|\n)$/.test(above) ? "" : "\n"}${linesOf(list)}`;
}
