import type { CallOptions, OperationRow } from "./call-options.ts";
import { BeckonError, errorOf, objectIn } from "./error.ts";
import { pause, waitBeforeRetry } from "./retry.ts";

/** A key or an access token, or a function that returns it for each request, e.g. from a store that renews it. */
export type Credential = string | (() => string | undefined | Promise<string | undefined>);

export interface TransportOptions {
  readonly origin: string;
  readonly credential?: Credential | undefined;
  /** How often a call is repeated. */
  readonly retries: number;
  /** Longest time for one answer, in ms. */
  readonly timeoutMs: number;
  /** Longest wait before a retry, in ms: if the service asks for more, the error is thrown instead. */
  readonly maxWaitMs: number;
  readonly fetch: typeof globalThis.fetch;
  readonly onRetry?: ((error: BeckonError, waitMs: number) => void) | undefined;
}

type Input = Readonly<Record<string, unknown>>;

/** The answer of an operation as an object. @throws BeckonError */
export async function callOperation(
  transport: TransportOptions,
  row: OperationRow,
  input: Input,
  options: CallOptions = {},
): Promise<Record<string, unknown>> {
  return withRetries(transport, row, options, async (idempotencyKey) => {
    const response = await send(transport, row, { ...requestOf(row, input), idempotencyKey }, options);
    const text = await textOf(response, transport, options.signal);
    // The price of a direct payment is an answer, with the status 402.
    const isPrice = row.name === "get_direct_price" && response.status === 402;
    const answer = response.ok || isPrice ? objectIn(text) : null;
    if (answer) return answer;
    throw errorOf(response.status, response.headers, text, transport.origin);
  });
}

/** A whole list in another representation, as it arrives. @throws BeckonError */
export async function openStream(
  transport: TransportOptions,
  row: OperationRow,
  input: Input,
  format: string,
  options: CallOptions = {},
): Promise<ReadableStream<Uint8Array>> {
  return withRetries(transport, row, options, async () => {
    const { path, body } = requestOf(row, input);
    const [before, query] = path.split("?");
    const withSuffix = `${before}.${format}${query === undefined ? "" : `?${query}`}`;
    const response = await send(transport, row, { path: withSuffix, body, accept: "*/*" }, options);
    if (response.ok && response.body) return response.body;
    throw errorOf(
      response.status,
      response.headers,
      await textOf(response, transport, options.signal),
      transport.origin,
    );
  });
}

/** Repeats a call by the rules of its error, always with the same key. */
async function withRetries<T>(
  { retries, maxWaitMs, onRetry }: TransportOptions,
  row: OperationRow,
  { signal, idempotencyKey, payment }: CallOptions,
  work: (key: string | undefined) => Promise<T>,
): Promise<T> {
  const key = row.takesKey ? (idempotencyKey ?? newIdempotencyKey()) : undefined;
  for (let attempt = 0; ; attempt++) {
    try {
      return await work(key);
    } catch (thrown) {
      signal?.throwIfAborted();
      if (thrown instanceof BeckonError) thrown.idempotencyKey = key ?? null;
      const waitMs = attempt < retries ? waitBeforeRetry(thrown, attempt, row, payment !== undefined) : null;
      if (waitMs === null || waitMs > maxWaitMs) throw thrown;
      onRetry?.(thrown as BeckonError, waitMs);
      await pause(waitMs, signal);
    }
  }
}

/** 32 random hexadecimal digits; `crypto.randomUUID` is missing in browsers on pages without https. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The input fills the path, and then the query of a GET, or the body. @throws BeckonError invalid_request */
function requestOf({ method, path, bodyField }: OperationRow, input: Input): Pick<Sent, "path" | "body" | "type"> {
  const left = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = left.get(name);
    left.delete(name);
    // A part that is empty or consists of dots would make another path.
    if (typeof value === "string" && !/^\.{0,2}$/.test(value)) return encodeURIComponent(value);
    const message = value === undefined ? "required" : "must be an id";
    throw new BeckonError("invalid_request", `\`${name}\`: ${message}.`, {
      fields: { issues: [{ path: name, message }] },
    });
  });
  if (bodyField !== undefined) return { path: filled, body: left.get(bodyField) as Sent["body"], type: "text/plain" };
  if (method === "POST" || method === "PATCH") return { path: filled, body: JSON.stringify(Object.fromEntries(left)) };
  const asText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  const given = [...left].filter(([, value]) => value !== null);
  const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, asText(value)]));
  return { path: query.size === 0 ? filled : `${filled}?${query}`, body: undefined };
}

interface Sent {
  readonly path: string;
  /** Bytes are packed by gzip. */
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
  /** Default: JSON. */
  readonly type?: string;
  readonly accept?: string;
  readonly idempotencyKey?: string | undefined;
}

async function send(
  { origin, credential, timeoutMs, fetch }: TransportOptions,
  { method }: OperationRow,
  { path, body, type = "application/json", accept = "application/json", idempotencyKey }: Sent,
  { signal, payment }: CallOptions,
): Promise<Response> {
  const token = typeof credential === "function" ? await credential() : credential;
  const headers = {
    Accept: accept,
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { "Content-Type": type }),
    ...(body instanceof Uint8Array ? { "Content-Encoding": "gzip" } : {}),
    ...(idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey }),
    ...(payment === undefined ? {} : { "PAYMENT-SIGNATURE": payment }),
  };
  const signals = [AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])];
  const init = { method, headers, ...(body === undefined ? {} : { body }), signal: AbortSignal.any(signals) };
  try {
    // A redirect is not followed, so that the credential goes to this service only.
    return await fetch(`${origin}/api/v1${path}`, { ...init, redirect: "error" });
  } catch (thrown) {
    throw noAnswer(thrown, origin, signal);
  }
}

async function textOf(response: Response, { origin }: TransportOptions, signal?: AbortSignal): Promise<string> {
  try {
    return await response.text();
  } catch (thrown) {
    throw noAnswer(thrown, origin, signal);
  }
}

function noAnswer(thrown: unknown, origin: string, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  if ((thrown as Error)?.name === "TimeoutError")
    return new BeckonError("timeout", `${origin} did not answer in time.`, { cause: thrown });
  return new BeckonError("no_answer", `No answer from ${origin}. Check the address and the connection.`, {
    cause: thrown,
  });
}
