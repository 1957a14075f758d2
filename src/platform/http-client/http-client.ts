import { isIP } from "node:net";
import { lazily } from "../concurrency.ts";
import type { Config } from "../config/config.ts";
import { hasDemoAccount } from "../config/local.ts";
import { isLoopbackHost } from "../loopback.ts";
import { parseUrl } from "../text.ts";
import { version } from "../version.ts";
import { type AddressPolicy, addressPolicy } from "./address.ts";
import type { Agents } from "./agents.ts";
import { type ApiRequest, type ApiResponse, callApi } from "./call-api.ts";
import { hasNameIn, type NameLookups, type Resolve, resolveAllowed, systemNames, systemResolve } from "./dns.ts";
import { FetchFailure, fetchFailureOf } from "./failure.ts";
import { type FetchOptions, fetchPublic, type PublicFetcher, type PublicResponse } from "./fetch-public.ts";
import { HTTP_LIMITS, type HttpLimits } from "./limits.ts";
import { type PostOptions, type PostResponse, postPublic } from "./post-public.ts";
import { ANY_PORT, portsOf, targetOf } from "./target.ts";

export type { ApiRequest, ApiResponse } from "./call-api.ts";
export { API_PROBLEMS, ApiFailure, FETCH_DETAILS, FetchFailure, type FetchProblem } from "./failure.ts";
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
   * Sends a message to a URL that a stranger chose, with POST. Allowed are the addresses of
   * `fetchPublic`, and in a sandbox that listens on this machine alone also this machine's. Redirects are not followed.
   * @throws FetchFailure
   */
  postPublic(url: string, options: PostOptions): Promise<PostResponse>;
  /** Looks up the host of a URL, without connecting. @throws FetchFailure when `postPublic` would not connect to it now */
  checkPublic(url: string): Promise<void>;
  /** Whether an address has a name in one of the domains that leads back to it. Null: nobody has answered. */
  hasNameIn(address: string, domains: readonly string[]): Promise<boolean | null>;
  /** Calls the API of a provider that the operator configured. No redirects, no cookies. @throws ApiFailure */
  callApi(request: ApiRequest): Promise<ApiResponse>;
  close(): Promise<void>;
}

/** Parts of the network that tests replace. */
export interface HttpOverrides {
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
  /** Default: the system's name servers. */
  readonly names?: NameLookups;
  readonly limits?: Partial<HttpLimits>;
  /** Certificate in PEM that `fetchPublic` trusts in place of the public authorities. */
  readonly ca?: string;
}

/** @throws Error naming FETCH_ALLOW_CIDRS when a part of it is no network */
export function createHttpClient(config: HttpSettings, overrides: HttpOverrides = {}): HttpClient {
  const { resolve = systemResolve, names = systemNames(), limits: own, ca } = overrides;
  const limits = { ...HTTP_LIMITS, ...own };
  const policy = addressPolicy(config.fetchAllowCidrs);
  const userAgent = userAgentOf(config);
  const ports = portsOf(config.fetchAllowPorts);
  let agents: Agents | undefined;
  // Loaded by the first request: a sandbox may never send one.
  const open = lazily(async () => {
    const { openAgents } = await import("./agents.ts");
    agents = openAgents(policy, resolve, limits, ca);
    return agents;
  });
  const fetcher = async (): Promise<PublicFetcher> => ({ agent: (await open()).guarded, ports, userAgent, limits });
  const local = async (): Promise<PublicFetcher> => ({
    ...(await fetcher()),
    agent: (await open()).local,
    ports: ANY_PORT,
  });
  const isLocal = (url: string) => isOnlyLocal(config) && isLoopbackHost(hostnameOf(url));
  return {
    fetchPublic: async (url, options) => fetchPublic(await fetcher(), url, options),
    postPublic: async (url, options) => postPublic(await (isLocal(url) ? local() : fetcher()), url, options),
    async checkPublic(url) {
      if (!isLocal(url)) await checkPublic(targetOf(url, ports), policy, resolve);
    },
    hasNameIn: (address, domains) => hasNameIn(names, address, domains),
    callApi: async (request) => callApi((await open()).apis, userAgent, request),
    close: async () => agents?.close(),
  };
}

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
