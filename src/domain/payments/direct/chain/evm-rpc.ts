import { setTimeout as sleep } from "node:timers/promises";
import { SECOND } from "../../../../platform/clock.ts";
import { API_PROBLEMS, ApiFailure, type HttpClient } from "../../../../platform/http-client/http-client.ts";
import { ChainUnreachable } from "./chain.ts";

/** Limits of one answer: its time in ms, and its bytes. */
const TIME_MS = 5 * SECOND;
const BYTES = 4 * 1024 * 1024;

/** A question that a node did not answer is repeated once, after a pause in ms. */
export const RETRY = { pauseMs: 200 };

/** A node, asked by JSON-RPC. Every caller gets an answer to a request of its own. */
export interface NodeClient {
  /**
   * @returns the result as the node gave it; nothing about it is certain
   * @throws RpcRefusal, NoResult, ApiFailure
   */
  request(method: string, params?: readonly unknown[]): Promise<unknown>;
}

/** An error of JSON-RPC. Its message is the node's, which may name its address, so that it is in no text of ours. */
export class RpcRefusal extends Error {
  readonly code: number;
  readonly isRevert: boolean;

  constructor(code: number, message: string) {
    super("the node refused");
    this.code = code;
    // Older nodes say it in the message only.
    this.isRevert = code === REVERTED || /revert/i.test(message);
  }
}

/** JSON-RPC error code of a reverted execution. */
const REVERTED = 3;

/** An answer without a result, or one whose status is not 200. */
class NoResult extends Error {
  readonly status: number;

  constructor(status: number) {
    super("the node gave no result");
    this.status = status;
  }
}

export function openNodeClient(rpcUrl: string, http: HttpClient): NodeClient {
  const { url, headers } = credentialsOf(rpcUrl);
  const ask = async (body: string): Promise<unknown> => {
    const limits = { timeMs: TIME_MS, maxBytes: BYTES };
    const { status, text } = await http.callApi({ method: "POST", url, headers, body, ...limits });
    const said = parsed(text);
    const { code, message } = (said?.error ?? {}) as { code?: unknown; message?: unknown };
    if (typeof code === "number") throw new RpcRefusal(code, typeof message === "string" ? message : "");
    if (status !== 200 || said?.result === undefined) throw new NoResult(status);
    return said.result;
  };
  return {
    async request(method, params = []) {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      try {
        return await ask(body);
      } catch (thrown) {
        if (!isPassing(thrown)) throw thrown;
        await sleep(RETRY.pauseMs);
        return ask(body);
      }
    },
  };
}

/** Whether a node that is asked again a moment later may answer. */
function isPassing(thrown: unknown): boolean {
  if (thrown instanceof RpcRefusal) return BUSY_CODES.has(thrown.code);
  return thrown instanceof ApiFailure || (thrown instanceof NoResult && BUSY_STATUSES.has(thrown.status));
}

/** Unknown and internal errors, and the codes by which nodes limit requests: -32005 by EIP-1474, others by providers. */
const BUSY_CODES: ReadonlySet<number> = new Set([-1, 429, -32_005, -32_007, -32_603]);
const BUSY_STATUSES: ReadonlySet<number> = new Set([403, 408, 413, 429, 500, 502, 503, 504]);

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
function kindOf(thrown: unknown): string {
  if (thrown instanceof ApiFailure) return API_PROBLEMS[thrown.problem];
  if (thrown instanceof RpcRefusal) return `JSON-RPC error ${thrown.code}`;
  const isStatus = thrown instanceof NoResult && thrown.status !== 200;
  return isStatus ? `HTTP status ${thrown.status}` : "its answer makes no sense";
}

/** Whether the node gave no answer, as opposed to a contract that reverted, or answered nothing that makes sense. */
export function isAway(thrown: unknown): boolean {
  if (thrown instanceof RpcRefusal) return !thrown.isRevert;
  return thrown instanceof ApiFailure || thrown instanceof NoResult;
}
