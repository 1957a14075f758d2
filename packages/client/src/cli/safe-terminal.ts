import type { SafeTerminal, Terminal } from "./command.ts";

/** What a terminal obeys: control characters, and marks that turn the direction of writing. */
const OBEYED = /[\p{Cc}\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The same, but for the ends of lines. */
const OBEYED_IN_LINES = /(?!\r?\n)[\p{Cc}\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Those of them that JSON has as they are. */
const OBEYED_IN_JSON = /[\x7f-\x9f\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A text on one line, without what a terminal would obey. */
export function plain(text: string): string {
  return text.replace(OBEYED, "\ufffd");
}

/** Lines without what a terminal would obey. */
export function plainLines(text: string): string {
  return text.replace(OBEYED_IN_LINES, "\ufffd");
}

/** The same JSON, with what a terminal would obey as escapes of JSON. */
export function escapedJson(text: string): string {
  return text.replace(OBEYED_IN_JSON, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A stream of lines, without what a terminal would obey. */
export async function* plainStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    const text = rest + decoder.decode(chunk, { stream: true });
    // Whether it ends a line is seen in the next chunk.
    rest = text.endsWith("\r") ? "\r" : "";
    yield plainLines(text.slice(0, text.length - rest.length));
  }
  yield plainLines(rest + decoder.decode());
}

/** A terminal that obeys nothing of what a service has said. */
export function safeTerminal(terminal: Terminal & { readonly json: boolean }): SafeTerminal {
  const safe = terminal.json ? escapedJson : plainLines;
  return {
    ...terminal,
    out: (text) => terminal.out(safe(text)),
    err: (text) => terminal.err(plainLines(text)),
    redraw: (line) => terminal.out(`\r\x1b[K${plain(line)}`),
  };
}
