import { Agent, buildConnector } from "undici";
import type { Config } from "../config/config.ts";
import { version } from "../version.ts";
import { addressPolicy } from "./address.ts";
import { type ApiRequest, type ApiResponse, callApi } from "./call-api.ts";
import { guardedConnector } from "./connect.ts";
import { type Resolve, systemResolve } from "./dns.ts";
import { type FetchOptions, fetchPublic, type PublicFetcher, type PublicResponse } from "./fetch-public.ts";
import { HTTP_LIMITS, type HttpLimits } from "./limits.ts";
import { portsOf } from "./target.ts";

export type { ApiRequest, ApiResponse } from "./call-api.ts";
export { ApiFailure, FetchFailure, type FetchProblem } from "./failure.ts";
export type { FetchOptions, PublicResponse } from "./fetch-public.ts";

/** Sends every HTTP request of the process. */
export interface HttpClient {
  /**
   * Fetches a URL that a stranger chose, with GET. Only http and https, only ports 80 and 443, only addresses that are
   * public unicast, checked again at each redirect; FETCH_ALLOW_CIDRS and FETCH_ALLOW_PORTS allow more.
   * @throws FetchFailure
   */
  fetchPublic(url: string, options: FetchOptions): Promise<PublicResponse>;
  /** Calls the API of a provider that the operator configured. No redirects, no cookies. @throws ApiFailure */
  callApi(request: ApiRequest): Promise<ApiResponse>;
  close(): Promise<void>;
}

/** Parts of the network that tests replace. */
export interface HttpOverrides {
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
  readonly limits?: Partial<HttpLimits>;
  /** Certificate in PEM that `fetchPublic` trusts in place of the public authorities. */
  readonly ca?: string;
}

/** @throws Error naming FETCH_ALLOW_CIDRS when a part of it is no network */
export function createHttpClient(config: HttpSettings, overrides: HttpOverrides = {}): HttpClient {
  const { resolve = systemResolve, limits: own, ca } = overrides;
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
  const guarded = guardedConnector(addressPolicy(config.fetchAllowCidrs), resolve, limits, ca);
  const agent = agentOf(guarded, limits.headersMs);
  const userAgent = userAgentOf(config);
  const fetcher: PublicFetcher = { agent, ports: portsOf(config.fetchAllowPorts), userAgent, limits };
  const apis = agentOf(buildConnector({ timeout: limits.connectMs }), 0);
  return {
    fetchPublic: (url, options) => fetchPublic(fetcher, url, options),
    callApi: (request) => callApi(apis, userAgent, request),
    async close() {
      await Promise.all([agent.destroy(), apis.destroy()]);
    },
  };
}

type HttpSettings = Pick<Config, "siteUrl" | "fetchAllowCidrs" | "fetchAllowPorts" | "contact">;

/** The User-Agent of every request, with an address for complaints. */
export function userAgentOf({ siteUrl, contact }: Pick<Config, "siteUrl" | "contact">): string {
  return `Beckon/${version} (+${contact ?? `${siteUrl}/bot`})`;
}
