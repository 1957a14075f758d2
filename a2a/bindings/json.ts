import { parseJson } from "../../src/contract/executor.ts";
import { Refusal } from "../../src/platform/errors/errors.ts";
import { Fault } from "./errors.ts";

/** Deeper than anything that the protocol or an operation has a use for. */
const DEEPEST = 64;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * A JSON text in UTF-8. How deep it goes is counted before it is parsed, so that nothing that walks through it can run out
 * of stack.
 * @throws Fault PARSE_ERROR, INVALID_REQUEST (too deep, or nothing at all)
 */
export function jsonOf(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new Fault("INVALID_REQUEST", "There is no body. Send a JSON object.");
  if (isTooDeep(bytes)) throw new Fault("INVALID_REQUEST", `The body is nested deeper than ${DEEPEST} levels.`);
  try {
    return parseJson(bytes);
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    throw new Fault("PARSE_ERROR", "The body is not JSON in UTF-8. Nothing was changed.");
  }
}

function isTooDeep(bytes: Buffer): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (OPENING.has(byte)) {
      if (++depth > DEEPEST) return true;
    } else if (CLOSING.has(byte)) depth--;
  }
  return false;
}

/** Where the text that begins at a quote has its other quote; the end of the bytes when it has none. */
function endOfText(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end !== -1; end = bytes.indexOf(QUOTE, end + 1)) {
    let escapes = 0;
    while (bytes[end - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return bytes.length;
}
