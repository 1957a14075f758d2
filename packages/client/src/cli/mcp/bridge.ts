import type { OperationRow } from "../../call-options.ts";
import { BeckonError, errorOf, objectIn } from "../../error.ts";
import { pause, waitBeforeRetry } from "../../retry.ts";
import type { Credential } from "../../transport.ts";
import { eventsOf, linesOf } from "./lines.ts";
import { errorAnswer, keyHeader, type Message, mirrorHeaders, operationIn, versionIn } from "./message.ts";

export interface BridgeOptions {
  /** Address of the service's MCP endpoint. */
  readonly endpoint: URL;
  readonly credential: Credential | undefined;
  readonly input: AsyncIterable<Uint8Array>;
  /** Writes a line to the client. */
  write(line: string): void;
  /** Writes a line to the log of the client's host. */
  log(line: string): void;
}

const ACCEPT = "application/json, text/event-stream";
/** Most retries of a message that was not answered. */
const RETRIES = 4;
/** Longest time for one answer, in ms; a stream may stay open. */
const ANSWER_MS = 120_000;
/** How messages that call no tool are repeated: they change nothing. */
const READ = { effect: "read", takesKey: false } as OperationRow;

/**
 * Forwards the messages of one MCP client, a line each, to a service over Streamable HTTP, and the answers back. It knows no
 * tools: the client gets those of the service, of either era of the protocol.
 * @returns when the client has gone and its last call has ended
 */
export async function bridge(options: BridgeOptions): Promise<void> {
  const { input, write, log } = options;
  const session = new Session(options);
  const running = new Set<Promise<void>>();
  for await (const line of linesOf(input)) {
    if (line.trim() === "") continue;
    const work = session.forward(line).catch((thrown) => {
      log(`beckon: ${(thrown as Error).message}`);
      const { id, method } = (objectIn(line) ?? {}) as Message;
      if (id !== undefined && method !== undefined) write(errorAnswer(id, thrown));
    });
    running.add(work);
    void work.then(() => running.delete(work));
  }
  session.endStreams();
  await Promise.all(running);
  await session.end();
}

/** What is known of the client's session, and its open requests. */
class Session {
  readonly #options: BridgeOptions;
  /** Of versions before 2026-07-28, which begin with `initialize`. */
  #id: string | null = null;
  #version: string | null = null;
  /** Requests that can be cancelled, by their ids. */
  readonly #open = new Map<unknown, AbortController>();
  readonly #ending = new AbortController();

  constructor(options: BridgeOptions) {
    this.#options = options;
  }

  async forward(line: string): Promise<void> {
    const message = (objectIn(line) ?? {}) as Message;
    const version = versionIn(message);
    if (message.method === "notifications/cancelled" && this.#cancel(message.params?.requestId)) return;
    const cancelling = new AbortController();
    // Since 2026-07-28 a call is cancelled over HTTP by closing its response; before, by the message.
    if (version !== null && message.id !== undefined) this.#open.set(message.id, cancelling);
    const isStream = message.method === "subscriptions/listen";
    const signal = isStream ? AbortSignal.any([cancelling.signal, this.#ending.signal]) : cancelling.signal;
    try {
      const key = keyHeader(message);
      await this.#repeatedly(message, signal, async () => {
        const headers = { ...this.#headers(message, version), ...key };
        const response = await this.#send("POST", headers, line, isStream ? signal : within(signal));
        await this.#pass(message, response);
      });
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
    } finally {
      this.#open.delete(message.id);
    }
    if (message.method === "notifications/initialized" && this.#id !== null) void this.#listen();
  }

  /** Ends the streams, which would stay open for ever. */
  endStreams(): void {
    this.#ending.abort();
  }

  /** Tells the service that the session is over. */
  async end(): Promise<void> {
    if (this.#id === null) return;
    await this.#send("DELETE", this.#headers({}, null), undefined, AbortSignal.timeout(2_000)).catch(() => undefined);
  }

  #cancel(id: unknown): boolean {
    const open = this.#open.get(id);
    open?.abort();
    return open !== undefined;
  }

  #headers(message: Message, version: string | null): Record<string, string> {
    if (version !== null) return mirrorHeaders(message, version);
    return {
      ...(this.#id === null ? {} : { "Mcp-Session-Id": this.#id }),
      ...(this.#version === null ? {} : { "MCP-Protocol-Version": this.#version }),
    };
  }

  async #repeatedly(message: Message, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await work();
      } catch (thrown) {
        if (signal.aborted) throw thrown;
        const waitMs = attempt < RETRIES ? waitBeforeRetry(thrown, attempt, operationIn(message) ?? READ, false) : null;
        if (waitMs === null || waitMs > 30_000) throw thrown;
        await pause(waitMs, signal);
      }
    }
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
    try {
      return await fetch(endpoint, { method, headers: sent, ...(body ? { body } : {}), signal, redirect: "error" });
    } catch (thrown) {
      throw new BeckonError("no_answer", `No answer from ${endpoint.origin}. Check BECKON_URL and the connection.`, {
        cause: thrown,
      });
    }
  }

  /** Passes an answer on to the client. @throws BeckonError where it is none that the client could read */
  async #pass(message: Message, response: Response): Promise<void> {
    const { write, endpoint } = this.#options;
    if (response.headers.get("content-type")?.startsWith("text/event-stream") && response.body) {
      for await (const { data } of eventsOf(response.body)) if (data !== "") write(data);
      return;
    }
    const text = await response.text();
    const answer = objectIn(text);
    const isRetried = response.status === 429 || response.status >= 500;
    if (!response.ok && (isRetried || answer?.jsonrpc !== "2.0")) throw failureOf(response, text, endpoint.origin);
    if (message.method === "initialize") this.#begin(response, answer);
    if (!response.ok) {
      this.#options.log(`beckon: ${messageIn(answer)}`);
      // A caller is refused before its message is read, so that the answer does not say to which request it belongs.
      if (message.id !== undefined) return write(JSON.stringify({ ...answer, id: message.id }));
    }
    // A notification has no answer, and a client would not know what to do with one.
    if (text !== "" && (message.id !== undefined || text.startsWith("["))) write(text.replaceAll("\n", " "));
  }

  #begin({ headers }: Response, answer: Record<string, unknown> | null): void {
    const version = objectIn(answer?.result)?.protocolVersion;
    this.#id = headers.get("mcp-session-id");
    this.#version = typeof version === "string" ? version : null;
  }

  /** Reads the stream of a session, by which the service tells of changed resources, until the client goes. */
  async #listen(): Promise<void> {
    const { signal } = this.#ending;
    let last: string | null = null;
    for (let failures = 0; failures < 5 && !signal.aborted; failures++) {
      try {
        const resume = last === null ? {} : { "Last-Event-ID": last };
        const response = await this.#send("GET", { ...this.#headers({}, null), ...resume }, undefined, signal);
        if (!response.ok || !response.body) return;
        for await (const { id, data } of eventsOf(response.body)) {
          failures = 0;
          last = id ?? last;
          if (data !== "") this.#options.write(data);
        }
      } catch {}
      await pause(1_000 * 2 ** failures, signal).catch(() => undefined);
    }
  }
}

function within(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
}

/** The service's error, which over MCP is in `data` of the error of JSON-RPC. */
function failureOf(response: Response, text: string, origin: string): BeckonError {
  const data = objectIn(objectIn(objectIn(text)?.error)?.data);
  return errorOf(response.status, response.headers, data ? JSON.stringify({ error: data }) : text, origin);
}

function messageIn(answer: Record<string, unknown> | null): unknown {
  return objectIn(answer?.error)?.message;
}
