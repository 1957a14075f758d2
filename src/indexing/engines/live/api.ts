import type { Clock } from "../../../platform/clock.ts";
import type { ProviderSettings } from "../../../platform/config/config.ts";
import {
  ApiFailure,
  type ApiRequest,
  type ApiResponse,
  type HttpClient,
} from "../../../platform/http-client/http-client.ts";
import { retryAfter } from "../../../platform/http-client/retry-after.ts";
import { UpstreamFailure } from "../../providers/failure.ts";
import type { Quota } from "../../providers/quota.ts";

/** Dependencies of every provider's adapter. */
export interface Api {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly settings: ProviderSettings;
}

/** Time limit of one call of a provider. */
const TIMEOUT_MS = 60_000;

/** The base URL of a provider's API: the documented one, unless PROVIDER_URLS names another. */
export function baseOf({ settings }: Api, provider: string, documented: string): string {
  return settings.urls[provider] ?? documented;
}

/** A provider's quota. The smaller of its daily limit and the operator's budget applies; the operator's price replaces the list price. */
export function quotaOf({ settings }: Api, provider: string, more: Partial<Quota> = {}): Quota {
  const limit = more.daily ?? null;
  const budget = settings.budgets[provider] ?? null;
  const daily = limit === null || budget === null ? (limit ?? budget) : Math.min(limit, budget);
  const dollars = settings.prices[provider];
  const price = dollars === undefined ? (more.price ?? 0) : Math.round(dollars * 1_000_000);
  return { name: provider, zone: "UTC", ...more, price, daily };
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

/** The failure that an unsuccessful status stands for, where the provider gives it no meaning of its own. */
export function failureOf(api: Api, provider: string, { status, headers }: ApiResponse): UpstreamFailure {
  const until = retryAfter(headers, api.clock);
  if (status === 401 || status === 403) return new UpstreamFailure(provider, "unauthorized");
  if (status === 402) return new UpstreamFailure(provider, "quota");
  if (status === 429) return new UpstreamFailure(provider, "rate_limited", { until });
  // The upstream itself answers 503. Any other 5xx may come from a gateway in front of an upstream that acted.
  if (status >= 500) return new UpstreamFailure(provider, "server_error", { until, mayHaveArrived: status !== 503 });
  if (status >= 400) return new UpstreamFailure(provider, "refused");
  return new UpstreamFailure(provider, "bad_answer");
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
  const { provider, kind, until } = thrown;
  throw new UpstreamFailure(provider, kind, { until, mayHaveArrived: false });
}
