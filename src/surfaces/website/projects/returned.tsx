import type { VNode } from "preact";
import { FINDING_LABELS } from "../../../contract/finding-labels.ts";
import { CHECK_DAYS } from "../../../platform/check-days.ts";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { keptForLookups, type Progress, type Project } from "./domain.ts";
import { linksPath } from "./link-query.ts";

interface ReturnedProps {
  readonly project: Project;
  readonly counts: Progress["counts"];
}

/** What came back, and for which URLs. */
export function Returned({ project, counts }: ReturnedProps): VNode {
  const { creditsReturned, creditsSpent, kind } = project;
  return (
    <section class="panel" id="returned" data-live-part>
      <h2>What came back</h2>
      {creditsReturned === 0 ? (
        <p>
          None of {formatCount(creditsSpent, "credit")}
          {project.completedAt === null && " so far"}.{" "}
          {project.completedAt === null &&
            (kind === "check"
              ? "The credits of URLs that cannot be looked up come back at the end."
              : `The credits of each URL that Google does not have on day ${CHECK_DAYS.final} come back.`)}
        </p>
      ) : (
        <p>
          {formatCount(creditsReturned, "credit")} of {formatNumber(creditsSpent)} spent.
        </p>
      )}
      {kind === "index" && <PaidBack project={project} counts={counts} />}
      <AlreadyIndexed {...project} />
    </section>
  );
}

/** Credits come back for each link by itself. */
function PaidBack({ project, counts }: ReturnedProps): VNode | null {
  const { id, price, alreadyIndexed } = project;
  const rows = (["not_indexed", "unknown", "failed"] as const)
    .map((finding) => ({ finding, count: counts[finding], unpaid: finding === "failed" ? alreadyIndexed : 0 }))
    .filter(({ count, unpaid }) => count > unpaid);
  if (rows.length === 0) return null;
  return (
    <ul class="steps">
      {rows.map(({ finding, count, unpaid }) => (
        <li key={finding}>
          <a href={linksPath(id, { status: finding })}>{formatCount(count, "URL")}</a> {FINDING_LABELS[finding]}
          {unpaid > 0 && `, ${formatNumber(unpaid)} of them since Google had them`}:{" "}
          {formatCount((count - unpaid) * price, "credit")}
        </li>
      ))}
    </ul>
  );
}

/** What comes back for URLs that Google had before they were sent: one sum, which is known when the project is completed. */
function AlreadyIndexed(project: Project): VNode | null {
  const { id, skipIndexed, alreadyIndexed, lookedUp, price, status } = project;
  if (!skipIndexed) return null;
  const paid = price * alreadyIndexed;
  const kept = keptForLookups(project);
  return (
    <p>
      {formatCount(lookedUp, "URL")} {lookedUp === 1 ? "was" : "were"} looked up before sending, and Google had{" "}
      {alreadyIndexed > 0 ? (
        <a href={linksPath(id, { reason: "already_indexed" })}>{formatNumber(alreadyIndexed)}</a>
      ) : (
        "none"
      )}
      .{" "}
      {alreadyIndexed > 0 &&
        `Their ${formatCount(paid, "credit")} ${status === "completed" ? "came back" : "come back at the end"}, less ${formatNumber(kept)} for looking up${status === "completed" ? "" : " so far"}.`}
    </p>
  );
}
