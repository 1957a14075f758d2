import type { VNode } from "preact";
import getExperiment from "../../../../tools/get-experiment.ts";
import type { AnswerOf } from "../../../contract/operation.ts";
import { formatNumber } from "../../../platform/format.ts";
import { PATHS } from "../shell/addresses.ts";
import { readOperation } from "../shell/call-operation.ts";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import type { Project } from "./reading.ts";

type Experiment = AnswerOf<typeof getExperiment>;

const VERDICTS: Readonly<Record<NonNullable<Experiment["verdict"]>, string>> = {
  helped: "Sending has helped",
  no_difference_seen: "No difference was seen",
  hurt: "Pages that were sent are in Google less often",
  cannot_tell: "The groups are too small to tell",
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

/** The groups of an experiment, and what the comparison came to. */
export function ExperimentPanel({ experiment }: { experiment: Experiment }): VNode {
  const { project_id: sentId, control_project_id: heldId, verdict, difference, low, high } = experiment;
  const [sent, held] = [armWords(experiment.sent), armWords(experiment.held)];
  return (
    <section class="panel" id="experiment" data-live-part>
      <h2>Whether sending has helped</h2>
      <p>
        <strong>{verdict === null ? "The result comes when both groups are decided" : VERDICTS[verdict]}</strong>
        {difference !== null && `: ${difference} points (${low} to ${high})`}.
      </p>
      <p>
        <a href={`${PATHS.projects}/${sentId}`}>Sent</a>: {sent}. <a href={`${PATHS.projects}/${heldId}`}>Held out</a>:{" "}
        {held}.
      </p>
    </section>
  );
}

function armWords({ n, found }: Experiment["sent"]): string {
  return found === null ? formatNumber(n) : `${formatNumber(found)} of ${formatNumber(n)} in Google`;
}
