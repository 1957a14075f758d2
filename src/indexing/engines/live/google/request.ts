import { MINUTE } from "../../../../platform/clock.ts";
import type { ApiRequest, ApiResponse } from "../../../../platform/http-client/http-client.ts";
import { nextMidnight } from "../../../providers/calendar.ts";
import { UpstreamFailure } from "../../../providers/failure.ts";
import { type Api, ask, failureOf, objectIn } from "../api.ts";
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

/** Reasons for an exceeded limit, which come with 429 or 403 (https://cloud.google.com/apis/design/errors). */
const LIMITED = /"(?:RATE_LIMIT_EXCEEDED|RESOURCE_EXHAUSTED|(?:quota|dailyLimit|(?:userR|r)ateLimit)Exceeded)"/;
const PER_DAY = /per ?day|"1\/d\/|"(?:quota|dailyLimit)Exceeded"/i;
const PER_MINUTE = /per ?(?:minute|second)|"1\/min\/|per 100 seconds|"(?:userR|r)ateLimitExceeded"/i;

/**
 * The failure that an unsuccessful answer stands for.
 * @param defaultLimit the limit to assume where Google names none: the daily one (`quota`) or a short one (`rate_limited`)
 */
export function googleFailure(
  api: Api,
  provider: string,
  answer: ApiResponse,
  defaultLimit: "quota" | "rate_limited",
): UpstreamFailure {
  const { status, text } = answer;
  if (status !== 429 && !(status === 403 && LIMITED.test(text))) return failureOf(api, provider, answer);
  const now = api.clock.service();
  const isDaily = PER_DAY.test(text) || (defaultLimit === "quota" && !PER_MINUTE.test(text));
  if (isDaily) return new UpstreamFailure(provider, "quota", { until: nextMidnight(GOOGLE_ZONE, now) });
  const { until } = failureOf(api, provider, { ...answer, status: 429 });
  return new UpstreamFailure(provider, "rate_limited", { until: until ?? now + MINUTE });
}

/** The same answer with the error's status, if status 200 came with a Google error in the body. Otherwise null. */
export function hiddenError(answer: ApiResponse): ApiResponse | null {
  const { error } = objectIn(answer);
  if (error === undefined) return null;
  const { code } = Object(error) as { code?: unknown };
  return { ...answer, status: typeof code === "number" ? code : 400 };
}
