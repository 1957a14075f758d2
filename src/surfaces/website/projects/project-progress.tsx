import type { VNode } from "preact";
import { CHECK_DAYS } from "../../../platform/check-days.ts";
import { DAY, iso } from "../../../platform/clock.ts";
import { formatCount, formatNumber, formatPercent } from "../../../platform/format.ts";
import { StackedStates } from "../charts/stacked-states.tsx";
import { Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { reportPath } from "../shell/addresses.ts";
import { FINDING_LABELS, FINDING_MEANINGS } from "./link-states.ts";
import { FINDINGS, type Finding, isHeldOut, type Progress, type Project } from "./reading.ts";

interface ProgressProps {
  readonly project: Project;
  readonly progress: Progress;
  /** Service time. */
  readonly now: number;
}

/** How far a project is: its rate, the states of its links over time, and how many are in each now. */
export function ProjectProgress({ project, progress, now }: ProgressProps): VNode {
  const { counts, history } = progress;
  return (
    <section class="panel" id="progress" data-live-part>
      <h2>Progress</h2>
      <Headline project={project} counts={counts} />
      <StackedStates
        history={history}
        from={project.createdAt}
        to={Math.max(chartEnd(project, now), progress.next.at(-1)?.at ?? 0)}
        description={describe(project, counts)}
      />
      <Table
        label="URLs by state"
        isNarrow
        rows={FINDINGS.filter((finding) => counts[finding] > 0)}
        columns={[
          { head: "State", cell: (finding) => <State finding={finding} project={project} /> },
          { head: "URLs", isNumber: true, cell: (finding) => formatNumber(counts[finding]) },
          { head: "Share", isNumber: true, cell: (finding) => formatPercent(counts[finding], project.total) },
        ]}
      />
      <p>
        <a href={reportPath(project.id)}>Why: the URLs by reason, host and folder</a>
      </p>
      <details>
        <summary>The chart as a table</summary>
        <Table
          label="URLs by state and day"
          rows={byDay(history)}
          columns={[
            { head: "Time", cell: ({ at }) => <Time at={at} /> },
            ...FINDINGS.filter((finding) => history.some((point) => point.counts[finding] > 0)).map((finding) => ({
              head: FINDING_LABELS[finding],
              isNumber: true,
              cell: (point: Progress["history"][number]) => formatNumber(point.counts[finding]),
            })),
          ]}
        />
      </details>
    </section>
  );
}

/**
 * Service time at which the chart ends: the time of the last check, or now if now is later. The chart of a completed project
 * ends a little after its completion, so that the last change has a width.
 */
export function chartEnd(project: Project, now: number): number {
  const { kind, createdAt, completedAt } = project;
  if (completedAt !== null) return Math.max(completedAt + (completedAt - createdAt) / 24, createdAt + DAY);
  return Math.max(now, createdAt + (kind === "check" && !isHeldOut(project) ? 2 : 14) * DAY);
}

/** What people are told of the outcome, always with its denominator: how many are in Google now, of those submitted. */
function Headline({ project, counts }: { project: Project; counts: Progress["counts"] }): VNode {
  const { total } = project;
  const there = counts.indexed;
  const open = counts.waiting + counts.checking;
  const end =
    project.kind === "check" && !isHeldOut(project)
      ? "are being looked up"
      : `are looked for until day ${CHECK_DAYS.final}`;
  return (
    <p class="headline">
      <strong>{formatNumber(there)}</strong> in Google now, of {formatCount(total, "URL")}{" "}
      {project.kind === "check" ? "looked up" : "submitted"}
      {open > 0 ? `; ${formatNumber(open)} ${end}.` : ` (${formatPercent(there, total)}).`}
      {counts.gone > 0 &&
        ` ${formatNumber(counts.gone)} more ${counts.gone === 1 ? "was" : "were"} there, and gone again.`}
    </p>
  );
}

function State({ finding, project }: { finding: Finding; project: Project }): VNode {
  return (
    <>
      <span class={`state state-${finding}`}>{FINDING_LABELS[finding]}</span>{" "}
      <span class="soft">{FINDING_MEANINGS[project.kind === "check" ? "check" : "index"][finding]}</span>
    </>
  );
}

function describe(project: Project, counts: Progress["counts"]): string {
  const now = FINDINGS.filter((finding) => counts[finding] > 0)
    .map((finding) => `${formatNumber(counts[finding])} ${FINDING_LABELS[finding].toLowerCase()}`)
    .join(", ");
  return `States of ${formatCount(project.total, "URL")} over time. Now: ${now}.`;
}

/** One point for each day of the history, its last. */
function byDay(history: Progress["history"]): Progress["history"] {
  return history.filter(({ at }, index) => iso(history[index + 1]?.at ?? null)?.slice(0, 10) !== iso(at).slice(0, 10));
}
