import type { GetReportAnswer } from "../generated/calls.ts";
import type { Project } from "../generated/shapes.ts";
import { countsOf } from "./findings.ts";
import { list } from "./table.ts";

/** A project in a few lines. @param groups of its report; absent where nothing can be known of its URLs yet */
export function projectText(project: Project, groups: GetReportAnswer["groups"] = []): string {
  const { id, name, kind, mode, status, counts, credits_spent, credits_returned, dashboard_url } = project;
  return list({
    project: id,
    name,
    kind: mode === null ? kind : `${kind}, ${mode}`,
    status,
    progress: progressText(project),
    URLs: counts.total,
    ...countsOf(groups, kind === "check"),
    credits: `${credits_spent} spent, ${credits_returned} returned`,
    page: dashboard_url,
  });
}

const BAR = 12;

/** How far a project is, on one line of less than 40 characters. */
export function progressText({ counts, status }: Project): string {
  const { total, waiting, checking } = counts;
  const decided = total - waiting - checking;
  const filled = total === 0 ? BAR : Math.floor((decided / total) * BAR);
  const bar = "#".repeat(filled).padEnd(BAR, ".");
  const rest = status === "completed" ? "done" : `${waiting} waiting`;
  return `[${bar}] ${decided}/${total}, ${rest}`;
}
