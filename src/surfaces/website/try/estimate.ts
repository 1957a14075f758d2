import estimateCost from "../../../../tools/estimate-cost.ts";
import type { AnswerOf } from "../../../contract/operation.ts";
import { SIZES } from "../../../platform/sizes.ts";
import type { WebsiteServices } from "../shell/page-request.ts";

export type Estimate = AnswerOf<typeof estimateCost>;

/** What submitting a list would cost, as estimate_cost says it to anybody; null for a list that is too long for a project. */
export async function estimateOf({ executor }: WebsiteServices, urls: readonly string[]): Promise<Estimate | null> {
  if (urls.length > SIZES.urlsPerSubmission) return null;
  const call = { operation: estimateCost, input: { urls }, audience: "program", principal: null } as const;
  return JSON.parse((await executor.run({ ...call, requestsToday: 0 })).text);
}
