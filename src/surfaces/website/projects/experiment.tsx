import type { VNode } from "preact";
import getExperiment from "../../../../tools/get-experiment.ts";
import type { AnswerOf } from "../../../contract/operation.ts";
import { CHECK_DAYS } from "../../../platform/check-days.ts";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { Facts } from "../components/facts.tsx";
import { PATHS } from "../shell/addresses.ts";
import { readOperation } from "../shell/call-operation.ts";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import type { Project } from "./domain.ts";

type Experiment = AnswerOf<typeof getExperiment>;

/** What the comparison came to, in a sentence. */
function verdictWords({ verdict, difference, low, high, smallest_lift_seen: seen }: Experiment): string {
  const range = `(${low} to ${high})`;
  switch (verdict) {
    case null:
      return `The result comes when both groups have had their check of day ${CHECK_DAYS.final}.`;
    case "helped":
      return `Sending helped: ${difference} percentage points more of the sent pages are in Google ${range}.`;
    case "hurt":
      return `Fewer of the sent pages are in Google, by ${-difference!} percentage points ${range}.`;
    case "no_difference_seen":
      return `No difference was seen: it is between ${low} and ${high} percentage points.`;
    case "cannot_tell":
      return `The groups are too small to tell.${seen === null ? "" : ` They would show a difference of ${seen} percentage points.`}`;
  }
}

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
  const { sent, held, project_id: sentId, control_project_id: heldId } = experiment;
  return (
    <section class="panel" id="experiment" data-live-part>
      <h2>Did sending help?</h2>
      <p>{verdictWords(experiment)}</p>
      <Facts
        rows={[
          [
            "Sent",
            <a key="sent" href={`${PATHS.projects}/${sentId}`}>
              {armWords(sent)}
            </a>,
          ],
          [
            "Held out",
            <a key="held" href={`${PATHS.projects}/${heldId}`}>
              {armWords(held)}
            </a>,
          ],
          ["Sent by another project", elsewhereWords(experiment)],
        ]}
      />
    </section>
  );
}

function armWords({ n, found, unknown }: Experiment["sent"]): string {
  if (found === null) return formatCount(n, "page");
  return `${formatNumber(found)} of ${formatNumber(n)} in Google${unknown ? `, ${formatNumber(unknown)} unknown` : ""}`;
}

/** Pages of both groups that another project has sent meanwhile; null: there are none. */
function elsewhereWords({ sent, held }: Experiment): string | null {
  const count = sent.sent_elsewhere + held.sent_elsewhere;
  return count === 0 ? null : `${formatCount(count, "page")}, ${formatNumber(held.sent_elsewhere)} of them held out`;
}
