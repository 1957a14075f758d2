const NEWLINE = 0x0a;

/**
 * The lines of a stream of bytes, each whole, without its line end, and without the byte order mark that some shells write before
 * it. `readline` would also break a line at U+2028, which JSON may contain.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  let held: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      held.push(chunk.subarray(start, end));
      yield textOf(held);
      held = [];
      start = end + 1;
    }
    if (start < chunk.length) held.push(chunk.subarray(start));
  }
  if (held.length > 0) yield textOf(held);
}

function textOf(parts: readonly Uint8Array[]): string {
  // The decoder drops the mark.
  return new TextDecoder().decode(Buffer.concat(parts)).replace(/\r$/, "");
}

/** An event of a stream of server-sent events. */
export interface ServerEvent {
  readonly id: string | null;
  readonly data: string;
}

/** The events of a response with `text/event-stream`. Comments, and events without data, are left out, but their ids are not. */
export async function* eventsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent, void, undefined> {
  let id: string | null = null;
  let data: string[] = [];
  for await (const line of linesOf(chunks)) {
    if (line === "") {
      if (data.length > 0 || id !== null) yield { id, data: data.join("\n") };
      data = [];
    } else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
    else if (line.startsWith("id:")) id = line.slice(3).trim();
  }
}
