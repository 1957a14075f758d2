import { isIP } from "node:net";
import { Agent, buildConnector } from "undici";
import type { Config } from "../config/config.ts";
import { hasDemoAccount, isLoopbackHost } from "../config/local.ts";
import { parseUrl } from "../text.ts";
import { version } from "../version.ts";
import { type AddressPolicy, addressPolicy } from "./address.ts";
import { type ApiRequest, type ApiResponse, callApi } from "./call-api.ts";
import { guardedConnector } from "./connect.ts";
import { type Resolve, resolveAllowed, systemResolve } from "./dns.ts";
import { FetchFailure, fetchFailureOf } from "./failure.ts";
import { type FetchOptions, fetchPublic, type PublicFetcher, type PublicResponse } from "./fetch-public.ts";
import { HTTP_LIMITS, type HttpLimits } from "./limits.ts";
import { type PostOptions, type PostResponse, postPublic } from "./post-public.ts";
import { ANY_PORT, portsOf, targetOf } from "./target.ts";

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
  /**
   * Sends a message to a URL that a stranger chose, with POST, and drops the answer's body. Allowed are the addresses of
   * `fetchPublic`, and in a sandbox that listens on this machine alone also this machine's. Redirects are not followed.
   * @throws FetchFailure
   */
  postPublic(url: string, options: PostOptions): Promise<PostResponse>;
  /** Looks up the host of a URL, without connecting. @throws FetchFailure when `postPublic` would not connect to it now */
  checkPublic(url: string): Promise<void>;
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
  const policy = addressPolicy(config.fetchAllowCidrs);
  const guarded = guardedConnector(policy, resolve, limits, ca);
  const agent = agentOf(guarded, limits.headersMs);
  const userAgent = userAgentOf(config);
  const fetcher: PublicFetcher = { agent, ports: portsOf(config.fetchAllowPorts), userAgent, limits };
  const local: PublicFetcher = {
    ...fetcher,
    agent: agentOf(guardedConnector(addressPolicy(LOOPBACK), systemResolve, limits), 0),
    ports: ANY_PORT,
  };
  const isLocal = (url: string) => isOnlyLocal(config) && isLoopbackHost(hostnameOf(url));
  const apis = agentOf(buildConnector({ timeout: limits.connectMs }), 0);
  return {
    fetchPublic: (url, options) => fetchPublic(fetcher, url, options),
    postPublic: (url, options) => postPublic(isLocal(url) ? local : fetcher, url, options),
    async checkPublic(url) {
      if (!isLocal(url)) await checkPublic(targetOf(url, fetcher.ports), policy, resolve);
    },
    callApi: (request) => callApi(apis, userAgent, request),
    async close() {
      await Promise.all([agent.destroy(), local.agent.destroy(), apis.destroy()]);
    },
  };
}

/** The networks of this machine itself. */
const LOOPBACK = ["127.0.0.0/8", "::1/128"];

function hostnameOf(url: string): string {
  return parseUrl(url)?.hostname.replace(/^\[|\]$/g, "") ?? "";
}

/** @throws FetchFailure not_public, unresolved */
async function checkPublic({ hostname }: URL, policy: AddressPolicy, resolve: Resolve): Promise<void> {
  const address = hostname.replace(/^\[|\]$/g, "");
  if (isIP(address) === 0) await resolveAllowed(hostname, policy, resolve).catch(rethrowFailure);
  else if (!policy.isAllowed(address)) throw new FetchFailure("not_public");
}

function rethrowFailure(thrown: unknown): never {
  throw fetchFailureOf(thrown);
}

type HttpSettings = Pick<Config, "siteUrl" | "fetchAllowCidrs" | "fetchAllowPorts" | "contact"> &
  Partial<Pick<Config, "mode" | "host">>;

/** Whether the service is a sandbox for this machine alone. */
function isOnlyLocal({ mode, host }: HttpSettings): boolean {
  return mode !== undefined && host !== undefined && hasDemoAccount({ mode, host });
}

/** The User-Agent of every request, with an address for complaints. */
export function userAgentOf({ siteUrl, contact }: Pick<Config, "siteUrl" | "contact">): string {
  return `Beckon/${version} (+${contact ?? `${siteUrl}/bot`})`;
}
