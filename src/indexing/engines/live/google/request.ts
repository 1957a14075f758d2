import type { ApiRequest, ApiResponse } from "../../../../platform/http-client/http-client.ts";
import type { Concern, FailureKind, UpstreamFailure } from "../../../providers/failure.ts";
import { type Answers, type Api, ask, failureOf, objectIn } from "../api.ts";
import { tokensOf } from "./token.ts";

/** Time zone of Google's daily quotas. */
export const GOOGLE_ZONE = "America/Los_Angeles";

/** Calls a Google API as the service account. @throws UpstreamFailure when there is no answer */
export async function askGoogle(
  api: Api,
  provider: string,
  scope: string,
  { headers, ...request }: Omit<ApiRequest, "timeMs">,
): Promise<ApiResponse> {
  const tokens = tokensOf(api);
  const token = await tokens.of(provider, scope);
  const answer = await ask(api, provider, { ...request, headers: { ...headers, Authorization: `Bearer ${token}` } });
  if (answer.status === 401) tokens.forget(scope, token);
  return answer;
}

/**
 * Reasons that come with status 403 or 429, in the forms of google.rpc.ErrorInfo and of older APIs
 * (https://cloud.google.com/apis/design/errors, https://developers.google.com/search/apis/indexing-api/v3/core-errors).
 * The others of 403 are about the site.
 */
const REASONS: Readonly<Record<string, "limit" | "unauthorized">> = {
  RATE_LIMIT_EXCEEDED: "limit",
  RESOURCE_EXHAUSTED: "limit",
  quotaExceeded: "limit",
  dailyLimitExceeded: "limit",
  rateLimitExceeded: "limit",
  userRateLimitExceeded: "limit",
  ACCESS_TOKEN_SCOPE_INSUFFICIENT: "unauthorized",
  BILLING_DISABLED: "unauthorized",
  CONSUMER_INVALID: "unauthorized",
  CONSUMER_SUSPENDED: "unauthorized",
  IAM_PERMISSION_DENIED: "unauthorized",
  SERVICE_DISABLED: "unauthorized",
  USER_PROJECT_DENIED: "unauthorized",
  accessNotConfigured: "unauthorized",
  accountDeleted: "unauthorized",
  accountDisabled: "unauthorized",
  accountUnverified: "unauthorized",
  insufficientPermissions: "unauthorized",
};
const DISABLED = /has not been used in project|it is disabled/;
const PER_DAY = /per ?day|"1\/d\/|"(?:quota|dailyLimit)Exceeded"/i;
const PER_MINUTE = /per ?(?:minute|second)|"1\/min\/|per 100 seconds|"(?:userR|r)ateLimitExceeded"/i;

/**
 * The failure that an unsuccessful answer stands for.
 * @param answers what statuses mean for this API. For 429 it is the limit to assume where Google names none: that of
 * the day (`quota`) or a short one (`rate_limited`, the default)
 */
export function googleFailure(api: Api, provider: string, answer: ApiResponse, answers: Answers = {}): UpstreamFailure {
  const { status, text } = answer;
  const reasons = reasonsIn(answer).map((reason) => REASONS[reason]);
  const isDenied = status === 403;
  if (isDenied && (reasons.includes("unauthorized") || DISABLED.test(text))) {
    return failureOf(api, provider, answer, { 403: "unauthorized" });
  }
  if (status !== 429 && !(isDenied && reasons.includes("limit"))) return failureOf(api, provider, answer, answers);
  const [usual, concerns] = [answers[429] ?? "rate_limited"].flat() as [FailureKind, Concern?];
  const kind = PER_DAY.test(text) ? "quota" : PER_MINUTE.test(text) ? "rate_limited" : usual;
  // The limit of a site is one among others, and Google says when another one was exceeded.
  const whole = /per ?(?:project|user)/i.test(text) ? "credential" : concerns;
  return failureOf(api, provider, answer, { [status]: whole === undefined ? kind : [kind, whole] });
}

function reasonsIn(answer: ApiResponse): string[] {
  const { status, errors, details } = Object(objectIn(answer).error) as Record<string, unknown>;
  const items = [errors, details].flatMap((list) => (Array.isArray(list) ? list : []));
  return [status, ...items.map((item) => item?.reason)].filter((reason) => typeof reason === "string");
}

/** The same answer with the error's status, if status 200 came with a Google error in the body. Otherwise null. */
export function hiddenError(answer: ApiResponse): ApiResponse | null {
  const { error } = objectIn(answer);
  if (error === undefined) return null;
  const { code } = Object(error) as { code?: unknown };
  return { ...answer, status: typeof code === "number" ? code : 400 };
}
