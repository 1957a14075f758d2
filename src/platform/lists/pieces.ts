/** Characters that are read without a pause. */
const PIECE = 32 * 1024;

/** A text in pieces, none of which ends within a character. */
export function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = at + PIECE;
    const to = isFirstHalf(text.charCodeAt(end - 1)) ? end + 1 : end;
    yield text.slice(at, to);
    at = to;
  }
}

function isFirstHalf(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}
