import type { VNode } from "preact";
import { CHECK_DAYS } from "../../../platform/check-days.ts";
import { DAY } from "../../../platform/clock.ts";
import { formatCount } from "../../../platform/format.ts";
import { relativeTime, Time } from "../components/time.tsx";
import type { Progress, Project } from "./domain.ts";

/** How many steps a page names; a spread project has hundreds. */
const SHOWN = 4;

interface NextProps {
  readonly project: Project;
  readonly next: Progress["next"];
  /** Service time. */
  readonly now: number;
}

/** What happens next in a project, and when; nothing where every URL is decided. */
export function ProjectNext({ project, next, now }: NextProps): VNode | null {
  if (project.completedAt !== null) return null;
  const groups = withinADay(next);
  return (
    <section class="panel" id="next" data-live-part>
      <h2>What happens next</h2>
      {groups.length === 0 ? (
        <p>Nothing is planned.</p>
      ) : (
        <ul class="steps">
          {groups.slice(0, SHOWN).map((step) => (
            <li key={`${step.action} ${step.stage} ${step.from}`}>
              {wordsOf(step)}
              <br />
              <span class="soft">
                <Time at={step.from} />, {step.from <= now ? "due now" : relativeTime(step.from, now)}
                {step.to > step.from && ", and in the 24 hours after"}
              </span>
            </li>
          ))}
          {groups.length > SHOWN && <li class="soft">and {formatCount(groups.length - SHOWN, "later step")}</li>}
        </ul>
      )}
    </section>
  );
}

/** Steps of one kind that begin within a day of each other are one line. */
interface Step extends Pick<Progress["next"][number], "action" | "stage" | "links"> {
  /** Service time of the first and of the last. */
  readonly from: number;
  readonly to: number;
}

function withinADay(next: Progress["next"]): Step[] {
  const groups: Step[] = [];
  for (const { action, stage, links, at } of next) {
    const index = groups.findIndex(
      (group) => group.action === action && group.stage === stage && at - group.from < DAY,
    );
    const group = groups[index];
    if (group) groups[index] = { ...group, links: group.links + links, to: at };
    else groups.push({ action, stage, links, from: at, to: at });
  }
  return groups;
}

function wordsOf({ action, stage, links }: Step): string {
  const urls = formatCount(links, "URL");
  if (action === "preflight") return `${urls}: fetch the page, and see whether it may be indexed`;
  if (action === "send") return `${urls}: send to the search engines`;
  if (action === "resend")
    return `${urls}: send to Google once more, since it was not found on day ${CHECK_DAYS.first}`;
  if (stage === "before_sending") return `${urls}: look up in Google, and send those that it does not have`;
  const day =
    stage === "day_4"
      ? ` on day ${CHECK_DAYS.first}`
      : stage === "day_14"
        ? ` on day ${CHECK_DAYS.final}, for the last time`
        : "";
  return `${urls}: look up in Google${day}`;
}
