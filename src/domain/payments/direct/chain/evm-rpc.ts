import {
  BaseError,
  type Client,
  createClient,
  custom,
  HttpRequestError,
  type PublicActions,
  publicActions,
  RpcRequestError,
  type Transport,
} from "viem";
import { SECOND } from "../../../../platform/clock.ts";
import { ApiFailure, type HttpClient } from "../../../../platform/http-client/http-client.ts";
import { ChainUnreachable } from "./chain.ts";

/** Limits of one answer: its time in ms, and its bytes. */
const TIME_MS = 5 * SECOND;
const BYTES = 4 * 1024 * 1024;

/** A question that a node did not answer is repeated once, after a pause in ms. */
export const RETRY = { retryCount: 1, retryDelay: 200 };

/** Replaces the address, which may hold a key, in any text that viem makes of a failure. */
const URL_SHOWN = "X402_RPC_URL";

/**
 * JSON-RPC over our HTTP client. viem's own transport reads a body for as long as it trickles, and
 * follows redirects.
 */
export function rpcTransport(rpcUrl: string, http: HttpClient): Transport {
  const { url, headers } = credentialsOf(rpcUrl);
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const { status, text } = await http.callApi({
      method: "POST",
      url,
      headers,
      body,
      timeMs: TIME_MS,
      maxBytes: BYTES,
    });
    const said = parsed(text);
    const error = said?.error as { code: number; message: string } | undefined;
    if (typeof error?.code === "number") {
      throw new RpcRequestError({
        body: { method },
        error: { ...error, message: String(error.message) },
        url: URL_SHOWN,
      });
    }
    if (status !== 200 || said?.result === undefined) throw new HttpRequestError({ status, url: URL_SHOWN });
    return said.result;
  };
  return custom({ request }, RETRY);
}

/** The part of viem's client that is used. */
export type NodeClient = Client & PublicActions;

/**
 * A client without viem's deduplication of requests: viem would give simultaneous callers one answer, which may be
 * older than a block that one of them has seen already.
 */
export function openNodeClient(rpcUrl: string, http: HttpClient): NodeClient {
  // Otherwise a contract could make us fetch any URL (ERC-3668).
  const client = createClient({ transport: rpcTransport(rpcUrl, http), ccipRead: false, cacheTime: 0 });
  const ask = client.request;
  const request = ((question: never, options?: object) => ask(question, { ...options, dedupe: false })) as typeof ask;
  return Object.assign(client, { request }).extend(publicActions);
}

/** User and password, which a URL may contain, are sent as a header. */
function credentialsOf(rpcUrl: string): { url: string; headers: Record<string, string> } {
  const url = new URL(rpcUrl);
  const { username, password } = url;
  if (username === "" && password === "") return { url: rpcUrl, headers: {} };
  [url.username, url.password] = ["", ""];
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { url: url.href, headers: { Authorization: `Basic ${Buffer.from(credentials).toString("base64")}` } };
}

function parsed(text: string): { error?: unknown; result?: unknown } | null {
  try {
    const said: unknown = JSON.parse(text);
    return typeof said === "object" ? said : null;
  } catch {
    return null;
  }
}

/**
 * @param what name of the request, for the log.
 * @throws ChainUnreachable for any failure
 */
export async function orUnreachable<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof ChainUnreachable) throw thrown;
    throw new ChainUnreachable(`The chain did not tell ${what}: ${kindOf(thrown)}.`);
  }
}

/** The reason, in our words. */
export function kindOf(thrown: unknown): string {
  const away = findCause(thrown, ApiFailure);
  if (away) return away.problem;
  const refused = findCause(thrown, RpcRequestError);
  if (refused) return `JSON-RPC error ${refused.code}`;
  const status = findCause(thrown, HttpRequestError)?.status;
  return status === undefined || status === 200 ? "its answer makes no sense" : `HTTP status ${status}`;
}

/** JSON-RPC error code of a reverted execution; older nodes say it in the message only. */
const REVERTED = 3;

/** Whether the node gave no answer, as opposed to a contract that reverted. */
export function isAway(thrown: unknown): boolean {
  const refused = findCause(thrown, RpcRequestError);
  if (refused) return refused.code !== REVERTED && !/revert/i.test(refused.details);
  return findCause(thrown, ApiFailure) !== null || findCause(thrown, HttpRequestError) !== null;
}

/** The error of this class among those that viem has wrapped. */
export function findCause<T>(thrown: unknown, kind: abstract new (...args: never) => T): T | null {
  if (thrown instanceof kind) return thrown;
  return thrown instanceof BaseError ? (thrown.walk((one) => one instanceof kind) as T | null) : null;
}
