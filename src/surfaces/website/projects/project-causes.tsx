import type { VNode } from "preact";
import { CHECK_DAYS } from "../../../platform/check-days.ts";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { keptForLookups, type Progress, type Project } from "./reading.ts";

/** What came back, and why: one line a cause, with how many URLs. */
export function ProjectCauses({ project, causes }: { project: Project; causes: Progress["causes"] }): VNode {
  return (
    <section class="panel" id="returned" data-live-part>
      <h2>What came back</h2>
      {project.creditsReturned === 0 ? (
        <p>
          No credits so far, of {formatNumber(project.creditsSpent)} spent.{" "}
          {project.kind === "check"
            ? "Those of URLs that cannot be looked up come back at the end."
            : `Those of each URL that Google does not have on day ${CHECK_DAYS.final} come back.`}
        </p>
      ) : (
        <>
          <p>
            {formatCount(project.creditsReturned, "credit")} of {formatNumber(project.creditsSpent)} spent.
          </p>
          <ul class="steps">
            {causes
              .filter(({ code }) => code !== "already_indexed")
              .map(({ code, message, links }) => (
                <li key={`${code} ${message}`}>
                  {formatCount(links, "URL")}, {formatCount(links * project.price, "credit")}: {message}
                </li>
              ))}
          </ul>
        </>
      )}
      <AlreadyIndexed {...project} />
    </section>
  );
}

/** What comes back for URLs that Google had before they were sent: one sum, which is known when the project is completed. */
function AlreadyIndexed(project: Project): VNode | null {
  const { skipIndexed, alreadyIndexed, lookedUp, price, status } = project;
  if (!skipIndexed) return null;
  const paid = price * alreadyIndexed;
  const kept = keptForLookups(project);
  return (
    <p>
      {formatCount(lookedUp, "URL")} {lookedUp === 1 ? "was" : "were"} looked up before sending, and Google had{" "}
      {formatNumber(alreadyIndexed)}.{" "}
      {alreadyIndexed > 0 &&
        `Their ${formatCount(paid, "credit")} ${status === "completed" ? "came back" : "come back at the end"}, less ${formatNumber(kept)} for looking up${status === "completed" ? "" : " so far"}.`}
    </p>
  );
}
