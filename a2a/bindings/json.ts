import { parseJson } from "../../src/contract/parse-json.ts";
import { Refusal } from "../../src/platform/errors/errors.ts";
import { Fault } from "./errors.ts";

/** Deeper than any message of the protocol, or any input of an operation. */
const MAX_DEPTH = 64;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Parses JSON in UTF-8. Its depth is counted before, so that no recursion over the value can overflow the stack.
 * @throws Fault PARSE_ERROR, INVALID_REQUEST (too deep, or nothing at all)
 */
export function jsonOf(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new Fault("INVALID_REQUEST", "There is no body. Send a JSON object.");
  if (isTooDeep(bytes)) throw new Fault("INVALID_REQUEST", `The body is nested deeper than ${MAX_DEPTH} levels.`);
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
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (OPENING.has(byte)) {
      if (++depth > MAX_DEPTH) return true;
    } else if (CLOSING.has(byte)) depth--;
  }
  return false;
}

/** The index of the quote that ends the string beginning at `start`; the number of bytes where there is none. */
function endOfString(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end !== -1; end = bytes.indexOf(QUOTE, end + 1)) {
    let escapes = 0;
    while (bytes[end - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return bytes.length;
}
