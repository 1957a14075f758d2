import getExperiment from "../../../../tools/get-experiment.ts";
import type { AnswerOf } from "../../../contract/operation.ts";
import { formatNumber } from "../../../platform/format.ts";
import { readOperation } from "../shell/call-operation.ts";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import type { Project } from "./reading.ts";

type Experiment = AnswerOf<typeof getExperiment>;

const VERDICTS: Readonly<Record<NonNullable<Experiment["verdict"]>, string>> = {
  helped: "sending has helped",
  no_difference_seen: "no difference was seen",
  hurt: "pages that were sent are in Google less often",
  cannot_tell: "the groups are too small to tell",
};

/** The experiment of which a project is a part; null if it is of none. */
export async function experimentOf(
  services: WebsiteServices,
  request: SignedInRequest,
  { experimentId }: Project,
): Promise<Experiment | null> {
  return experimentId === null
    ? null
    : readOperation(services, request, getExperiment, { experiment_id: experimentId });
}

/** The groups, and what the comparison came to. */
export function experimentWords({ sent, held, verdict, difference, low, high }: Experiment): string {
  const groups = `${formatNumber(sent.n)} sent, ${formatNumber(held.n)} held out`;
  if (verdict === null) return `${groups}; the result comes when both are decided`;
  const points = difference === null ? "" : `: ${difference} points (${low} to ${high})`;
  return `${groups}; ${VERDICTS[verdict]}${points}`;
}
