import { linesOf } from "./lines.ts";
import { errorAnswer, opensStream, type Sent, sentIn } from "./message.ts";
import { Session, type SessionOptions } from "./session.ts";

export interface BridgeOptions extends SessionOptions {
  readonly input: AsyncIterable<Uint8Array>;
  /** Ends the bridge at once, with its calls. */
  readonly signal: AbortSignal;
}

/**
 * Forwards the messages of one MCP client, a line each, to a service over Streamable HTTP, and the answers back. It knows no
 * tools: the client gets the service's, in either era of the protocol.
 * @returns after the end of the input, when all that was read is answered; at once after the signal
 */
export async function bridge(options: BridgeOptions): Promise<void> {
  const { input, signal } = options;
  const client = new ForwardedClient(options);
  const forwarded = (async () => {
    for await (const line of linesOf(input)) if (line.trim() !== "") client.receive(line);
    await client.answered();
  })();
  await Promise.race([forwarded, aborted(signal)]);
  await client.leave();
}

/** The messages of the client that are under way. */
class ForwardedClient {
  readonly #options: SessionOptions;
  readonly #session: Session;
  readonly #running = new Set<Promise<void>>();
  /** What ends each request that can be cancelled, by its id. */
  readonly #cancellable = new Map<unknown, AbortController>();
  readonly #leaving = new AbortController();
  /** Settled when `initialize` is answered. What was read after it needs the session that the answer begins. */
  #initialized: Promise<void> = Promise.resolve();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#session = new Session(options);
  }

  receive(line: string): void {
    const sent = sentIn(line);
    const { method, params } = sent.message;
    if (method === "notifications/cancelled" && this.#cancel(params?.requestId)) return;
    const work = this.#forward(sent).catch((thrown) => this.#answerError(sent, thrown));
    this.#running.add(work);
    void work.then(() => this.#running.delete(work));
    if (method === "initialize") this.#initialized = work;
  }

  /** Waits for the answers to all that was received. Streams are ended, since they would stay open for ever. */
  async answered(): Promise<void> {
    this.#session.endStreams();
    await Promise.all(this.#running);
  }

  /** Ends what is left, and the session. */
  async leave(): Promise<void> {
    this.#session.endStreams();
    this.#leaving.abort();
    await this.#session.end();
  }

  async #forward(sent: Sent): Promise<void> {
    const cancelling = new AbortController();
    const { id } = sent.message;
    // Streams, and since 2026-07-28 all calls, are cancelled over HTTP by closing the response; other calls before by the message.
    const isClosed = sent.version !== null || opensStream(sent.message);
    if (isClosed && id !== undefined) this.#cancellable.set(id, cancelling);
    const signal = AbortSignal.any([cancelling.signal, this.#leaving.signal]);
    try {
      await this.#initialized;
      await this.#session.exchange(sent, signal);
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
    } finally {
      if (this.#cancellable.get(id) === cancelling) this.#cancellable.delete(id);
    }
  }

  async #answerError({ requests }: Sent, thrown: unknown): Promise<void> {
    this.#options.log(`beckon: ${(thrown as Error).message}`);
    for (const id of requests) await this.#options.write(errorAnswer(id, thrown));
  }

  #cancel(id: unknown): boolean {
    const cancelling = this.#cancellable.get(id);
    cancelling?.abort();
    return cancelling !== undefined;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
