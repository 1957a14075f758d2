import { isHeldOut, lanesOf, scheduledAt } from "../../domain/projects/create.ts";
import { accessFact } from "../../domain/projects/new-facts.ts";
import type { ProjectRow, StepRow } from "../../domain/projects/read.ts";
import type { PageReport } from "../preflight/report.ts";
import type { Member } from "./members.ts";
import { type NextStep, Partition } from "./partition.ts";
import { day4Check, retrySend } from "./schedule.ts";

/** How often a page is tried that could not be fetched in time. After that it is sent without a preflight. */
const PREFLIGHT_TRIES = 24;

/** Decides what follows from a preflight. @param now service time */
export function decidePreflight(
  project: ProjectRow,
  step: StepRow,
  fetched: readonly (Member & { report: PageReport })[],
  now: number,
): Partition {
  const partition = new Partition();
  for (const { position, report } of fetched) {
    if (report.access) partition.fact(position, accessFact(report.access, report.changedAt));
    const warnings = report.warnings.length > 0 ? { warnings: report.warnings.join(" ") } : {};
    if (report.refusal) {
      partition.move(position, { from: "waiting", to: "failed", patch: { error: report.refusal, ...warnings } });
      partition.done(position);
      continue;
    }
    const isFetched = !report.warnings.includes("not_looked_at");
    if (!isFetched && project.mode !== "instant" && step.tries + 1 < PREFLIGHT_TRIES) {
      const tries = step.tries + 1;
      partition.next(position, { action: "preflight", stage: "none", dueAt: retrySend(now, 1, undefined), tries });
      continue;
    }
    if (report.warnings.length > 0) partition.move(position, { from: "waiting", to: "waiting", patch: warnings });
    if (isHeldOut(project)) partition.next(position, day4Check(scheduledAt(project, position)));
    else if (project.skipIndexed) partition.next(position, { action: "check", stage: "before_sending", dueAt: now });
    else sendToAll(project, partition, position, now);
  }
  return partition;
}

/** Sends the link to every engine of its project. The other lanes have waited for its preflight or check. */
export function sendToAll(project: ProjectRow, partition: Partition, position: number, now: number): void {
  const send: NextStep = { action: "send", stage: "none", dueAt: now };
  partition.next(position, send);
  for (const lane of lanesOf(project)) if (lane !== "google") partition.nextInLane(position, lane, send);
}
