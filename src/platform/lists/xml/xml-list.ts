import { SITEMAP_LIMITS, UnreadableList } from "../limits.ts";
import { type List, ListBuilder } from "../list.ts";
import { piecesOf } from "../pieces.ts";
import type { Steps } from "../steps.ts";
import { xmlReader } from "./xml-reader.ts";

/** Characters by which XML is told from other text. */
export const XML_CHARACTERS = 32;

/** Whether a text is XML, and not a line that begins with an address in angle brackets. */
export function isXml(text: string): boolean {
  return /^\s*<(?!\s*(?:https?:|www\.))/i.test(text);
}

/**
 * Reads a sitemap or feed at once, and once more line by line if there is something whose line has to be said.
 * @throws UnreadableList, which names the line
 */
export function* readXml(text: string): Steps<List> {
  // Nothing may stand before the declaration.
  const document = text.trimStart();
  try {
    const list = yield* readLines([document], 0);
    if (list.refused.length + list.offered.length === 0) return list;
  } catch (thrown) {
    if (!(thrown instanceof UnreadableList)) throw thrown;
  }
  const above = text.slice(0, text.length - document.length).split("\n").length - 1;
  return yield* readLines(linesOf(document), above);
}

/** The lines of a text, each with its end. */
function* linesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at) + 1 || text.length;
    yield text.slice(at, end);
    at = end;
  }
}

/** @param above how many lines stand above the first one */
function* readLines(lines: Iterable<string>, above: number): Steps<List> {
  const list = new ListBuilder();
  let line = above;
  const reader = xmlReader((address) => list.add(address, { line }), SITEMAP_LIMITS);
  try {
    for (const text of lines) {
      line += 1;
      for (const piece of piecesOf(text)) {
        reader.write(piece);
        yield;
      }
    }
    const format = reader.end();
    return format === "index" ? new ListBuilder().made(format, null, list.entries) : list.made(format, null);
  } catch (thrown) {
    throw thrown instanceof UnreadableList ? new UnreadableList(`${thrown.what}, in line ${line}`) : thrown;
  }
}
