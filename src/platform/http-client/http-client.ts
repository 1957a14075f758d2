import { Agent, buildConnector } from "undici";
import type { Config } from "../config/config.ts";
import { version } from "../version.ts";
import { addressesOf } from "./address.ts";
import { ask } from "./call-api.ts";
import { guardedConnector } from "./connect.ts";
import { type Resolve, systemResolve } from "./dns.ts";
import { type Door, visit } from "./fetch-public.ts";
import { HTTP_LIMITS, type HttpLimits } from "./limits.ts";
import { portsOf } from "./target.ts";

/**
 * The one way out of the process. `visit` goes where a user's word leads and is guarded; `ask` calls the API of a
 * provider that the operator configured.
 */
export interface Http {
  /**
   * Fetches a page of the open web with GET. Only http and https, only ports 80 and 443, only addresses that are
   * public unicast, each hop of a redirect looked at anew; FETCH_ALLOW_CIDRS and FETCH_ALLOW_PORTS widen this.
   * @throws FetchFailure
   */
  visit(url: string, options: VisitOptions): Promise<Visit>;
  /** Calls a provider. No redirects, no cookies. @throws AskFailure */
  ask(request: Ask): Promise<Answered>;
  close(): Promise<void>;
}

export interface VisitOptions {
  readonly accept: string;
  /** For the whole of it, redirects and body included, in ms. */
  readonly timeMs: number;
  /** Most bytes as sent, and as they are after Content-Encoding. */
  readonly wireBytes: number;
  readonly bytes: number;
  /** Redirects followed; default 5. */
  readonly redirects?: number;
  /** Follows a redirect only to the same host, and never from https to http. */
  readonly sameHost?: boolean;
  readonly signal?: AbortSignal;
}

export interface Visit {
  readonly status: number;
  /** Where the last redirect led. */
  readonly url: string;
  /** Lower-case names; repeated ones joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded; throws FetchFailure `too_large`, `timeout`, `broken`. Read it to the end, or call `drop`. */
  readonly body: AsyncIterable<Buffer>;
  /** Lets go of a body that is not wanted. */
  drop(): void;
}

export interface Ask {
  readonly method: "GET" | "POST" | "PUT";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For the whole of it, in ms. */
  readonly timeMs: number;
  /** Most bytes of the answer; default 16 MiB. */
  readonly bytes?: number;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export { AskFailure, FetchFailure, type FetchProblem } from "./failure.ts";

/** What tests put in the place of the world. */
export interface Outside {
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
  readonly limits?: Partial<HttpLimits>;
  /** Certificate in PEM that visits trust in place of the public authorities. */
  readonly ca?: string;
}

/** @throws Error naming FETCH_ALLOW_CIDRS when a part of it is no network */
export function createHttp(config: HttpSettings, outside: Outside = {}): Http {
  const { resolve = systemResolve, limits: own, ca } = outside;
  const limits = { ...HTTP_LIMITS, ...own };
  const agentOf = (connect: buildConnector.connector, headersTimeout: number) =>
    new Agent({
      connect,
      headersTimeout,
      bodyTimeout: 0,
      maxHeaderSize: limits.headerBytes,
      keepAliveTimeout: limits.idleMs,
      keepAliveMaxTimeout: limits.idleMs,
    });
  const guarded = guardedConnector(addressesOf(config.fetchAllowCidrs), resolve, limits, ca);
  const agent = agentOf(guarded, limits.headersMs);
  const userAgent = userAgentOf(config);
  const door: Door = { agent, ports: portsOf(config.fetchAllowPorts), userAgent, limits };
  const providers = agentOf(buildConnector({ timeout: limits.connectMs }), 0);
  return {
    visit: (url, options) => visit(door, url, options),
    ask: (request) => ask(providers, userAgent, request),
    async close() {
      await Promise.all([agent.destroy(), providers.destroy()]);
    },
  };
}

type HttpSettings = Pick<Config, "siteUrl" | "fetchAllowCidrs" | "fetchAllowPorts" | "contact">;

/** How we name ourselves to every server, with a place where to complain. */
export function userAgentOf({ siteUrl, contact }: Pick<Config, "siteUrl" | "contact">): string {
  return `Beckon/${version} (+${contact ?? `${siteUrl}/bot`})`;
}
