import type { VNode } from "preact";
import { CHECK_DAYS } from "../../../platform/check-days.ts";
import { DAY } from "../../../platform/clock.ts";
import { formatCount, formatDays, formatNumber } from "../../../platform/format.ts";
import { FoundLine } from "../charts/found-line.tsx";
import { Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { isHeldOut, type Progress, type Project } from "./domain.ts";
import { linksPath } from "./link-query.ts";

interface FoundChartProps {
  readonly project: Project;
  readonly progress: Progress;
  /** What get_report says of it. */
  readonly report: {
    readonly found_by_day: readonly { readonly day: number; readonly count: number }[];
    readonly median_days: number | null;
  };
  /** Service time. */
  readonly now: number;
}

/** The pages of a project that were found, by day. A check has no days: it looks each page up once, as soon as it can. */
export function FoundChart({ project, progress, report, now }: FoundChartProps): VNode | null {
  const { history, next, counts } = progress;
  if (project.kind === "check" && !isHeldOut(project)) return null;
  const last = history.at(-1)!;
  const to = Math.max(chartEnd(project, now), next.at(-1)?.at ?? 0);
  const dropped = last.found - last.inGoogle;
  return (
    <section class="panel" id="found" data-live-part>
      <h2>Pages found by day</h2>
      <FoundLine
        points={history}
        total={project.total}
        from={project.createdAt}
        to={to}
        next={next.find(({ action, at }) => action === "check" && at > now)?.at ?? null}
        description={`Of ${formatCount(project.total, "page")}, ${formatNumber(last.found)} found so far; ${formatNumber(counts.indexed)} in Google now${dropped > 0 ? `, ${formatNumber(dropped)} dropped out again` : ""}. The days are in the table below.`}
      />
      <p class="soft">
        {dropped > 0 && `The band below the line: ${formatCount(dropped, "page")} found and not there any more. `}
        {report.median_days !== null &&
          `Half of the pages that were found were found within ${report.median_days < 1 ? "a day" : formatDays(report.median_days)} of sending.`}
      </p>
      <Days {...{ project, history, report }} />
    </section>
  );
}

/** The picture as text. */
function Days({ project, history, report }: Pick<FoundChartProps, "project" | "report"> & Pick<Progress, "history">) {
  let sum = 0;
  const found = report.found_by_day.map(({ day, count }) => {
    sum += count;
    return { day, count, until: sum };
  });
  return (
    <details>
      <summary>The days as a table</summary>
      {found.length > 0 && (
        <Table
          label="Pages first found, by day after sending"
          isNarrow
          rows={found}
          columns={[
            { head: "Day after sending", cell: ({ day }) => `Day ${day}` },
            { head: "First found", isNumber: true, cell: ({ count }) => formatNumber(count) },
            {
              head: "By then",
              isNumber: true,
              cell: ({ day, until }) => (
                <a href={linksPath(project.id, { found: String(day) })}>{formatNumber(until)}</a>
              ),
            },
          ]}
        />
      )}
      <Table
        label="Pages in Google, by time"
        isNarrow
        rows={changesOf(history)}
        columns={[
          { head: "Since", cell: ({ at }) => <Time at={at} /> },
          { head: "In Google", isNumber: true, cell: ({ inGoogle }) => formatNumber(inGoogle) },
          { head: "Dropped", isNumber: true, cell: (point) => formatNumber(point.found - point.inGoogle) },
        ]}
      />
    </details>
  );
}

/** The points at which something changed. */
function changesOf(history: Progress["history"]): Progress["history"] {
  return history.filter(({ found, inGoogle }, index) => {
    const before = history[index - 1];
    return !before || found !== before.found || inGoogle !== before.inGoogle;
  });
}

/**
 * Service time at which the chart ends: the time of the last check, or now if now is later. The chart of a completed project
 * ends a little after its completion, so that the last change has a width.
 */
export function chartEnd(project: Project, now: number): number {
  const { createdAt, completedAt, dripDays } = project;
  if (completedAt !== null) return Math.max(completedAt + (completedAt - createdAt) / 24, createdAt + DAY);
  return Math.max(now, createdAt + (dripDays + CHECK_DAYS.final) * DAY);
}
