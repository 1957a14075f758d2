import type { ComponentChildren, VNode } from "preact";
import { CHECK_DAYS } from "../../../platform/check-days.ts";
import { DAY } from "../../../platform/clock.ts";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { Day } from "../components/time.tsx";
import { isHeldOut, type Progress, type Project } from "./domain.ts";
import { linksPath } from "./link-query.ts";

interface ResultLineProps {
  readonly project: Project;
  readonly progress: Progress;
  /** When its links were first found, as get_report says. */
  readonly foundByDay: readonly { readonly day: number; readonly count: number }[];
  /** Service time. */
  readonly now: number;
}

/**
 * What came of a project so far: “153 of 200 in Google · 115 by day 4 · 43 credits back”. The one rate that people are told is
 * how many are in Google now, of those submitted.
 */
export function ResultLine(props: ResultLineProps): VNode {
  const { project, progress } = props;
  const { creditsReturned, completedAt } = project;
  return (
    <p class="result">
      {progress.lookedUp > 0 || completedAt !== null ? <Result {...props} /> : <NotYet {...props} />}
      {creditsReturned > 0 && (
        <Part>
          <a href="#returned">{formatNumber(creditsReturned)}</a> {creditsReturned === 1 ? "credit" : "credits"} back
        </Part>
      )}
    </p>
  );
}

function NotYet({ project, progress }: ResultLineProps): VNode {
  const first = progress.next.find(({ action }) => action === "check");
  const noun = isSent(project) ? "submitted" : isHeldOut(project) ? "held out" : "to look up";
  return (
    <>
      <span class="lead">{formatCount(project.total, "URL")}</span> {noun}
      <Part>not looked up in Google yet</Part>
      {first ? (
        <Part>
          first check <Day at={first.at} />
        </Part>
      ) : (
        isSent(project) && <Part>first check {CHECK_DAYS.first} days after each is sent</Part>
      )}
    </>
  );
}

function Result({ project, progress, foundByDay, now }: ResultLineProps): VNode {
  const { id, total, completedAt, alreadyIndexed, createdAt } = project;
  const { counts } = progress;
  const byFirst = foundByDay.filter(({ day }) => day <= CHECK_DAYS.first).reduce((sum, { count }) => sum + count, 0);
  const hadFirst = now >= createdAt + CHECK_DAYS.first * DAY && isSent(project) && counts.failed < total;
  const link = (parameters: Parameters<typeof linksPath>[1], count: number) => (
    <a href={linksPath(id, parameters)}>{formatNumber(count)}</a>
  );
  return (
    <>
      <span class="lead">
        {link({ status: "indexed" }, counts.indexed)} of <a href={linksPath(id, {})}>{formatNumber(total)}</a>
      </span>{" "}
      in Google{completedAt === null && " so far"}
      {hadFirst && (
        <Part>
          {link({ found: String(CHECK_DAYS.first) }, byFirst)} by day {CHECK_DAYS.first}
        </Part>
      )}
      {counts.gone > 0 && <Part>{link({ status: "gone" }, counts.gone)} gone</Part>}
      {alreadyIndexed > 0 && (
        <Part>{link({ reason: "already_indexed" }, alreadyIndexed)} were there before, and not sent</Part>
      )}
      {counts.checking > 0 && (
        <Part>
          {link({ status: "checking" }, counts.checking)} {openWords(project)}
        </Part>
      )}
      {counts.waiting > 0 && (
        <Part>
          {link({ status: "waiting" }, counts.waiting)} {isSent(project) ? "still to send" : "still to look up"}
        </Part>
      )}
    </>
  );
}

/** What stands after a dot. */
function Part({ children }: { children: ComponentChildren }): VNode {
  return <> · {children}</>;
}

function openWords(project: Project): string {
  return isSent(project) || isHeldOut(project) ? `looked for until day ${CHECK_DAYS.final}` : "being looked up";
}

/** A project that only checks its URLs sends none. */
function isSent({ kind }: Project): boolean {
  return kind === "index";
}
