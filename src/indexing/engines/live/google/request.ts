import { MINUTE } from "../../../../platform/clock.ts";
import type { ApiRequest, ApiResponse } from "../../../../platform/http-client/http-client.ts";
import { nextMidnight } from "../../../providers/calendar.ts";
import { UpstreamFailure } from "../../../providers/failure.ts";
import { type Api, ask, failureOf, objectIn } from "../api.ts";
import { tokensOf } from "./token.ts";

/** Where Google's days begin. */
export const GOOGLE_ZONE = "America/Los_Angeles";

/** Calls an API of Google in the name of the service account. @throws UpstreamFailure when there is no answer */
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

/** Words by which Google says that it is too much, with 429 or 403 (https://cloud.google.com/apis/design/errors). */
const LIMITED = /"(?:RATE_LIMIT_EXCEEDED|RESOURCE_EXHAUSTED|(?:quota|dailyLimit|(?:userR|r)ateLimit)Exceeded)"/;
const PER_DAY = /per ?day|"1\/d\/|"(?:quota|dailyLimit)Exceeded"/i;
const SHORT = /per ?(?:minute|second)|"1\/min\/|per 100 seconds|"(?:userR|r)ateLimitExceeded"/i;

/**
 * What an answer that is no success means.
 * @param unsaid which limit it is where Google does not say: the day's (`quota`) or that of a moment
 */
export function googleFailure(
  api: Api,
  provider: string,
  answer: ApiResponse,
  unsaid: "quota" | "rate_limited",
): UpstreamFailure {
  const { status, text } = answer;
  if (status !== 429 && !(status === 403 && LIMITED.test(text))) return failureOf(api, provider, answer);
  const now = api.clock.service();
  const isDaily = PER_DAY.test(text) || (unsaid === "quota" && !SHORT.test(text));
  if (isDaily) return new UpstreamFailure(provider, "quota", { until: nextMidnight(GOOGLE_ZONE, now) });
  const { until } = failureOf(api, provider, { ...answer, status: 429 });
  return new UpstreamFailure(provider, "rate_limited", { until: until ?? now + MINUTE });
}

/** An error in Google's form inside an answer that says 200: the answer as it should have been, else null. */
export function hiddenError(answer: ApiResponse): ApiResponse | null {
  const { error } = objectIn(answer);
  if (error === undefined) return null;
  const { code } = Object(error) as { code?: unknown };
  return { ...answer, status: typeof code === "number" ? code : 400 };
}
