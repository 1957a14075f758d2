import { BeckonError, errorOf, objectIn } from "../../error.ts";
import { pause, waitBeforeRetry } from "../../retry.ts";
import type { Credential } from "../../transport.ts";
import { eventsOf } from "./lines.ts";
import { keyHeader, type Message, mirrorHeaders, opensStream, repetitionOf, type Sent } from "./message.ts";

export interface SessionOptions {
  /** Address of the service's MCP endpoint. */
  readonly endpoint: URL;
  readonly credential: Credential | undefined;
  /** Writes a line to the client. */
  write(line: string): Promise<void>;
  /** Writes a line to the log of the client's host. */
  log(line: string): void;
}

const ACCEPT = "application/json, text/event-stream";
/** Most retries of a message that was not answered. */
const RETRIES = 4;
/** Longest wait before a retry, in ms. */
const MAX_WAIT = 30_000;
/** Longest time for one answer, in ms; a stream may stay open. */
const ANSWER_MS = 120_000;

/** The service, as one client of the bridge reaches it. */
export class Session {
  readonly #options: SessionOptions;
  /** Of versions before 2026-07-28, which begin with `initialize`. */
  #id: string | null = null;
  #version: string | null = null;
  /** Ends each stream of a request (`opensStream`) whose first message was passed on. */
  readonly #streams = new Set<AbortController>();
  readonly #ending = new AbortController();

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Sends a message, and passes its answer on. @throws BeckonError where there is none that the client could read */
  async exchange(sent: Sent, signal: AbortSignal): Promise<void> {
    const { message } = sent;
    if (opensStream(message)) return this.#follow(sent, signal);
    const key = keyHeader(message);
    await this.#repeatedly(sent, signal, async () => {
      const within = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
      await this.#pass(sent, await this.#post(sent, key, within));
    });
    if (message.method === "notifications/initialized" && this.#id !== null) void this.#listen();
  }

  /** Ends the streams, each after its first message, which names what the client will hear of. */
  endStreams(): void {
    this.#ending.abort();
    for (const stream of this.#streams) stream.abort();
  }

  /** Tells the service that the session is over. */
  async end(): Promise<void> {
    if (this.#id === null) return;
    await this.#send("DELETE", this.#ofSession(), undefined, AbortSignal.timeout(2_000)).catch(() => undefined);
  }

  /** Passes on the messages of a stream until it ends. It is not opened again: the client has to read again what it follows. */
  async #follow(sent: Sent, signal: AbortSignal): Promise<void> {
    const stream = new AbortController();
    const either = AbortSignal.any([signal, stream.signal]);
    const begun = () => {
      this.#streams.add(stream);
      if (this.#ending.signal.aborted) stream.abort();
    };
    try {
      const response = await this.#repeatedly(sent, either, () => this.#post(sent, {}, either));
      await this.#pass(sent, response, begun);
    } catch (thrown) {
      if (!stream.signal.aborted) throw thrown;
    } finally {
      this.#streams.delete(stream);
    }
  }

  async #repeatedly<T>(sent: Sent, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await work();
      } catch (thrown) {
        if (signal.aborted) throw thrown;
        const waitMs = attempt < RETRIES ? waitBeforeRetry(thrown, attempt, repetitionOf(sent), false) : null;
        if (waitMs === null || waitMs > MAX_WAIT) throw thrown;
        await pause(waitMs, signal);
      }
    }
  }

  /** @throws BeckonError for an answer that is none of the protocol, and for a failure that may pass */
  async #post({ line, message, version }: Sent, more: object, signal: AbortSignal): Promise<Response> {
    const headers = version === null ? this.#ofSession() : mirrorHeaders(message, version);
    const response = await this.#send("POST", { ...headers, ...more }, line, signal);
    if (response.ok) return response;
    const text = await this.#reading(response.text());
    const answer = objectIn(text);
    const mayPass = response.status === 429 || response.status >= 500;
    if (mayPass || answer?.jsonrpc !== "2.0") throw failureOf(response, text, this.#options.endpoint.origin);
    this.#options.log(`beckon: ${objectIn(answer.error)?.message}`);
    return new Response(text, response);
  }

  #ofSession(): Record<string, string> {
    return {
      ...(this.#id === null ? {} : { "Mcp-Session-Id": this.#id }),
      ...(this.#version === null ? {} : { "MCP-Protocol-Version": this.#version }),
    };
  }

  async #send(method: string, headers: object, body: string | undefined, signal: AbortSignal): Promise<Response> {
    const { endpoint, credential } = this.#options;
    const token = typeof credential === "function" ? await credential() : credential;
    const sent = {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      Accept: ACCEPT,
      ...headers,
    };
    const options = { method, headers: sent, ...(body ? { body } : {}), signal, redirect: "error" } as const;
    return this.#reading(fetch(endpoint, options));
  }

  /** @throws BeckonError no_answer or timeout where the connection breaks */
  #reading<T>(work: Promise<T>): Promise<T> {
    return work.catch((cause) => {
      throw this.#noAnswer(cause);
    });
  }

  #noAnswer(cause?: unknown): BeckonError {
    const { origin } = this.#options.endpoint;
    if ((cause as Error)?.name === "TimeoutError")
      return new BeckonError("timeout", `${origin} did not answer in time.`, { cause });
    const words = "Check that the service runs, and that BECKON_URL is its address.";
    return new BeckonError("no_answer", `No answer from ${origin}. ${words}`, { cause });
  }

  /** Passes an answer on to the client. @throws BeckonError where it breaks off */
  async #pass(sent: Sent, response: Response, begun = () => {}): Promise<void> {
    if (response.headers.get("content-type")?.startsWith("text/event-stream") && response.body)
      return this.#passEvents(sent, response.body, begun);
    const text = await this.#reading(response.text());
    const answer = objectIn(text);
    if (sent.message.method === "initialize") this.#begin(response, answer);
    // A notification has no answer, and a client would not know what to do with one.
    if (sent.requests.length === 0) return;
    if (answer?.jsonrpc !== "2.0" && !text.startsWith("["))
      throw failureOf(response, text, this.#options.endpoint.origin);
    // A caller is refused before the message is read, so the answer does not name the request that it belongs to.
    if (answer && !response.ok) for (const id of sent.requests) await this.#write(JSON.stringify({ ...answer, id }));
    else await this.#write(text);
  }

  /** Passes on the events of an answer. One of them is the answer itself. */
  async #passEvents({ requests }: Sent, body: AsyncIterable<Uint8Array>, begun: () => void): Promise<void> {
    const unanswered = new Set<Message["id"]>(requests);
    const read = async () => {
      for await (const { data } of eventsOf(body)) {
        const message = objectIn(data) as Message | null;
        if (message === null) continue;
        await this.#write(data);
        if (message.method === undefined) unanswered.delete(message.id);
        begun();
      }
    };
    await read().catch((thrown) => {
      if (unanswered.size > 0) throw this.#noAnswer(thrown);
    });
    if (unanswered.size > 0) throw this.#noAnswer();
  }

  async #write(text: string): Promise<void> {
    await this.#options.write(text.replaceAll("\n", " "));
  }

  #begin({ headers }: Response, answer: Record<string, unknown> | null): void {
    const version = objectIn(answer?.result)?.protocolVersion;
    this.#id = headers.get("mcp-session-id");
    this.#version = typeof version === "string" ? version : null;
  }

  /** Reads the stream of a session, in which the service reports changed resources, until the client goes. */
  async #listen(): Promise<void> {
    const { signal } = this.#ending;
    let last: string | null = null;
    for (let failures = 0; failures < 5 && !signal.aborted; failures++) {
      try {
        const resume = last === null ? {} : { "Last-Event-ID": last };
        const response = await this.#send("GET", { ...this.#ofSession(), ...resume }, undefined, signal);
        if (!response.ok || !response.body) return;
        for await (const { id, data } of eventsOf(response.body)) {
          failures = 0;
          last = id ?? last;
          if (data !== "") await this.#write(data);
        }
      } catch {}
      await pause(1_000 * 2 ** failures, signal).catch(() => undefined);
    }
  }
}

/** The service's error, which over MCP is in `data` of the error of JSON-RPC. */
function failureOf(response: Response, text: string, origin: string): BeckonError {
  const data = objectIn(objectIn(objectIn(text)?.error)?.data);
  return errorOf(response.status, response.headers, data ? JSON.stringify({ error: data }) : text, origin);
}
