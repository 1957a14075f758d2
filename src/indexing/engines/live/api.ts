import type { Clock } from "../../../platform/clock.ts";
import type { ProviderSettings } from "../../../platform/config/config.ts";
import {
  ApiFailure,
  type ApiRequest,
  type ApiResponse,
  type HttpClient,
} from "../../../platform/http-client/http-client.ts";
import { retryAfter } from "../../../platform/http-client/retry-after.ts";
import { type Concern, type FailureKind, UpstreamFailure } from "../../providers/failure.ts";
import type { Quota } from "../../providers/quota.ts";

/** Dependencies of every provider's adapter. */
export interface Api {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly settings: ProviderSettings;
  /** The own connections of accounts; absent where none are used. */
  readonly connections?: ConnectionAccess;
}

/** How calls are made by the own connections of accounts. */
export interface ConnectionAccess {
  /** A token of Google. @param provider the provider that a failure names @throws UpstreamFailure */
  token(connectionId: string, provider: string): Promise<string>;
  /** Drops a token that Google has refused. */
  forget(connectionId: string, token: string): void;
  /** A key of Bing. @throws UpstreamFailure */
  key(connectionId: string, provider: string): Promise<string>;
  /** Has its properties read soon: the other side has refused what they promised. */
  lookSoon(connectionId: string): Promise<void>;
}

/** Time limit of one call of a provider. */
const TIMEOUT_MS = 60_000;

/** The base URL of a provider's API: the documented one, unless PROVIDER_URLS names another. */
export function baseOf({ settings }: Api, provider: string, documented: string): string {
  return settings.urls[provider] ?? documented;
}

/**
 * A provider's quota. The smaller of its daily limit and the operator's budget applies; the operator's price replaces
 * the list price.
 */
export function quotaOf({ settings }: Api, provider: string, more: Partial<Quota> = {}): Quota {
  const limit = more.daily ?? null;
  const budget = settings.budgets[provider] ?? null;
  const daily = limit === null || budget === null ? (limit ?? budget) : Math.min(limit, budget);
  const dollars = settings.prices[provider];
  const price = dollars === undefined ? (more.price ?? 0) : Math.round(dollars * 1_000_000);
  return { provider, site: null, isPerSite: false, zone: "UTC", ...more, price, daily };
}

/** Calls a provider and returns its answer, with any status. @throws UpstreamFailure when there is no answer */
export async function ask({ http }: Api, provider: string, request: Omit<ApiRequest, "timeMs">): Promise<ApiResponse> {
  try {
    return await http.callApi({ timeMs: TIMEOUT_MS, ...request });
  } catch (thrown) {
    if (!(thrown instanceof ApiFailure)) throw thrown;
    const kind = thrown.problem === "broken" ? "bad_answer" : thrown.problem;
    throw new UpstreamFailure(provider, kind, { mayHaveArrived: thrown.mayHaveArrived });
  }
}

/**
 * What a provider's answers mean: the failure for each of its codes or statuses, with whom it concerns where that
 * differs from other failures of its kind.
 */
export type Answers = Readonly<Record<string | number, FailureKind | readonly [FailureKind, Concern]>>;

/** What statuses mean, where the provider gives them no meaning of its own. */
const STATUSES: Answers = {
  400: ["refused", "url"],
  401: "unauthorized",
  402: "quota",
  403: "unauthorized",
  408: "timeout",
  413: ["refused", "url"],
  414: ["refused", "url"],
  422: ["refused", "url"],
  429: "rate_limited",
};

/**
 * The failure that an unsuccessful answer stands for.
 * @param answers what this provider's codes and statuses mean
 * @param code the provider's own code in the answer, if there is one
 */
export function failureOf(
  api: Api,
  provider: string,
  { status, headers }: ApiResponse,
  answers: Answers = {},
  code: unknown = null,
): UpstreamFailure {
  const known = answers[String(code)] ?? answers[status];
  const [kind, concerns] = [known ?? STATUSES[status] ?? kindOf(status)].flat() as [FailureKind, Concern?];
  // The upstream itself answers 503. Any other 5xx may come from a gateway in front of an upstream that acted.
  const isOfGateway = status >= 500 && status !== 503;
  const mayHaveArrived = known === undefined && status >= 400 ? isOfGateway : undefined;
  return new UpstreamFailure(provider, kind, { concerns, until: retryAfter(headers, api.clock), mayHaveArrived });
}

function kindOf(status: number): FailureKind {
  if (status >= 500) return "server_error";
  return status >= 400 ? "refused" : "bad_answer";
}

/** The answer as JSON. @throws UpstreamFailure bad_answer */
export function jsonOf(provider: string, { text }: ApiResponse): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UpstreamFailure(provider, "bad_answer");
  }
}

/** The answer as an object, whatever its status; an empty object where it is not JSON. */
export function objectIn({ text }: ApiResponse): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/**
 * Rethrows the failure of a preliminary request. The call that depends on it was never made. @throws UpstreamFailure
 */
export function notArrived(thrown: unknown): never {
  if (!(thrown instanceof UpstreamFailure)) throw thrown;
  const { provider, kind, ...details } = thrown;
  throw new UpstreamFailure(provider, kind, { ...details, mayHaveArrived: false });
}
