import { once } from "node:events";
import type { OutgoingHttpHeaders, ServerResponse } from "node:http";

/** A comment this often keeps what stands between us and the client from closing a quiet stream, in ms. */
export const HEARTBEAT = 15_000;

/** A stream whose first event is there: nothing that can go wrong before it has become a stream of its own. */
export interface Begun<T> {
  readonly first: T;
  readonly rest: AsyncIterator<T>;
}

/** @throws what the events begin with; the signal's reason when it comes first; Error when there are none */
export async function begin<T>(events: AsyncIterable<T>, signal: AbortSignal): Promise<Begun<T>> {
  const rest = events[Symbol.asyncIterator]();
  const first = await nextOf(rest, signal);
  signal.throwIfAborted();
  if (first.done) throw new Error("a stream ended before it began");
  return { first: first.value, rest };
}

const STREAM = {
  "Content-Type": "text/event-stream",
  "X-Content-Type-Options": "nosniff",
  // Some proxies collect an answer before they pass it on.
  "X-Accel-Buffering": "no",
};

export interface EventOptions<T> {
  readonly headers: OutgoingHttpHeaders;
  readonly encode: (event: T) => string;
  /** The last event, when something fails after the first. */
  readonly encodeError: (thrown: unknown) => string;
  readonly signal: AbortSignal;
  readonly heartbeatMs: number;
}

/**
 * Sends events one at a time (server-sent events, HTML Living Standard section 9.2): the next is asked for when the
 * client has room for it. When the signal comes, the stream is over and its source is let go at once.
 */
export async function sendEvents<T>(
  res: ServerResponse,
  { first, rest }: Begun<T>,
  { headers, encode, encodeError, signal, heartbeatMs }: EventOptions<T>,
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
    letGo(rest);
    const { socket } = res;
    // A service that stops waits for its connections, and this one was kept alive for more before anybody knew.
    res.end(() => signal.aborted && socket?.destroySoon());
  }
}

async function send(res: ServerResponse, data: string, signal: AbortSignal): Promise<void> {
  if (res.destroyed || signal.aborted) return;
  if (!res.write(`data: ${data}\n\n`)) await once(res, "drain", { signal });
}

/** The end, when the signal comes first: whatever the source is waiting for then, it is let go. */
function nextOf<T>(source: AsyncIterator<T>, signal: AbortSignal): Promise<IteratorResult<T>> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      letGo(source);
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

function letGo(source: AsyncIterator<unknown>): void {
  void (async () => source.return?.())().catch(ignore);
}

function ignore(): void {}
