import { once } from "node:events";
import type { OutgoingHttpHeaders, ServerResponse } from "node:http";

/** Interval of the comments in a quiet stream, in ms: they keep proxies from closing it. */
export const HEARTBEAT = 15_000;

/** A stream whose first event has come: whatever fails before that is answered as an error, not as a stream. */
export interface StartedStream<T> {
  readonly first: T;
  readonly rest: AsyncIterator<T>;
}

/** @throws what the events throw before the first; the signal's reason if it is aborted first; Error if there is no event */
export async function startStream<T>(events: AsyncIterable<T>, signal: AbortSignal): Promise<StartedStream<T>> {
  const rest = events[Symbol.asyncIterator]();
  const first = await nextOf(rest, signal);
  signal.throwIfAborted();
  if (first.done) throw new Error("a stream ended before it began");
  return { first: first.value, rest };
}

const STREAM = {
  "Content-Type": "text/event-stream",
  "X-Content-Type-Options": "nosniff",
  // nginx and others buffer an answer unless they are told not to.
  "X-Accel-Buffering": "no",
};

export interface SseOptions<T> {
  readonly headers: OutgoingHttpHeaders;
  readonly encode: (event: T) => string;
  /** Encodes the last event of a stream that fails. */
  readonly encodeError: (thrown: unknown) => string;
  readonly signal: AbortSignal;
  readonly heartbeatMs: number;
}

/**
 * Sends events one at a time (server-sent events, HTML Living Standard section 9.2), the next when the client has read
 * enough for it. When the signal is aborted, the stream ends and its source is released at once.
 */
export async function sendEvents<T>(
  res: ServerResponse,
  { first, rest }: StartedStream<T>,
  { headers, encode, encodeError, signal, heartbeatMs }: SseOptions<T>,
): Promise<void> {
  res.writeHead(200, { ...headers, ...STREAM });
  const beat = () => {
    if (!res.writableNeedDrain) res.write(":\n\n");
  };
  const heartbeat = setInterval(beat, heartbeatMs);
  heartbeat.unref();
  try {
    await send(res, encode(first), signal);
    for (;;) {
      const next = await nextOf(rest, signal);
      if (next.done) break;
      await send(res, encode(next.value), signal);
    }
  } catch (thrown) {
    if (!signal.aborted) await send(res, encodeError(thrown), signal).catch(ignore);
  } finally {
    clearInterval(heartbeat);
    release(rest);
    const { socket } = res;
    // A service that stops waits for its connections to close, and this one is kept alive for more requests.
    res.end(() => signal.aborted && socket?.destroySoon());
  }
}

async function send(res: ServerResponse, data: string, signal: AbortSignal): Promise<void> {
  if (res.destroyed || signal.aborted) return;
  if (!res.write(`data: ${data}\n\n`)) await once(res, "drain", { signal });
}

/** The next event, or the end if the signal is aborted first; the source is released then. */
function nextOf<T>(source: AsyncIterator<T>, signal: AbortSignal): Promise<IteratorResult<T>> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      release(source);
      resolve({ done: true, value: undefined });
    };
    if (signal.aborted) return leave();
    signal.addEventListener("abort", leave, { once: true });
    source
      .next()
      .finally(() => signal.removeEventListener("abort", leave))
      .then(resolve, reject);
  });
}

function release(source: AsyncIterator<unknown>): void {
  void (async () => source.return?.())().catch(ignore);
}

function ignore(): void {}
