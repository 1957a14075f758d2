import { normaliseUrl } from "../urls/urls.ts";
import { UnreadableList } from "./limits.ts";
import type { List } from "./list.ts";
import { readingList } from "./read-list.ts";
import type { Steps } from "./steps.ts";
import { isXml } from "./xml/xml-list.ts";

/** Lines or addresses that are written in one step. */
const STEP = 64;

/** Characters in which addresses are looked for and not found, where the text quotes or escapes them. */
const MOST_SEARCHED = 64 * 1024 * 1024;

/** The URLs of a list and what it offers, one on each line, which is read as the same list again. */
export function* linesOf({ urls, offered }: Pick<List, "urls" | "offered">): Steps<string> {
  const lines: string[] = [];
  for (const url of urls) {
    lines.push(quoted(url));
    if (lines.length % STEP === 0) yield;
  }
  return [...lines, ...offered.map(({ text }) => text)].join("\n");
}

/** A URL as a line. In quotation marks its commas separate nothing. */
function quoted(url: string): string {
  if (!/[\s,;|"]/.test(url)) return url;
  return `"${url.includes('"') ? normaliseUrl(url) : url}"`;
}

/** A text in which the addresses without a scheme have got one. */
export function* withSchemes(text: string, offered: List["offered"]): Steps<string> {
  const written: string[] = [];
  const lines = new LinesOf(text);
  let [at, searched, steps] = [0, 0, 0];
  for (const { line, text: address, url } of offered) {
    while (lines.number < line) {
      lines.next();
      if (++steps % STEP === 0) yield;
    }
    const from = Math.max(at, lines.from);
    const found = text.slice(from, lines.to).indexOf(address);
    if (found === -1) searched += lines.to - from;
    else {
      written.push(text.slice(at, from + found), url);
      at = from + found + address.length;
    }
    if (searched > MOST_SEARCHED) break;
    if (++steps % STEP === 0 || found === -1) yield;
  }
  return [...written, text.slice(at)].join("");
}

/** Goes through the lines of a text. */
class LinesOf {
  readonly #text: string;
  readonly #ends = /\r\n|\n|\r|$/g;
  number = 1;
  from = 0;
  to: number;

  constructor(text: string) {
    this.#text = text;
    this.to = this.#ends.exec(text)!.index;
  }

  next(): void {
    this.number += 1;
    this.from = this.#ends.lastIndex;
    this.to = this.#ends.exec(this.#text)!.index;
  }
}

/** A typed text with the lines of a list below it. */
export function* withList(typed: string, list: Pick<List, "urls" | "offered">): Steps<string> {
  if (list.urls.length + list.offered.length === 0) return typed;
  const above = yield* asLines(typed);
  const end = above === "" || above.endsWith("\n") ? "" : "\n";
  return `${above}${end}${yield* linesOf(list)}`;
}

/** What no more lines can follow, as lines. What cannot be read stays as it is. */
function* asLines(typed: string): Steps<string> {
  if (!isXml(typed)) return typed;
  try {
    return yield* linesOf(yield* readingList(typed));
  } catch (thrown) {
    if (thrown instanceof UnreadableList) return typed;
    throw thrown;
  }
}
